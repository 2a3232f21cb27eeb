// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_run.h"
#include "core/io/reports/peaks_report.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/protocol/measuring/settling.h"
#include "core/protocol/wire/environment_json.h"
#include "core/protocol/wire/wire_names.h"

// The results of a measuring run as JSON.
namespace flopsmith::app {
namespace {

Json measuredJson(const Measured& m)
{
    Json json{{"median_seconds", m.medianSeconds},
              {"mad_seconds", m.madSeconds},
              {"lower_quartile_seconds", m.lowerQuartileSeconds},
              {"upper_quartile_seconds", m.upperQuartileSeconds},
              {"fastest_seconds", m.fastestSeconds},
              {"samples", m.samples},
              {"runs_per_sample", m.runsPerSample},
              {"settled", isSettled(m)},
              {"waiting_share", m.waitingShare},
              {"stolen_share", m.stolenShare}};
    if (m.relativeHalfWidth) {
        json["relative_half_width"] = *m.relativeHalfWidth;
    }
    if (const auto repeats = repeatsOf(m)) {
        json["measurements"] = {{"times", repeats->times},
                                {"lowest_median_seconds", repeats->lowestSeconds},
                                {"highest_median_seconds", repeats->highestSeconds}};
    }
    json["threads"] = m.threads;
    json["relative_error"] = m.check.relativeError;
    json["tolerance"] = m.check.tolerance;
    json["check"] = m.check.sentence;
    json["flops"] = exactNumber(m.flops);
    if (m.planned) {
        json["fft_nominal"] = exactNumber(m.counted.fft);
        json["fft_planned"] = {{"add", m.planned->adds},
                               {"mul", m.planned->muls},
                               {"fma", m.planned->fusedMultiplyAdds}};
    }
    json["flops_per_second"] = m.flopsPerSecond;
    json["gflops_per_second"] = m.flopsPerSecond / 1e9;
    return json;
}

Json errorJson(const PartResult& result)
{
    return {{"code", std::string(wire::kFailureCodes.at(static_cast<std::size_t>(result.code)))},
            {"sentence", result.sentence}};
}

Json wholeJson(const WholePass& whole, const MeasuringRun& run)
{
    if (!whole.result.measured) {
        return {{"error", errorJson(whole.result)}};
    }
    Json json = measuredJson(*whole.result.measured);
    if (whole.storedAt) {
        json["stored_at"] = *whole.storedAt;
    }
    if (const auto ratio = run.wholeToSum()) {
        json["ratio_to_sum_of_parts"] = *ratio;
    }
    return json;
}

Json partJson(const MeasuringRun& run, std::size_t i)
{
    const MeasuredPart& part = run.plan[i];
    const PartResult& result = run.outcome.parts.at(i);
    Json json{{"path", part.path},
              {"title", part.title},
              {"component", std::string(part.component->id)},
              {"uses", part.uses}};
    if (!part.addsToTotal()) {
        json["part_of"] = run.plan.at(static_cast<std::size_t>(part.partOf)).path;
    }
    if (result.measured) {
        json.update(measuredJson(*result.measured));
        if (const auto storedAt = run.storedAtOf(i)) {
            json["stored_at"] = *storedAt;
        }
        const RoofBound bound = run.boundOf(part);
        if (bound.binding != Binding::unknown) {
            json["lower_bound_seconds"] = bound.seconds;
            json["bound"] = std::string(enumName(bound.binding));
            if (bound.binding == Binding::memory) {
                json["bound_level"] = bound.level;
            }
        }
        if (const auto total = run.totalSeconds(); total && *total > 0.0) {
            json["share"] = result.measured->medianSeconds * part.uses / *total;
        }
    } else {
        json["error"] = errorJson(result);
    }
    return json;
}

Json deviceJson(const MeasuringRun& run)
{
    Json json{{"name", run.deviceName}};
    if (const auto& described = run.outcome.described) {
        json["device"] = described->device;
        json["kind"] = described->kind;
        json["program"] = described->program;
        json["libraries"] = Json::object();
        for (const Library& library : described->libraries) {
            json["libraries"][library.name] = library.version;
        }
        json["environment"] = toJson(described->environment);
    }
    if (const auto roofs = run.roofs()) {
        json["peaks"] = {{"flops_per_second", roofs->peaks().flopsPerSecond},
                         {"bytes_per_second", roofs->peaks().bytesPerSecond},
                         {"measured_on", roofs->how}};
        json["peaks"].update(peaksJson(*roofs));
    }
    return json;
}

} // namespace

Json measuringJson(const MeasuringRun& run)
{
    Json json{{"model", run.scenario.model.name},
              {"workload", toJson(run.scenario.workload)},
              {"pass", std::string(enumName(run.pass()))},
              {"precision", precisionName(run.options.precision)},
              {"cache", cacheName(run.options.cache)},
              {"device", deviceJson(run)}};
    if (const auto total = run.totalSeconds()) {
        json["total_seconds"] = *total;
    }
    if (run.whole) {
        json["whole_pass"] = wholeJson(*run.whole, run);
    }
    json["parts"] = Json::array();
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
        json["parts"].push_back(partJson(run, i));
    }
    return json;
}

} // namespace flopsmith::app
