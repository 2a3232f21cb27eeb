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

/// What the letters of a scenario's formulas mean.
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

/// The blocks of a run, which the cost formulas write as L, are N in the parameter table; only where
/// one run has all blocks are they its L.
void nameBlocks(const Model& model, SymbolTable& table);

/// Whether the price of the operation holds nominal FFTs.
bool isNominal(LensId lens, const CostTree<Count>::Node& operation);

} // namespace flopsmith
