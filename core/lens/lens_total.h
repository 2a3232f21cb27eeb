// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lens/lens_formula.h"
#include "core/model/model_cost.h"
#include "core/model/model_passes.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// The scenario, or the forward pass alone if it is a training step: the source of sizes for
/// formulas.
Scenario forwardPass(const Scenario& scenario);

/// The sizes that formulas take from the scenario's model, all query-key pairs charged.
FormulaSizes<Count> formulaSizes(const Scenario& scenario);

/// The terms of a lens that is a formula, in formula numbers.
template <class N>
FormulaTerms<N> formulaTerms(const Scenario& scenario, LensId id, const Numbers<N>& numbers)
{
    const Scenario forward = forwardPass(scenario);
    const FormulaSizes<N> sizes = formulaSizes(costTree<N>(forward, PairsRule::full, numbers),
                                               passOf(forward, PairsRule::full, numbers),
                                               forward.model.embedding.vocab);
    return formulaTerms(id, sizes, scenario.workload.phase);
}

/// The figure of a lens that is a formula, if it is defined for the scenario.
std::optional<Count> formulaFigure(const Scenario& scenario, LensId id);

/// An error if the lens defines nothing for the scenario's phase: "yu defines no training step; …".
Status lensIsDefined(LensId id, const Workload& workload);

/// A lens's figure for a whole model, whether it prices operations or is a formula.
struct LensTotal
{
    /// Of the workload: one pass, or one training step. Empty where the lens defines none.
    std::optional<Count> figure{};
    /// One training step on the same tokens as the lens's authors reckon it, if they do.
    std::optional<Count> training{};
    FormulaTerms<Count> terms{}; ///< of a formula; they sum to `figure`
    /// What the lens misses or counts differently in this model, one sentence each.
    std::vector<std::string> remarks{};
};

LensTotal lensTotal(const Scenario& scenario, LensId id);

/// The same of a tree that was computed with other query-key pairs than the lens's own. A formula
/// has its pairs built in.
LensTotal lensTotal(const Scenario& scenario, LensId id, const CostTree<Count>& tree);

} // namespace flopsmith
