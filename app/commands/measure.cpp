// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/measuring/measuring_runs.h"
#include "app/options/device_options.h"
#include "app/options/options.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

struct MeasureOptions
{
    ModelOptions model;
    DeviceOptions device;
    OutputOptions output;
    std::optional<int> block;
    std::string pass = "forward";
    bool partsOnly = false;
};

Outcome reported(const MeasuringRun& run, const OutputOptions& output)
{
    if (output.isJson()) {
        return output.of(jsonText(measuringJson(run), 2) + "\n");
    }
    Table table = measuringTable(run);
    if (output.isForPeople()) {
        table.caption = measuringHeadline(run);
    }
    return output.of(table);
}

Outcome reported(std::span<const MeasuringRun> runs, const OutputOptions& output)
{
    if (output.isJson()) {
        return output.of(jsonText(sideBySideJson(runs), 2) + "\n");
    }
    Table table = sideBySideTable(runs);
    if (output.isForPeople()) {
        table.caption = sideBySideHeadline(runs);
    }
    return output.of(table);
}

Outcome measureSideBySide(const MeasureOptions& options,
                          const Asked& asked,
                          const std::vector<MeasuredPart>& plan)
{
    const Result<std::vector<Device>> devices = options.device.devices();
    if (!devices) {
        return noDevice(devices.error());
    }
    const std::vector<MeasuringRun> runs = measuringRuns(
        asked.scenario, *devices, plan, options.device.measuring(), options.device.store());
    if (auto failure = failureOf(runs)) {
        return std::move(*failure);
    }
    Outcome outcome = reported(runs, options.output);
    outcome.notes = asked.notes;
    for (std::string& note : failureNotes(runs)) {
        outcome.notes.push_back(std::move(note));
    }
    return outcome;
}

// The forward pass of all blocks is also measured as one operation.
std::vector<MeasuredPart> withWhole(std::vector<MeasuredPart> plan,
                                    const Asked& asked,
                                    const MeasureOptions& options)
{
    const auto whole = measuredWhole(asked.scenario);
    if (whole && !options.block && !options.partsOnly && options.pass == "forward") {
        plan.push_back(*whole);
    }
    return plan;
}

Outcome measure(const MeasureOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const ComputePass pass =
        options.pass == "backward" ? ComputePass::backward : ComputePass::forward;
    const Result<std::vector<MeasuredPart>> parts =
        measuringPlan(asked->scenario, options.block, pass);
    if (!parts) {
        return Outcome::badInput(parts.error());
    }
    const std::vector<MeasuredPart> plan = withWhole(*parts, *asked, options);
    if (options.device.areSeveral()) {
        return measureSideBySide(options, *asked, plan);
    }
    const Result<Device> device = options.device.device();
    if (!device) {
        return noDevice(device.error());
    }
    const MeasuringRun run = measuringRun(
        asked->scenario, *device, plan, options.device.measuring(), options.device.store());
    if (const auto sentence = run.uselessness()) {
        return Outcome::failure(ExitCode::deviceUnavailable, *sentence);
    }
    Outcome outcome = reported(run, options.output);
    outcome.notes = asked->notes;
    for (std::string& note : run.notes()) {
        outcome.notes.push_back(std::move(note));
    }
    return outcome;
}

} // namespace

void addMeasure(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<MeasureOptions>();
    const ArgumentParser command =
        program.addCommand("measure", "How long the parts of a model really take on a device");
    options->model.addTo(command);
    options->device.addSeveralTo(command);
    options->device.addConditionsTo(command);
    command.addOption("--block", options->block, "Only this block, counted from 0")
        .check(wholeNumber())
        .typeName("N");
    command
        .addOption("--pass",
                   options->pass,
                   "forward, or backward: the gradients of the input and of every weight")
        .oneOf({"forward", "backward"})
        .typeName("NAME")
        .showDefault();
    command.addFlag("--parts-only", options->partsOnly, "Leave out the whole model in one pass");
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return measure(*options); }; });
    command.footer("\"at least\" is FLOPs over the peak or bytes over the bandwidth, whichever is\n"
                   "longer: with hot caches the bandwidth of the level that holds what one run\n"
                   "touches, with cold ones that of the memory.\n"
                   "The whole pass runs all parts one after the other, as the model does.\n"
                   "Example: flopsmith measure gpt2 --seq 128 --budget 20 --format json\n"
                   "Side by side: flopsmith measure gpt2 --device 'this CPU,GPU box'");
}

} // namespace flopsmith::app
