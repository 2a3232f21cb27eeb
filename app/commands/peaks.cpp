// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/io/reports/peaks_report.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

struct PeaksOptions
{
    OutputOptions output;
    std::string device;
    double budgetSeconds = 2.0;
    StoreOptions store;
};

Outcome reported(const MachineRoofs& roofs, const OutputOptions& output)
{
    if (output.isJson()) {
        return output.of(jsonText(peaksJson(roofs), 2) + "\n");
    }
    Table table = peaksTable(roofs);
    if (output.isForPeople()) {
        table.caption = peaksHeadline(roofs);
    }
    return output.of(table);
}

Outcome peaksOf(const PeaksOptions& options)
{
    const auto found =
        measuredHardware(options.device, options.budgetSeconds, options.store.choice());
    if (const auto* failed = std::get_if<Outcome>(&found)) {
        return *failed;
    }
    const FoundHardware& device = std::get<FoundHardware>(found);
    Outcome outcome = reported(*device.machine, options.output);
    outcome.notes = device.notes;
    return outcome;
}

} // namespace

void addPeaks(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<PeaksOptions>();
    const ArgumentParser command = program.addCommand(
        "peaks", "What a device reaches at best: products, each level of its memory, launches");
    command
        .addOption("DEVICE,--device",
                   options->device,
                   "Where to measure (see flopsmith devices); without it, this CPU")
        .typeName("NAME");
    command.addOption("--budget", options->budgetSeconds, "Seconds for timing all of them")
        .typeName("SECONDS")
        .check(between(0.1, 3600.0))
        .showDefault();
    options->store.addTo(command);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return peaksOf(*options); }; });
    command.footer(
        "Bytes copied count twice: read and written. Products count 2 FLOPs per\n"
        "multiply-add. An empty step wakes all threads (on a GPU: launches a kernel) for\n"
        "nothing.");
}

} // namespace flopsmith::app
