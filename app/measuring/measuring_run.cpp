// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_run.h"

#include "app/terminal/progress_line.h"
#include "core/base/text.h"
#include "core/count/lens.h"
#include "core/json/spec_json.h"
#include "core/measure/interference.h"
#include "core/protocol/process/interrupt.h"
#include "core/study/machine/measured_roofs.h"
#include "core/study/sweep/pass_time.h"
#include "ui/jobs/part_times.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace flopsmith::app {
namespace {

std::string progressText(const std::vector<MeasuredPart>& plan, int part, const std::string& stage)
{
    return "measuring " + std::to_string(part + 1) + "/" + std::to_string(plan.size()) + " "
        + plan.at(static_cast<std::size_t>(part)).path + " (" + stage + ")";
}

void take(MeasuringRun& run, StoredMeasuring measuring)
{
    run.outcome = std::move(measuring.outcome);
    run.storedAt = std::move(measuring.storedAt);
    run.peaksStoredAt = measuring.peaksStoredAt;
    if (measuring.storeFailure) {
        run.storeNotes.push_back(storeNote(*measuring.storeFailure));
    }
}

// Loads the stored results of an imported device.
void recall(MeasuringRun& run, const Device& device, const StoreChoice& choice)
{
    OpenedStore opened = openedStore(choice);
    Result<StoredMeasuring> measuring = opened.store
        ? recalled(*opened.store, device, run.plan, run.options)
        : Result<StoredMeasuring>(opened.failure.value_or(
            Error{"the results of \"" + device.name + "\" are in the store, which is not used"}));
    if (measuring) {
        take(run, std::move(*measuring));
        return;
    }
    run.outcome.unavailable = measuring.error();
    run.outcome.parts.assign(run.plan.size(),
                             {.stage = PartStage::failed, .sentence = measuring.error().message});
}

void ask(MeasuringRun& run,
         const Device& device,
         const StoreChoice& choice,
         const MeasuringWatch& watch)
{
    OpenedStore opened = openedStore(choice);
    if (opened.failure) {
        run.storeNotes.push_back(storeNote(*opened.failure));
    }
    DeviceSession session(device);
    MeasuringObserver observer;
    observer.progress = [&](int part, const Progress& progress) {
        watch.progress(progressText(run.plan, part, progress.stage));
    };
    observer.silence = [&](const std::string& sentence) {
        watch.note(sentence + " It is started once more.");
    };
    watch.progress("waiting for \"" + device.name + "\" to answer");
    take(run,
         measureWithStore(
             session, run.plan, run.options, watch.stop, opened.get(), choice.reuse, observer));
}

// Moves the whole pass from the end of the plan to a place of its own.
void splitWhole(MeasuringRun& run)
{
    if (run.plan.empty()
        || !std::holds_alternative<ModelOperation>(run.plan.back().operation.what)) {
        return;
    }
    run.whole = WholePass{.result = std::move(run.outcome.parts.back()),
                          .storedAt = run.storedAtOf(run.plan.size() - 1)};
    run.outcome.parts.pop_back();
    run.storedAt.resize(std::min(run.storedAt.size(), run.outcome.parts.size()));
    run.plan.pop_back();
}

} // namespace

std::optional<double> MeasuringRun::totalSeconds() const
{
    const Result<PassTime> time = passTime(plan, outcome.parts);
    return time ? std::optional(time->seconds) : std::nullopt;
}

std::optional<double> MeasuringRun::wholeToSum() const
{
    const std::optional<double> sum = totalSeconds();
    if (!whole || !whole->result.measured || !sum || *sum <= 0.0) {
        return std::nullopt;
    }
    return whole->result.measured->medianSeconds / *sum;
}

std::vector<double> MeasuringRun::medians() const
{
    std::vector<double> seconds;
    for (const PartResult& part : outcome.parts) {
        seconds.push_back(part.measured ? part.measured->medianSeconds : 0.0);
    }
    return seconds;
}

std::optional<MachineRoofs> MeasuringRun::roofs() const
{
    if (!outcome.peaks) {
        return std::nullopt;
    }
    return machineRoofs(*outcome.peaks,
                        deviceName,
                        outcome.described ? hardwareKindOf(*outcome.described) : HardwareKind::cpu);
}

RoofConditions MeasuringRun::conditions() const
{
    return roofConditions(options.precision, options.cache);
}

RoofBound MeasuringRun::boundOf(const MeasuredPart& part) const
{
    const std::optional<MachineRoofs> known = roofs();
    if (!known) {
        return {};
    }
    const RoofConditions as = conditions();
    const Cost<Count> cost = costTree(part.operation).total();
    return lowerBound(toDouble(priced(LensId::exact, cost.count)),
                      toDouble(bytes(cost.traffic, as.precision()).total()),
                      *known,
                      as);
}

ComputePass MeasuringRun::pass() const
{
    return plan.empty() ? ComputePass::forward : plan.front().operation.pass;
}

std::optional<std::string> MeasuringRun::uselessness() const
{
    if (outcome.unavailable) {
        return outcome.unavailable->message;
    }
    const bool some = std::any_of(outcome.parts.begin(),
                                  outcome.parts.end(),
                                  [](const PartResult& part) { return part.measured.has_value(); });
    if (some || outcome.parts.empty()) {
        return std::nullopt;
    }
    return outcome.parts.front().sentence;
}

std::vector<std::string> MeasuringRun::notes() const
{
    std::vector<std::string> all = storeNotes;
    if (outcome.described && !outcome.described->environment.warning.empty()) {
        all.push_back(deviceName + ": " + outcome.described->environment.warning);
    }
    if (outcome.peaks && outcome.peaks->lostShare > kLargestInterference) {
        all.push_back(deviceName
                      + ": other programs ran beside the measuring of its peaks; it reaches more");
    }
    if (std::string stored = storedNote(*this); !stored.empty()) {
        all.push_back(std::move(stored));
    }
    return all;
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
    alone.model.patterns.clear();
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

MeasuringRun watchedRun(const Scenario& scenario,
                        const Device& device,
                        std::vector<MeasuredPart> plan,
                        const MeasuringOptions& options,
                        const StoreChoice& store,
                        const MeasuringWatch& watch)
{
    MeasuringRun run{.scenario = scenario,
                     .deviceName = device.name,
                     .options = options,
                     .plan = std::move(plan)};
    if (device.command.empty()) {
        recall(run, device, store);
    } else {
        ask(run, device, store, watch);
    }
    splitWhole(run);
    return run;
}

MeasuringRun measuringRun(const Scenario& scenario,
                          const Device& device,
                          std::vector<MeasuredPart> plan,
                          const MeasuringOptions& options,
                          const StoreChoice& store)
{
    MeasuringRun run;
    int signal = 0;
    {
        const Interrupt interrupt;
        const ProgressLine line;
        const MeasuringWatch watch{.stop = interrupt.token(),
                                   .progress = [&line](const auto& text) { line.show(text); },
                                   .note = [&line](const auto& text) { line.note(text); }};
        run = watchedRun(scenario, device, std::move(plan), options, store, watch);
        signal = interrupt.signal();
    }
    if (signal != 0) {
        std::raise(signal); // after the measuring program this one ends by its signal
    }
    return run;
}

std::vector<PartTime> partTimes(const MeasuringRun& run)
{
    std::vector<PartTime> times;
    for (std::size_t i = 0; i < run.outcome.parts.size(); ++i) {
        times.push_back(partTime(run.outcome.parts[i]));
        times.back().storedAt = run.storedAtOf(i);
    }
    return times;
}

} // namespace flopsmith::app
