// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/formula/block_sums.h"
#include "core/formula/formula.h"
#include "core/formula/symbolic_numbers.h"
#include "core/model/model.h"
#include "core/parameter/parameter_table.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The meanings of the letters in a scenario's formulas.
class SymbolMeanings
{
public:
    /// The scenario must outlive the object.
    explicit SymbolMeanings(const Scenario& scenario);

    std::vector<FormulaSymbol> explained(const std::vector<SizeSymbol>& sizes) const;
    std::vector<FormulaSymbol> explained(const std::vector<SummedSymbol>& summed) const;

private:
    std::string meaningOf(const SizeSymbol& size) const;

    const Scenario& m_scenario;
    std::vector<Parameter> m_parameters;
};

/// Cost formulas call the number of blocks in a run L, the parameter table N. It stays L only if
/// one run has all blocks.
void nameBlocks(const Model& model, SymbolTable& table);

/// Whether the price of the operation holds nominal FFTs.
bool isNominal(LensId lens, const CostTree<Count>::Node& operation);

} // namespace flopsmith
