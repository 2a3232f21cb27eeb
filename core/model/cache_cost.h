// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/mixer/mixer.h"
#include "core/model/model.h"
#include "core/model/model_passes.h"

namespace flopsmith {

/// What one more token appends to the caches of the decoder blocks: their mixers for a pass of one
/// token, "blocks[i]" for each run; `traffic.kvWritten` are the elements. Keys and values of
/// cross-attention belong to the source's tokens and do not grow, nor do states.
template <class N>
CostTree<N> cacheOfOneToken(const Scenario& scenario, const Numbers<N>& numbers)
{
    Pass<N> pass = passOf(scenario, PairsRule::full, numbers);
    pass.batch = pass.sequence = pass.context = N(1);
    pass.batchValue = pass.sequenceValue = pass.contextValue = 1;
    CostTree<N> tree;
    const auto root = tree.group("model", kNormComponent);
    int firstBlock = 0;
    for (const BlockRun& run : scenario.model.runs) {
        if (!run.block.isEncoder() && !keepsState(run.block.activeMixer())) {
            const auto blocks = tree.group(
                "blocks", kNormComponent, firstBlock, numbers("L", run.repeat, "blocks"));
            addCost(run.block.activeMixer(), pass, tree);
        }
        firstBlock += run.repeat;
    }
    return tree;
}

} // namespace flopsmith
