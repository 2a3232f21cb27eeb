// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/math_text.h"

#include "core/formula/symbol_names.h"

#include <algorithm>

namespace flopsmith {
namespace {

bool isDigitChar(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigitChar(c);
}

// The longest beginning of which all characters are of a kind; it is taken off the text.
template <class Kind>
std::string_view takenWhile(std::string_view& text, Kind isOfKind)
{
    const auto end = std::find_if_not(text.begin(), text.end(), isOfKind);
    const std::string_view taken =
        text.substr(0, static_cast<std::size_t>(std::distance(text.begin(), end)));
    text.remove_prefix(taken.size());
    return taken;
}

// Four digits stay together.
std::string withGroups(std::string_view digits, std::string_view between)
{
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && digits.size() > 4 && (digits.size() - i) % 3 == 0) {
            grouped += between;
        }
        grouped += digits[i];
    }
    return grouped;
}

constexpr std::string_view kSumName = "sum_"; // "sum_i(…)"

std::string htmlWord(std::string_view word)
{
    if (word == "mu") {
        return "<i>\xCE\xBC</i>";
    }
    const bool isVariable = word.size() == 1 || word == "ff";
    return isVariable && !isDigitChar(word.front()) ? "<i>" + std::string(word) + "</i>"
                                                    : std::string(word);
}

// "s_mu_2" has the subscript "μ,2"; "f" is d with the subscript ff, as papers write it.
std::string htmlName(std::string_view name)
{
    if (name == "log2") {
        return "log<sub>2</sub>";
    }
    if (name.substr(0, kSumName.size()) == kSumName) {
        return "\xCE\xA3<sub>" + htmlWord(name.substr(kSumName.size())) + "</sub>";
    }
    std::size_t end = std::min(name.find('_'), name.size());
    const bool isHidden = name.substr(0, end) == "f";
    const std::string letter = isHidden ? "<i>d</i>" : htmlWord(name.substr(0, end));
    std::string below = isHidden ? "<i>ff</i>" : "";
    while (end < name.size()) {
        name.remove_prefix(end + 1);
        end = std::min(name.find('_'), name.size());
        below += (below.empty() ? "" : ",") + htmlWord(name.substr(0, end));
    }
    return below.empty() ? letter : letter + "<sub>" + below + "</sub>";
}

std::string latexWord(std::string_view name)
{
    if (name == "log2") {
        return "\\log_2";
    }
    return name.substr(0, kSumName.size()) == kSumName
        ? "\\sum_{" + std::string(name.substr(kSumName.size())) + "}"
        : latexName(name);
}

/// How a kind of text spells the parts of a formula.
struct MathSpelling
{
    std::string_view digitGap;
    std::string (*name)(std::string_view name);
    std::string_view beforePower;
    std::string_view afterPower;
    std::string_view times;
    std::string_view minus;
};

std::string spelled(std::string_view formula, const MathSpelling& spelling)
{
    std::string text;
    while (!formula.empty()) {
        const char c = formula.front();
        if (isDigitChar(c)) {
            text += withGroups(takenWhile(formula, isDigitChar), spelling.digitGap);
        } else if (isNameChar(c)) {
            text += spelling.name(takenWhile(formula, isNameChar));
        } else {
            formula.remove_prefix(1);
            if (c == '^') {
                text += std::string(spelling.beforePower)
                    + std::string(takenWhile(formula, isDigitChar))
                    + std::string(spelling.afterPower);
            } else if (c == '*' || c == '-') {
                text += c == '*' ? spelling.times : spelling.minus;
            } else {
                text += c; // blanks, +, / and parentheses
            }
        }
    }
    return text;
}

} // namespace

std::string mathHtml(std::string_view formula)
{
    return spelled(formula,
                   {.digitGap = "\xE2\x80\xAF",
                    .name = htmlName,
                    .beforePower = "<sup>",
                    .afterPower = "</sup>",
                    .times = "\xE2\x80\xAF\xC2\xB7 ", // a line may break after the dot
                    .minus = "\xE2\x88\x92"});
}

std::string mathLatex(std::string_view formula)
{
    return spelled(formula,
                   {.digitGap = "\\,",
                    .name = latexWord,
                    .beforePower = "^{",
                    .afterPower = "}",
                    .times = " \\cdot ",
                    .minus = "-"});
}

} // namespace flopsmith
