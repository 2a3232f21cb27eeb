// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/json/json_text.h"

namespace flopsmith::app {
namespace {

struct CostOptions
{
    ModelOptions model;
    OutputOptions output;
};

Outcome cost(const CostOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const CostReport report = costReport(asked->scenario, asked->lens, asked->pairs);
    Outcome outcome;
    if (options.output.isJson()) {
        outcome = options.output.of(jsonText(costJson(report), 2) + "\n");
    } else {
        Table table = costTable(report);
        if (options.output.isForPeople()) {
            table.caption = costHeadline(report);
        }
        outcome = options.output.of(table);
    }
    outcome.notes = asked->notes;
    return outcome;
}

} // namespace

void addCost(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<CostOptions>();
    const ArgumentParser command = program.addCommand(
        "cost", "What a forward pass or a training step of a model costs, part by part");
    options->model.addTo(command);
    options->model.addLensTo(command);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return cost(*options); }; });
    command.footer("Example: flopsmith cost gpt2 --seq 1024 --lens matmul --format json");
}

} // namespace flopsmith::app
