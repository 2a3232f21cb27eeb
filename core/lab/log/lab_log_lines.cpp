// SPDX-License-Identifier: MIT
#include "core/json/json_text.h"
#include "core/lab/log/lab_log.h"
#include "core/lab/plan/lab_file.h"

#include <utility>

// What is written into a log.
namespace flopsmith {
namespace {

Json numbersJson(const std::vector<double>& numbers)
{
    Json list = Json::array();
    for (const double number : numbers) {
        list.push_back(number); // not finite: null
    }
    return list;
}

LogLine partLine(const RunPart& part, const Json& members)
{
    Json json{{"run", part.run}};
    if (part.branch) {
        json["branch"] = std::string(enumName(*part.branch));
    }
    json.update(members);
    return LogLine(std::move(json));
}

std::string linesOfPart(const RunPart& part,
                        const LoggedSteps& steps,
                        std::int64_t from,
                        const std::vector<LoggedPoint>& points,
                        RunEnd end)
{
    const std::int64_t last = from + steps.count();
    std::string text = steps.losses.empty() ? std::string() : stepsLine(part, last, steps).text();
    for (const LoggedPoint& point : points) {
        text += pointLine(part, point, static_cast<Count>(point.flops)).text();
    }
    return end == RunEnd::open ? text : text + endLine(part, end, last).text();
}

} // namespace

std::string keyText(const RunKey& key)
{
    std::string text = key.arm;
    const std::string seed = key.seed > 0 ? "seed " + std::to_string(key.seed) : "whole tuning";
    text += key.tuning ? ", tuning" : ", " + seed;
    return text + ", learning rate " + jsonText(Json(key.rate));
}

LogLine headerLine(const LabPlan& plan, const std::string& machine, std::string_view program)
{
    Json header{{kLogKey, kLogFormat}, {"machine", machine}};
    if (!program.empty()) {
        header["program"] = std::string(program);
    }
    header["lab"] = labJson(plan);
    return LogLine(std::move(header));
}

LogLine startLine(std::size_t run,
                  const RunKey& key,
                  std::int64_t steps,
                  std::int64_t parameters,
                  const std::map<std::string, double>& calibration)
{
    Json json{{"run", run},
              {"start", steps},
              {"arm", key.arm},
              {"seed", key.seed},
              {"rate", key.rate},
              {"tuning", key.tuning},
              {"parameters", parameters}};
    for (const auto& [path, factor] : calibration) {
        json["calibration"][path] = factor;
    }
    return LogLine(std::move(json));
}

LogLine branchLine(const RunPart& part, std::int64_t from, std::int64_t steps)
{
    return partLine(part, {{"from", from}, {"until", steps}});
}

LogLine resumedLine(const RunPart& part, std::int64_t step)
{
    return partLine(part, {{"resumed", step}});
}

LogLine stepsLine(const RunPart& part, std::int64_t last, const LoggedSteps& steps)
{
    Json json{{"steps", last},
              {"losses", numbersJson(steps.losses)},
              {"gradient_norms", numbersJson(steps.gradientNorms)}};
    if (!steps.loadEntropies.empty()) {
        json["balance_losses"] = numbersJson(steps.balanceLosses);
        json["load_entropies"] = numbersJson(steps.loadEntropies);
    }
    return partLine(part, json);
}

LogLine partsLine(std::size_t run, std::int64_t step, std::span<const PartNorm> parts)
{
    Json names = Json::array();
    Json norms = Json::array();
    for (const PartNorm& part : parts) {
        names.push_back(part.part);
        norms.push_back(part.norm); // not finite: null
    }
    return partLine(run, {{"at", step}, {"parts", names}, {"gradient_norms", norms}});
}

LogLine pointLine(const RunPart& part, const LoggedPoint& point, Count flops)
{
    return partLine(part,
                    {{"evaluated", point.step},
                     {"flops", exactNumber(flops)},
                     {"seconds", point.seconds},
                     {"loss", point.loss},
                     {"score", point.score}});
}

LogLine endLine(const RunPart& part, RunEnd end, std::int64_t step)
{
    return partLine(part, {{"end", end == RunEnd::diverged ? "diverged" : "steps"}, {"at", step}});
}

LogLine timingLine(const std::string& arm, const ArmTiming& timing, Count stepFlops)
{
    return LogLine(Json{{"timed", arm},
                        {"steps", timing.steps},
                        {"step_seconds", timing.stepSeconds},
                        {"step_flops", exactNumber(stepFlops)}});
}

std::string runLines(std::size_t number, const LoggedRun& run)
{
    std::string text =
        startLine(number, run.key, run.steps, run.parameters, run.calibration).text();
    text += linesOfPart(number, run.curves, 0, run.points, RunEnd::open);
    if (!run.parts.empty()) {
        text += partsLine(number, run.curves.count(), run.parts).text();
    }
    for (const LoggedBranch& branch : run.branches) {
        const RunPart part(number, branch.view);
        text += branchLine(part, branch.from, branch.steps).text()
            + linesOfPart(part, branch.curves, branch.from, branch.points, branch.end);
    }
    return run.end == RunEnd::open ? text
                                   : text + endLine(number, run.end, run.curves.count()).text();
}

} // namespace flopsmith
