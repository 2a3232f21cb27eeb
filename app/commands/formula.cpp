// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/formula.h"

#include "app/commands/commands.h"
#include "app/options/options.h"
#include "core/formula/derivation_text.h"
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
    bool steps = false;
    std::string target;
};

bool isLatex(const FormulaOptions& options)
{
    return options.format == "latex";
}

// The meanings of the letters, after a blank line.
std::string withLegend(const std::string& text, const Formula& of, const FormulaOptions& options)
{
    const std::string legend = isLatex(options) ? legendLatex(of) : legendText(of);
    return options.legend && !legend.empty() ? text + "\n" + legend : text;
}

std::string written(const Formula& formula, const FormulaOptions& options)
{
    return withLegend((isLatex(options) ? formula.latex : formula.text) + "\n", formula, options);
}

Outcome steps(const FormulaOptions& options, const Asked& asked)
{
    if (!options.part.empty() || !options.simplify.empty()) {
        return Outcome::badInput(
            Error{"--steps derives the cost of the whole model as it is; leave "
                  "--part and --simplify out"});
    }
    const Result<Derivation> derived = derivationOf(asked.scenario, asked.lens, asked.pairs);
    if (!derived) {
        return Outcome::badInput(derived.error());
    }
    const std::string text =
        isLatex(options) ? derivationLatex(*derived) : derivationText(*derived);
    return {.text = withLegend(text, {.symbols = symbolsOf(*derived)}, options),
            .target = options.target,
            .notes = asked.notes};
}

Outcome formula(const FormulaOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    if (options.steps) {
        return steps(options, *asked);
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
    command.addFlag("--steps",
                    options->steps,
                    "Derive the cost of the whole model step by step, each with its reason");
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
