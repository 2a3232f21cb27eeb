// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model_cost.h"

namespace flopsmith {

/// The tree of a scenario, computed from the tree of the scenario `before` an edit: only the runs
/// between the first and the last one that differ are computed again. Everything is computed again
/// if runs share parameters, in encoder-decoders and in training, where one pass changes what
/// others have added.
CostTree<Count> updatedCostTree(const Scenario& scenario,
                                PairsRule pairs,
                                const Scenario& before,
                                CostTree<Count> tree);

} // namespace flopsmith
