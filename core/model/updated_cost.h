// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model_cost.h"

namespace flopsmith {

/// The tree of a scenario from that of the scenario `before` an edit, computed by the same rule: only
/// the runs between the first and the last one that differ are computed. All is computed where runs
/// share parameters, in encoder-decoders and in training, whose passes change what others have added.
CostTree<Count> updatedCostTree(const Scenario& scenario,
                                PairsRule pairs,
                                const Scenario& before,
                                CostTree<Count> tree);

} // namespace flopsmith
