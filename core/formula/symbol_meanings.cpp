// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/symbol_meanings.h"

#include "core/formula/symbol_names.h"

namespace flopsmith {

SymbolMeanings::SymbolMeanings(const Scenario& scenario)
    : m_scenario(scenario)
    , m_parameters(allParameters(scenario))
{}

// The meaning from the cost formula, or otherwise the help of the parameter.
std::string SymbolMeanings::meaningOf(const SizeSymbol& size) const
{
    if (!size.meaning.empty()) {
        return size.meaning;
    }
    std::string meaning;
    for (const Parameter& parameter : m_parameters) {
        if (parameter.text.symbol != size.base) {
            continue;
        }
        if (parameter.value(m_scenario) == FieldValue(size.value)) {
            return std::string(parameter.text.help);
        }
        meaning = meaning.empty() ? std::string(parameter.text.help) : meaning;
    }
    return meaning;
}

std::vector<FormulaSymbol> SymbolMeanings::explained(const std::vector<SizeSymbol>& sizes) const
{
    std::vector<FormulaSymbol> symbols;
    symbols.reserve(sizes.size());
    for (const SizeSymbol& size : sizes) {
        symbols.push_back({.name = size.name,
                           .latex = latexName(size.name),
                           .meaning = meaningOf(size),
                           .value = size.value,
                           .base = size.base});
    }
    return symbols;
}

std::vector<FormulaSymbol> SymbolMeanings::explained(const std::vector<SummedSymbol>& summed) const
{
    std::vector<SizeSymbol> sizes;
    sizes.reserve(summed.size());
    for (const SummedSymbol& symbol : summed) {
        sizes.push_back(symbol.size);
    }
    std::vector<FormulaSymbol> symbols = explained(sizes);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        symbols[i].values = summed[i].values;
    }
    return symbols;
}

void nameBlocks(const Model& model, SymbolTable& table)
{
    table.rename("L", model.runs.size() > 1 ? "N" : "L");
}

bool isNominal(LensId lens, const CostTree<Count>::Node& operation)
{
    return operation.cost.count.fft > 0 && !isBlindTo(lens, operation);
}

} // namespace flopsmith
