// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/io/reports/roofline_report.h"
#include "core/json/json_text.h"

#include <optional>

namespace flopsmith::app {
namespace {

struct RooflineOptions
{
    ModelOptions model;
    HardwareOptions hardware;
    OutputOptions output;
    std::optional<double> seconds;
    std::optional<double> tokensPerSecond;

    // Of the whole pass, as measured somewhere.
    std::optional<double> measuredSeconds(const Scenario& scenario) const
    {
        if (!tokensPerSecond) {
            return seconds;
        }
        return static_cast<double>(scenario.workload.batch) * scenario.queryTokens()
            / *tokensPerSecond;
    }
};

Outcome rooflineOf(const RooflineOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const auto found = options.hardware.found();
    if (const auto* failed = std::get_if<Outcome>(&found)) {
        return *failed;
    }
    const FoundHardware& device = std::get<FoundHardware>(found);
    const auto peak = options.hardware.peakOf(device.hardware, asked->scenario.workload.precision);
    if (const auto* failed = std::get_if<Outcome>(&peak)) {
        return *failed;
    }
    RooflineReport report =
        rooflineReport(asked->scenario, std::get<HardwarePeak>(peak), asked->lens, asked->pairs);
    report.machine = device.machine;
    report.measuredSeconds = options.measuredSeconds(asked->scenario);
    Outcome outcome;
    if (options.output.isJson()) {
        outcome = options.output.of(jsonText(rooflineJson(report), 2) + "\n");
    } else {
        Table table = rooflineTable(report);
        if (options.output.isForPeople()) {
            table.caption = rooflineHeadline(report);
        }
        outcome = options.output.of(table);
    }
    outcome.notes = asked->notes;
    outcome.notes.insert(outcome.notes.end(), device.notes.begin(), device.notes.end());
    return outcome;
}

} // namespace

void addRoofline(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<RooflineOptions>();
    const ArgumentParser command = program.addCommand(
        "roofline", "The least time that a device's peaks allow, and what binds each part");
    options->model.addTo(command);
    options->model.addLensTo(command);
    options->hardware.addTo(command);
    const Option seconds = command
                               .addOption("--seconds",
                                          options->seconds,
                                          "Time that the whole pass took somewhere: gives its "
                                          "model FLOPs utilisation (MFU)")
                               .check(between(1e-12, 1e12))
                               .typeName("SECONDS");
    command
        .addOption("--tokens-per-second",
                   options->tokensPerSecond,
                   "The same as a throughput of one device")
        .check(between(1e-12, 1e15))
        .typeName("RATE")
        .excludes(seconds);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return rooflineOf(*options); }; });
    command.footer("Examples:\n"
                   "  flopsmith roofline llama-3-8b --phase decode --context 4096 --hardware "
                   "h100-sxm --set weight_bits=16 --set activation_bits=16 --set kv_bits=16\n"
                   "  flopsmith roofline gpt2 --hardware this");
}

} // namespace flopsmith::app
