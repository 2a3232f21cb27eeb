// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model_cost.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// The headline figures of a model.
struct CostSummary
{
    std::optional<Count> flops{}; ///< under the lens, if it defines any for the phase
    Count macs = 0; ///< multiply-add pairs under the lens's pairs rule
    Count parameters = 0; ///< trainable; shared matrices once, buffers not
    Count activeParameters = 0; ///< the part of them that multiplies for one token
    Count fixedParameters = 0; ///< stored but not trained: bases, signs, index lists
    Count weightBytes = 0; ///< of the trainable parameters
    /// That a training forward keeps for the backward pass, besides the input of each mixer and FFN.
    Count savedActivationBytes = 0;
    Count kvCacheBytesPerToken = 0;
};

CostSummary summary(const CostTree<Count>& tree, const Scenario& scenario, LensId lens);

/// Only the lens's figure, for a sweep that needs nothing else; the tree's operations add up to
/// `total`.
std::optional<Count> lensFigure(const Scenario& scenario,
                                LensId id,
                                const CostTree<Count>& tree,
                                const OpCount<Count>& total);

/// Paths of operations that execute something, but to which the lens gives no price or no term.
std::vector<std::string> uncounted(const CostTree<Count>& tree, LensId lens);

} // namespace flopsmith
