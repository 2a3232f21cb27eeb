// SPDX-License-Identifier: MIT
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/protocol/wire/environment_json.h"
#include "core/protocol/wire/wire.h"
#include "core/protocol/wire/wire_names.h"

namespace flopsmith {
namespace {

template <class Enum, std::size_t size>
std::string nameOf(Enum value, const std::array<std::string_view, size>& names)
{
    return std::string(names[static_cast<std::size_t>(value)]);
}

Json message(const char* type, RequestId id)
{
    Json json;
    json["protocol"] = kProtocolVersion;
    json["type"] = type;
    json["id"] = id;
    return json;
}

Json written(const DescribeRequest& request)
{
    return message("describe", request.id);
}

Json written(const MeasureRequest& request)
{
    Json json = message("measure", request.id);
    json["operation"] = toJson(request.operation);
    json["precision"] = nameOf(request.precision, wire::kPrecisions);
    json["pass"] = nameOf(request.operation.pass, wire::kPasses);
    json["cache"] = nameOf(request.cache, wire::kCacheStates);
    json["threads"] = request.threads;
    json["budget_seconds"] = request.budgetSeconds;
    return json;
}

Json written(const PeaksRequest& request)
{
    Json json = message("peaks", request.id);
    json["threads"] = request.threads;
    json["budget_seconds"] = request.budgetSeconds;
    return json;
}

Json written(const CancelRequest& request)
{
    return message("cancel", request.id);
}

Json written(const Described& described)
{
    Json json = message("described", described.id);
    json["device"] = described.device;
    json["kind"] = described.kind;
    json["program"] = described.program;
    json["libraries"] = Json::array();
    for (const Library& library : described.libraries) {
        json["libraries"].push_back({{"name", library.name}, {"version", library.version}});
    }
    json["environment"] = toJson(described.environment);
    if (described.preparingSeconds > 0.0) {
        json["preparing_seconds"] = described.preparingSeconds;
    }
    return json;
}

Json written(const Progress& progress)
{
    Json json = message("progress", progress.id);
    json["stage"] = progress.stage;
    json["samples"] = progress.samples;
    json["median_seconds"] = progress.medianSeconds;
    json["budget_share"] = progress.budgetShare;
    return json;
}

Json written(const CheckRecord& check)
{
    return {{"relative_error", check.relativeError},
            {"tolerance", check.tolerance},
            {"compared", check.compared},
            {"tokens", check.tokens},
            {"of_tokens", check.ofTokens},
            {"sentence", check.sentence}};
}

Json written(const OpCount<Count>& count)
{
    Json json = Json::object();
    for (const wire::CountClass& each : wire::kCountClasses) {
        json[each.key] = exactNumber(count.*each.member);
    }
    return json;
}

Json written(const Measured& measured)
{
    Json json = message("measured", measured.id);
    json["median_seconds"] = measured.medianSeconds;
    json["mad_seconds"] = measured.madSeconds;
    json["lower_quartile_seconds"] = measured.lowerQuartileSeconds;
    json["upper_quartile_seconds"] = measured.upperQuartileSeconds;
    json["fastest_seconds"] = measured.fastestSeconds;
    json["samples"] = measured.samples;
    json["runs_per_sample"] = measured.runsPerSample;
    json["settled"] = measured.settled;
    if (measured.relativeHalfWidth) {
        json["relative_half_width"] = *measured.relativeHalfWidth;
    }
    if (measured.planned) {
        json["fft_planned_add"] = measured.planned->adds;
        json["fft_planned_mul"] = measured.planned->muls;
        json["fft_planned_fma"] = measured.planned->fusedMultiplyAdds;
    }
    json["elapsed_seconds"] = measured.elapsedSeconds;
    json["waiting_share"] = measured.waitingShare;
    json["stolen_share"] = measured.stolenShare;
    json["threads"] = measured.threads;
    json["check"] = written(measured.check);
    json["counted"] = written(measured.counted);
    json["flops"] = exactNumber(measured.flops);
    json["flops_per_second"] = measured.flopsPerSecond;
    json["bytes_needed"] = exactNumber(measured.bytesNeeded);
    json["precision"] = nameOf(measured.precision, wire::kPrecisions);
    json["cache"] = nameOf(measured.cache, wire::kCacheStates);
    json["environment"] = toJson(measured.environment);
    if (!measured.medians.empty()) {
        json["medians"] = measured.medians;
    }
    return json;
}

Json written(const PeaksMeasured& peaks)
{
    Json json = message("peaks_measured", peaks.id);
    json["threads"] = peaks.threads;
    json["flops_per_second"] = peaks.flopsPerSecond;
    json["bytes_per_second"] = peaks.bytesPerSecond;
    json["sentence"] = peaks.sentence;
    json["products"] = Json::array();
    for (const ProductPeak& product : peaks.products) {
        json["products"].push_back({{"precision", nameOf(product.precision, wire::kPrecisions)},
                                    {"flops_per_second", product.flopsPerSecond}});
    }
    json["caches"] = Json::array();
    for (const CachePeak& cache : peaks.caches) {
        json["caches"].push_back({{"name", cache.name},
                                  {"bytes", cache.bytes},
                                  {"bytes_per_second", cache.bytesPerSecond},
                                  {"threads", cache.threads}});
    }
    json["launch_seconds"] = peaks.launchSeconds;
    json["measured_at"] = peaks.measuredAt;
    json["lost_share"] = peaks.lostShare;
    return json;
}

Json written(const Failure& failure)
{
    Json json = message("error", failure.id);
    json["code"] = nameOf(failure.code, wire::kFailureCodes);
    json["sentence"] = failure.sentence;
    return json;
}

// Names of files and processors are bytes: invalid UTF-8 is replaced, so that nothing throws.
std::string dumped(const Json& json)
{
    return jsonText(json);
}

} // namespace

RequestId idOf(const Request& request)
{
    return std::visit([](const auto& each) { return each.id; }, request);
}

RequestId idOf(const Answer& answer)
{
    return std::visit([](const auto& each) { return each.id; }, answer);
}

std::string lineOf(const Request& request)
{
    return std::visit([](const auto& each) { return dumped(written(each)); }, request);
}

std::string lineOf(const Answer& answer)
{
    return std::visit([](const auto& each) { return dumped(written(each)); }, answer);
}

} // namespace flopsmith
