// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/derivation_text.h"

#include "core/base/text.h"

#include <string_view>

namespace flopsmith {
namespace {

std::string valueText(const DerivationStep& step, const std::string& unit)
{
    return groupedDigits(step.formula.value) + " " + unit;
}

// Nominal transforms make the value a rounded one, which the numbers do not yield.
bool isRounded(const DerivationStep& step)
{
    return step.formula.nominal && step.role == DerivationRole::line;
}

std::string stepText(const DerivationStep& step, std::size_t number, const std::string& unit)
{
    const std::string mark = std::to_string(number) + ". ";
    const std::string indent(mark.size(), ' ');
    std::string text = mark + step.title + "\n" + indent + step.formula.text + "\n";
    if (step.simplified) {
        text += indent + "= " + step.simplified->text + "   (" + step.given + ")\n";
    }
    return text + indent + "= " + step.formula.numbers + "\n" + indent
        + (isRounded(step) ? "\xE2\x89\x88 " : "= ") + valueText(step, unit) + "\n" + indent
        + step.reason + "\n";
}

// The few characters of titles and reasons that LaTeX reads otherwise.
std::string latexText(std::string_view text)
{
    std::string latex;
    for (const char c : text) {
        if (c == '&' || c == '%' || c == '$' || c == '#' || c == '_') {
            latex += '\\';
        }
        latex += c;
    }
    return latex;
}

std::string latexStep(const DerivationStep& step, const std::string& unit)
{
    std::string text = "\\item \\textbf{" + latexText(step.title) + "}: $" + step.formula.latex;
    if (step.simplified) {
        text += " = " + step.simplified->latex;
    }
    text += (isRounded(step) ? " \\approx " : " = ") + digits(step.formula.value) + "$ " + unit;
    if (step.simplified) {
        text += " (" + latexText(step.given) + ")";
    }
    return text + ". " + latexText(step.reason) + "\n";
}

} // namespace

std::string derivationText(const Derivation& derivation)
{
    std::string text;
    for (std::size_t i = 0; i < derivation.steps.size(); ++i) {
        text += (i == 0 ? "" : "\n") + stepText(derivation.steps[i], i + 1, derivation.unit);
    }
    return text;
}

std::string derivationLatex(const Derivation& derivation)
{
    std::string text = "\\begin{enumerate}\n";
    for (const DerivationStep& step : derivation.steps) {
        text += latexStep(step, derivation.unit);
    }
    return text + "\\end{enumerate}\n";
}

} // namespace flopsmith
