// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/formula.h"

#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/formula/legend.h"

namespace flopsmith::app {
namespace {

struct FormulaOptions
{
    ModelOptions model;
    std::string part;
    std::vector<std::string> simplify;
    std::string format = "text";
    bool legend = true;
    std::string target;
};

// The formula in the first line; behind a blank one, what its letters mean.
std::string written(const Formula& formula, const FormulaOptions& options)
{
    const bool isLatex = options.format == "latex";
    const std::string text = (isLatex ? formula.latex : formula.text) + "\n";
    const std::string legend = isLatex ? legendLatex(formula) : legendText(formula);
    return options.legend && !legend.empty() ? text + "\n" + legend : text;
}

Outcome formula(const FormulaOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const Result<Formula> found =
        formulaOf(asked->scenario, options.part, asked->lens, options.simplify, asked->pairs);
    if (!found) {
        return Outcome::badInput(found.error());
    }
    return {.text = written(*found, options), .target = options.target, .notes = asked->notes};
}

} // namespace

void addFormula(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<FormulaOptions>();
    const ArgumentParser command =
        program.addCommand("formula", "The cost of a part of a model as a formula");
    options->model.addTo(command);
    options->model.addLensTo(command);
    command
        .addOption("--part",
                   options->part,
                   "block, attention, ffn/spectral, blocks[3]/ffn, head, \xE2\x80\xA6; without "
                   "it the whole model")
        .typeName("PATH");
    command
        .addOption("--simplify",
                   options->simplify,
                   "Equations that hold for this model and are put in, as f=4d")
        .typeName("A=B")
        .oneValuePerUse();
    command.addOption("--format", options->format, "text or latex")
        .oneOf({"text", "latex"})
        .typeName("NAME")
        .showDefault();
    command.addFlag("--legend,!--no-legend",
                    options->legend,
                    "What each letter means and its value, below the formula (the default)");
    command.addOption("-o,--output", options->target, "Write to this file").typeName("FILE");
    command.callback([options, &chosen] { chosen = [options] { return formula(*options); }; });
    command.footer("Example: flopsmith formula gpt2 --part block --simplify f=4d --lens matmul");
}

} // namespace flopsmith::app
