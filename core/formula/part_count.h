// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/formula/formula.h"
#include "core/formula/symbolic_numbers.h"

#include <ginac/ginac.h>

#include <functional>

namespace flopsmith {

/// What a formula counts of a part, in letters and in numbers: its FLOPs under a lens, its parameters.
struct PartCount
{
    std::function<GiNaC::ex(const CostTree<GiNaC::ex>& tree, int part)> inLetters;
    std::function<Count(const CostTree<Count>& tree, int part)> inNumbers;
};

/// What a lens that prices operations charges.
PartCount chargedBy(LensId lens);

/// The same tree in letters and in numbers.
struct CountedTrees
{
    const CostTree<GiNaC::ex>& letters;
    const CostTree<Count>& numbers;
};

/// Writes a formula of a part as text: its letters named and explained, its value counted. A whole
/// model of many different blocks gets sums over its runs, unless the formula was simplified.
Formula writtenFormula(const Scenario& scenario,
                       const PartCount& count,
                       const CountedTrees& trees,
                       int part,
                       const GiNaC::ex& formula,
                       const SymbolTable& table,
                       bool isSimplified = false);

} // namespace flopsmith
