// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring_run.h"

#include "app/progress_line.h"
#include "core/base/text.h"
#include "core/model/spec_json.h"
#include "core/protocol/interrupt.h"
#include "core/study/pass_time.h"

#include <csignal>
#include <cstdio>

namespace flopsmith::app {
namespace {

std::string progressText(const std::vector<MeasuredPart>& plan, int part, const std::string& stage)
{
    return "measuring " + std::to_string(part + 1) + "/" + std::to_string(plan.size()) + " "
        + plan.at(static_cast<std::size_t>(part)).path + " (" + stage + ")";
}

// The signal that stopped it, or 0.
int measureUntilInterrupted(MeasuringRun& run, const Device& device, double budgetSeconds)
{
    const Interrupt interrupt;
    const ProgressLine line;
    DeviceSession session(device);
    KnownResults known;
    MeasuringObserver observer;
    observer.progress = [&](int part, const Progress& progress) {
        line.show(progressText(run.plan, part, progress.stage));
    };
    run.outcome = measureParts(
        session, run.plan, {.budgetSeconds = budgetSeconds}, interrupt.token(), known, observer);
    return interrupt.signal();
}

} // namespace

std::optional<double> MeasuringRun::totalSeconds() const
{
    const Result<PassTime> time = passTime(plan, outcome.parts);
    return time ? std::optional(time->seconds) : std::nullopt;
}

Result<std::vector<MeasuredPart>> measuringPlan(const Scenario& scenario,
                                                std::optional<int> block,
                                                ComputePass pass)
{
    if (pass == ComputePass::backward && scenario.workload.phase == Phase::decode) {
        return Error{"--pass backward: decode has no backward pass; --phase prefill has one"};
    }
    if (!block) {
        return measuredParts(scenario, pass);
    }
    const int run = scenario.model.runOf(*block);
    if (run < 0) {
        return Error{"--block " + std::to_string(*block) + ": the model has the blocks 0 to "
                     + std::to_string(scenario.model.layers() - 1)};
    }
    Scenario alone = scenario;
    alone.model.runs = {{scenario.model.runs[static_cast<std::size_t>(run)].block, 1}};
    std::vector<MeasuredPart> plan;
    std::vector<int> newIndex;
    for (MeasuredPart& part : measuredParts(alone, pass)) {
        const bool inBlock = part.path.rfind("blocks[0]", 0) == 0;
        newIndex.push_back(inBlock ? static_cast<int>(plan.size()) : -1);
        if (inBlock) {
            part.path.replace(
                0, std::string("blocks[0]").size(), "blocks[" + std::to_string(*block) + "]");
            part.partOf = part.partOf < 0 ? -1 : newIndex.at(static_cast<std::size_t>(part.partOf));
            plan.push_back(std::move(part));
        }
    }
    return plan;
}

MeasuringRun measuringRun(const Scenario& scenario,
                          const Device& device,
                          std::vector<MeasuredPart> plan,
                          double budgetSeconds)
{
    MeasuringRun run{.scenario = scenario, .deviceName = device.name, .plan = std::move(plan)};
    if (const int signal = measureUntilInterrupted(run, device, budgetSeconds); signal != 0) {
        std::raise(signal); // the measuring program has ended; now this one, as it was told to
    }
    return run;
}

} // namespace flopsmith::app
