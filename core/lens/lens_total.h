// SPDX-License-Identifier: MIT
#pragma once

#include "core/lens/lens_formula.h"
#include "core/model/model_cost.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// The sizes that formulas take from the scenario's model, all query-key pairs charged.
FormulaSizes<Count> formulaSizes(const Scenario& scenario);

/// What a lens that is a formula says of one pass.
Count formulaFigure(const Scenario& scenario, LensId id);

/// What a lens says of a whole model, whether it prices operations or is a formula.
struct LensTotal
{
    Count forward = 0; ///< one pass of the workload
    /// One training step on the same tokens as the lens's authors reckon it, if they do.
    std::optional<Count> training{};
    FormulaTerms<Count> terms{}; ///< of a formula; they sum to `forward`
    /// What the lens misses or takes differently in this model, a sentence each.
    std::vector<std::string> remarks{};
};

LensTotal lensTotal(const Scenario& scenario, LensId id);

/// The same of a tree that was computed with other query-key pairs than the lens's own. A formula
/// has its pairs built in.
LensTotal lensTotal(const Scenario& scenario, LensId id, const CostTree<Count>& tree);

} // namespace flopsmith
