// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/block_cost.h"
#include "core/model/forward_cost.h"
#include "core/model/model_cost.h"
#include "core/model/training_cost.h"

namespace flopsmith {

template <class N>
CostTree<N> costTree(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    CostTree<N> tree;
    const ModelPasses<N> passes = passesOf(scenario, pairs, numbers);
    if (scenario.workload.phase == Phase::train) {
        addTrainingCost(scenario, passes, tree);
    } else {
        addCost(scenario.model, passes, tree);
    }
    return tree;
}

} // namespace flopsmith
