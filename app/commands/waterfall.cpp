// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/io/reports/lens_tables.h"

namespace flopsmith::app {
namespace {

struct WaterfallOptions
{
    ModelOptions model;
    OutputOptions output;
    std::string from = "matmul";
    std::string to = "exact";
};

Outcome waterfall(const WaterfallOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const LensId from = lensNamed(options.from).value_or(LensId::matmul);
    const LensId to = lensNamed(options.to).value_or(LensId::exact);
    for (const LensId id : {from, to}) {
        if (const Status defined = lensIsDefined(id, asked->scenario.workload); !defined.ok()) {
            return Outcome::badInput(defined.error());
        }
    }
    const Waterfall fall = flopsmith::waterfall(asked->scenario, from, to);
    Outcome outcome = options.output.of(options.output.isExact()
                                            ? waterfallTable(fall, asked->scenario)
                                            : waterfallTableForPeople(fall, asked->scenario));
    outcome.notes = asked->notes;
    for (const LensId id : {from, to}) {
        for (const std::string& remark : lensTotal(asked->scenario, id).remarks) {
            outcome.notes.push_back(std::string(lens(id).name) + ": " + remark);
        }
    }
    return outcome;
}

} // namespace

void addWaterfall(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<WaterfallOptions>();
    const ArgumentParser command =
        program.addCommand("waterfall", "What two conventions of counting differ in, item by item");
    options->model.addTo(command);
    addLensOption(command, "--from", options->from, "The lens to start from").showDefault();
    addLensOption(command, "--to", options->to, "The lens to end at").showDefault();
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return waterfall(*options); }; });
    command.footer("The amounts add up exactly.\n"
                   "Example: flopsmith waterfall gpt2 --seq 1024 --from matmul --to exact");
}

} // namespace flopsmith::app
