// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/io/reports/memory_report.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

struct MemoryOptions
{
    ModelOptions model;
    HardwareOptions hardware;
    OutputOptions output;
};

Outcome memoryOf(const MemoryOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    std::vector<std::string> notes = asked->notes;
    std::optional<Hardware> hardware;
    if (options.hardware.isNamed()) {
        const std::variant<Hardware, Outcome> found = options.hardware.hardware(notes);
        if (const auto* failed = std::get_if<Outcome>(&found)) {
            return *failed;
        }
        hardware = std::get<Hardware>(found);
    }
    const Memory needed = memory(asked->scenario);
    Outcome outcome;
    if (options.output.isJson()) {
        outcome = options.output.of(
            jsonText(memoryJson(asked->scenario, needed, hardware ? &*hardware : nullptr), 2)
            + "\n");
    } else {
        Table table = memoryTable(asked->scenario, needed);
        if (const std::string fit = hardware ? fitText(needed, *hardware) : ""; !fit.empty()) {
            table.caption += "\n  " + fit;
        }
        outcome = options.output.of(table);
    }
    outcome.notes = std::move(notes);
    return outcome;
}

} // namespace

void addMemory(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<MemoryOptions>();
    const ArgumentParser command = program.addCommand(
        "memory", "What fills a device's memory: weights, gradients, activations, cache");
    options->model.addTo(command);
    options->hardware.addTo(command, HardwareOptions::Need::optional);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return memoryOf(*options); }; });
    command.footer(
        "Examples:\n"
        "  flopsmith memory llama-3-8b --phase decode --context 32768 --set weight_bits=4 "
        "--set weight_group=32 --set kv_bits=8\n"
        "  flopsmith memory gpt2 --phase train --set optimizer=adam_mixed --set weight_bits=16 "
        "--set activation_bits=16 --set checkpointing=full");
}

} // namespace flopsmith::app
