// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/json/spec_json.h"
#include "core/protocol/wire/environment_json.h"
#include "core/protocol/wire/wire.h"
#include "core/protocol/wire/wire_names.h"

#include <limits>

namespace flopsmith {
namespace {

constexpr std::int64_t kMaxThreads = 4096;
constexpr std::int64_t kLatestTime = 253'402'300'799; // the year 9999 ends
constexpr std::int64_t kMaxRuns = std::numeric_limits<int>::max();

// A device's names appear in tables and captions: on one line, and not too wide.
std::string nameOf(const std::string& text)
{
    constexpr std::size_t kLongestName = 200;
    return elided(printable(text), kLongestName);
}

int threads(ObjectReader& read)
{
    return static_cast<int>(read.wholeOr("threads", 0, kMaxThreads, 0));
}

MeasureRequest measureRequest(ObjectReader& read, RequestId id)
{
    MeasureRequest request{.id = id};
    request.operation =
        read.valueOr(operationFromJson(read.object("operation").value(), "operation"));
    request.precision = read.oneOf<ComputePrecision>("precision", wire::kPrecisions);
    request.operation.pass = read.oneOf<ComputePass>("pass", wire::kPasses);
    request.cache = read.oneOfOr("cache", wire::kCacheStates, request.cache);
    request.threads = threads(read);
    request.budgetSeconds = read.amountOr("budget_seconds", request.budgetSeconds);
    return request;
}

PeaksRequest peaksRequest(ObjectReader& read, RequestId id)
{
    PeaksRequest request{.id = id};
    request.threads = threads(read);
    request.budgetSeconds = read.amountOr("budget_seconds", request.budgetSeconds);
    return request;
}

Environment environment(ObjectReader& read)
{
    const ObjectReader part = read.object("environment");
    return read.valueOr(environmentFromJson(part.value(), part.place()));
}

Described described(ObjectReader& read, RequestId id)
{
    Described described{.id = id};
    described.device = nameOf(read.text("device"));
    described.kind = nameOf(read.text("kind"));
    described.program = nameOf(read.text("program"));
    for (ObjectReader& library : read.objects("libraries")) {
        described.libraries.push_back(
            {.name = nameOf(library.text("name")), .version = nameOf(library.text("version"))});
    }
    described.environment = environment(read);
    described.preparingSeconds = read.amountOr("preparing_seconds", 0.0);
    return described;
}

std::int64_t natural(ObjectReader& read, const std::string& key)
{
    return read.whole(key, 0, kLargestExactDouble);
}

Progress progress(ObjectReader& read, RequestId id)
{
    Progress progress{.id = id};
    progress.stage = nameOf(read.text("stage"));
    progress.samples = static_cast<std::size_t>(natural(read, "samples"));
    progress.medianSeconds = read.amount("median_seconds");
    progress.budgetShare = read.amount("budget_share");
    return progress;
}

CheckRecord checkRecord(ObjectReader& message)
{
    ObjectReader read = message.object("check");
    CheckRecord check;
    check.relativeError = read.amount("relative_error");
    check.tolerance = read.amount("tolerance");
    check.compared = natural(read, "compared");
    check.tokens = natural(read, "tokens");
    check.ofTokens = natural(read, "of_tokens");
    check.sentence = read.text("sentence");
    return check;
}

OpCount<Count> opCount(ObjectReader& message)
{
    ObjectReader read = message.object("counted");
    OpCount<Count> count;
    for (const wire::CountClass& each : wire::kCountClasses) {
        count.*each.member = read.count(each.key);
    }
    return count;
}

std::optional<PlannedTransforms> planned(ObjectReader& read)
{
    const auto adds = read.optionalAmount("fft_planned_add");
    const auto muls = read.optionalAmount("fft_planned_mul");
    const auto fused = read.optionalAmount("fft_planned_fma");
    if (!adds || !muls || !fused) {
        return std::nullopt;
    }
    return PlannedTransforms{*adds, *muls, *fused};
}

Measured measured(ObjectReader& read, RequestId id)
{
    Measured measured{.id = id};
    measured.medianSeconds = read.amount("median_seconds");
    measured.madSeconds = read.amount("mad_seconds");
    measured.lowerQuartileSeconds = read.amount("lower_quartile_seconds");
    measured.upperQuartileSeconds = read.amount("upper_quartile_seconds");
    measured.fastestSeconds = read.amount("fastest_seconds");
    measured.samples = static_cast<std::size_t>(natural(read, "samples"));
    measured.runsPerSample = static_cast<int>(read.whole("runs_per_sample", 1, kMaxRuns));
    measured.settled = read.flag("settled");
    measured.relativeHalfWidth = read.optionalAmount("relative_half_width");
    measured.planned = planned(read);
    measured.elapsedSeconds = read.amount("elapsed_seconds");
    measured.waitingShare = read.amountOr("waiting_share", 0.0);
    measured.stolenShare = read.amountOr("stolen_share", 0.0);
    measured.threads = static_cast<int>(read.whole("threads", 1, kMaxThreads));
    measured.check = checkRecord(read);
    measured.counted = opCount(read);
    measured.flops = read.count("flops");
    measured.flopsPerSecond = read.amount("flops_per_second");
    measured.bytesNeeded = read.count("bytes_needed");
    measured.precision = read.oneOfOr("precision", wire::kPrecisions, measured.precision);
    measured.cache = read.oneOfOr("cache", wire::kCacheStates, measured.cache);
    measured.environment = environment(read);
    measured.medians = read.amountsOrEmpty("medians");
    return measured;
}

std::vector<ProductPeak> productPeaks(ObjectReader& message)
{
    std::vector<ProductPeak> products;
    for (ObjectReader& read : message.objectsOrEmpty("products")) {
        ProductPeak peak;
        peak.precision = read.oneOf<ComputePrecision>("precision", wire::kPrecisions);
        peak.flopsPerSecond = read.amount("flops_per_second");
        products.push_back(peak);
    }
    return products;
}

std::vector<CachePeak> cachePeaks(ObjectReader& message)
{
    std::vector<CachePeak> caches;
    for (ObjectReader& read : message.objectsOrEmpty("caches")) {
        CachePeak peak;
        peak.name = nameOf(read.text("name"));
        peak.bytes = static_cast<std::uint64_t>(natural(read, "bytes"));
        peak.bytesPerSecond = read.amount("bytes_per_second");
        peak.threads = static_cast<int>(read.wholeOr("threads", 1, kMaxThreads, 1));
        caches.push_back(std::move(peak));
    }
    return caches;
}

PeaksMeasured peaksMeasured(ObjectReader& read, RequestId id)
{
    PeaksMeasured peaks{.id = id};
    peaks.threads = static_cast<int>(read.whole("threads", 1, kMaxThreads));
    peaks.flopsPerSecond = read.amount("flops_per_second");
    peaks.bytesPerSecond = read.amount("bytes_per_second");
    peaks.sentence = read.text("sentence");
    peaks.products = productPeaks(read);
    peaks.caches = cachePeaks(read);
    peaks.launchSeconds = read.amountOr("launch_seconds", 0.0);
    peaks.measuredAt = read.wholeOr("measured_at", 0, kLatestTime, 0);
    peaks.lostShare = read.amountOr("lost_share", 0.0);
    return peaks;
}

Failure failure(ObjectReader& read, RequestId id)
{
    Failure failure{.id = id};
    failure.code = read.oneOf<FailureCode>("code", wire::kFailureCodes);
    failure.sentence = read.text("sentence");
    return failure;
}

Failure refusal(RequestId id, FailureCode code, const std::string& sentence)
{
    return {.id = id, .code = code, .sentence = sentence};
}

// The common part of every message.
struct Envelope
{
    Json json;
    std::string type;
    RequestId id = 0;
};

bool isOurVersion(const Json& json)
{
    const Json* found = json.find("protocol");
    return found != nullptr && found->is_number_integer() && *found == kProtocolVersion;
}

std::string versionSentence(const Json& json)
{
    const Json* found = json.find("protocol");
    const std::string ours =
        "message.protocol: this program speaks version " + std::to_string(kProtocolVersion);
    if (found == nullptr) {
        return ours + ", and the message names none";
    }
    return ours + ", not " + (found->is_number() ? jsonText(*found) : found->type_name());
}

std::variant<Envelope, Failure> envelope(std::string_view line)
{
    if (line.size() > kLongestLine) {
        return refusal(0,
                       FailureCode::badMessage,
                       "message: " + std::to_string(line.size())
                           + " bytes in one line are too many; at most 1 MiB is read");
    }
    Result<Json> json = parsedJson(line, "message");
    if (!json) {
        return refusal(0, FailureCode::badMessage, json.error().message);
    }
    ObjectReader read(*json, "message");
    if (!json->is_object()) {
        return refusal(0, FailureCode::badMessage, read.status().error().message);
    }
    const RequestId id = read.whole("id", 0, kLargestExactDouble - 1);
    if (!isOurVersion(*json)) {
        return refusal(id, FailureCode::wrongVersion, versionSentence(*json));
    }
    std::string type = read.text("type");
    if (const Status status = read.status(); !status) {
        return refusal(id, FailureCode::badMessage, status.error().message);
    }
    return Envelope{std::move(*json), std::move(type), id};
}

// The message, or a Failure if something in it was wrong.
template <class Choice>
std::variant<Choice, Failure> judged(const ObjectReader& read, Choice message)
{
    if (const Status status = read.status(); !status) {
        const bool operation = status.error().message.starts_with("operation");
        return refusal(idOf(message),
                       operation ? FailureCode::badOperation : FailureCode::badMessage,
                       status.error().message);
    }
    return message;
}

std::variant<Answer, Failure> readAnswer(const Envelope& envelope)
{
    ObjectReader read(envelope.json, "message");
    const auto& [json, type, id] = envelope;
    if (type == "described") {
        const Answer answer = described(read, id);
        return judged(read, answer);
    }
    if (type == "progress") {
        const Answer answer = progress(read, id);
        return judged(read, answer);
    }
    if (type == "measured") {
        const Answer answer = measured(read, id);
        return judged(read, answer);
    }
    if (type == "peaks_measured") {
        const Answer answer = peaksMeasured(read, id);
        return judged(read, answer);
    }
    if (type == "error") {
        const Answer answer = failure(read, id);
        return judged(read, answer);
    }
    return refusal(id,
                   FailureCode::badMessage,
                   "message.type: \"" + type
                       + "\" is unknown; known answers: described, progress, measured, "
                         "peaks_measured, error");
}

} // namespace

std::variant<Request, Failure> requestOf(std::string_view line)
{
    std::variant<Envelope, Failure> opened = envelope(line);
    if (auto* failure = std::get_if<Failure>(&opened)) {
        return std::move(*failure);
    }
    const Envelope& envelope = std::get<Envelope>(opened);
    ObjectReader read(envelope.json, "message");
    if (envelope.type == "describe") {
        return Request(DescribeRequest{envelope.id});
    }
    if (envelope.type == "measure") {
        const Request request = measureRequest(read, envelope.id);
        return judged(read, request);
    }
    if (envelope.type == "peaks") {
        const Request request = peaksRequest(read, envelope.id);
        return judged(read, request);
    }
    if (envelope.type == "cancel") {
        return Request(CancelRequest{envelope.id});
    }
    return refusal(envelope.id,
                   FailureCode::badMessage,
                   "message.type: \"" + envelope.type
                       + "\" is unknown; known requests: describe, measure, peaks, cancel");
}

Result<Answer> answerOf(std::string_view line)
{
    const std::variant<Envelope, Failure> opened = envelope(line);
    if (const auto* failure = std::get_if<Failure>(&opened)) {
        return Error{failure->sentence};
    }
    std::variant<Answer, Failure> answer = readAnswer(std::get<Envelope>(opened));
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        return Error{failure->sentence};
    }
    return std::get<Answer>(std::move(answer));
}

} // namespace flopsmith
