// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model_cost.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// What one sees first of a model.
struct CostSummary
{
    std::optional<Count> flops{}; ///< under the lens, if it defines any for the phase
    Count macs = 0; ///< multiply-add pairs under the lens's pairs rule
    Count parameters = 0; ///< trainable; shared matrices once, buffers not
    Count activeParameters = 0; ///< of them, those that multiply for one token
    Count fixedParameters = 0; ///< stored but not trained: bases, signs, index lists
    Count weightBytes = 0; ///< of the trainable ones
    /// That a training forward keeps for the backward pass, besides the input of each mixer and FFN.
    Count savedActivationBytes = 0;
    Count kvCacheBytesPerToken = 0;
};

CostSummary summary(const CostTree<Count>& tree, const Scenario& scenario, LensId lens);

/// The first of these alone, for a sweep that asks for no more: of a tree whose operations sum up to
/// `total`.
std::optional<Count> lensFigure(const Scenario& scenario,
                                LensId id,
                                const CostTree<Count>& tree,
                                const OpCount<Count>& total);

/// Paths of operations that the lens prices at nothing, or has no term for, although they execute
/// something.
std::vector<std::string> uncounted(const CostTree<Count>& tree, LensId lens);

} // namespace flopsmith
