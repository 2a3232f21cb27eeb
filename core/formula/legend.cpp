// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/legend.h"

#include <algorithm>

namespace flopsmith {
namespace {

std::string meaningOf(const FormulaSymbol& symbol)
{
    return symbol.meaning.empty() ? "a size of this model" : symbol.meaning;
}

std::string valueOf(const FormulaSymbol& symbol)
{
    return symbol.values.empty() ? digits(symbol.value) : symbol.values;
}

// The meanings are plain ASCII: formulas spell Greek letters out.
std::string escaped(const std::string& text)
{
    std::string latex;
    for (const char c : text) {
        switch (c) {
        case '\\': latex += "\\textbackslash{}"; break;
        case '^': latex += "\\textasciicircum{}"; break;
        case '~': latex += "\\textasciitilde{}"; break;
        case '_':
        case '%':
        case '&':
        case '#':
        case '$':
        case '{':
        case '}': latex += '\\'; [[fallthrough]];
        default: latex += c;
        }
    }
    return latex;
}

} // namespace

std::string legendText(const Formula& formula)
{
    std::size_t widest = 0;
    for (const FormulaSymbol& symbol : formula.symbols) {
        widest = std::max(widest, symbol.name.size());
    }
    std::string text;
    for (const FormulaSymbol& symbol : formula.symbols) {
        text += "  " + symbol.name + std::string(widest - symbol.name.size(), ' ') + " = "
            + meaningOf(symbol) + " = " + valueOf(symbol) + "\n";
    }
    return text;
}

std::string legendLatex(const Formula& formula)
{
    if (formula.symbols.empty()) {
        return "";
    }
    std::string text = "\\begin{tabular}{lll}\n";
    for (const FormulaSymbol& symbol : formula.symbols) {
        text += "$" + symbol.latex + "$ & $=$ " + escaped(meaningOf(symbol))
            + " & $= " + escaped(valueOf(symbol)) + "$ \\\\\n";
    }
    return text + "\\end{tabular}\n";
}

} // namespace flopsmith
