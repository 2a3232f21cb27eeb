// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/measuring/measuring_run.h"
#include "app/options/device_options.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/io/reports/peaks_report.h"
#include "core/io/reports/shares_report.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

namespace flopsmith::app {
namespace {

struct SharesOptions
{
    ModelOptions model;
    DeviceOptions device;
    OutputOptions output;
};

Outcome reported(const MeasuringRun& run, const MachineRoofs& roofs, const OutputOptions& output)
{
    const std::vector<PartShare> shares =
        partShares(run.plan, run.medians(), roofs, run.conditions());
    if (output.isJson()) {
        Json json{{"model", run.scenario.model.name},
                  {"workload", toJson(run.scenario.workload)},
                  {"precision", precisionName(run.options.precision)},
                  {"cache", cacheName(run.options.cache)},
                  {"machine", peaksJson(roofs)},
                  {"thresholds", shareThresholdsText()},
                  {"parts", sharesJson(shares)}};
        return output.of(jsonText(json, 2) + "\n");
    }
    Table table = sharesTable(shares, printable(run.scenario.model.name) + " on " + run.deviceName);
    if (output.isForPeople()) {
        table.caption = measuringHeadline(run);
    }
    Outcome outcome = output.of(table);
    if (output.isForPeople()) {
        outcome.notes.push_back(shareThresholdsText());
    }
    return outcome;
}

Outcome sharesOf(const SharesOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const Result<Device> device = options.device.device();
    if (!device) {
        return noDevice(device.error());
    }
    const MeasuringRun run = measuringRun(asked->scenario,
                                          *device,
                                          measuredParts(asked->scenario),
                                          options.device.measuring(),
                                          options.device.store());
    if (const auto sentence = run.uselessness()) {
        return Outcome::failure(ExitCode::deviceUnavailable, *sentence);
    }
    const auto roofs = run.roofs();
    if (!roofs) {
        return Outcome::failure(ExitCode::deviceUnavailable,
                                run.deviceName
                                    + ": its peaks could not be measured, and without them there "
                                      "are no reasons");
    }
    Outcome outcome = reported(run, *roofs, options.output);
    outcome.notes.insert(outcome.notes.begin(), asked->notes.begin(), asked->notes.end());
    for (std::string& note : run.notes()) {
        outcome.notes.push_back(std::move(note));
    }
    return outcome;
}

} // namespace

void addShares(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<SharesOptions>();
    const ArgumentParser command = program.addCommand(
        "shares", "Where FLOPs mislead: parts whose share of the time is not that of the FLOPs");
    options->model.addTo(command);
    options->device.addTo(command);
    options->device.addConditionsTo(command);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return sharesOf(*options); }; });
    command.footer(
        "Measures every part, then sorts them by how far their share of the time is from\n"
        "their share of the FLOPs, with the reason that the numbers give.\n"
        "Example: flopsmith shares gpt2 --phase decode --context 1024 --budget 20");
}

} // namespace flopsmith::app
