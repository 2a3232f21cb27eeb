// SPDX-License-Identifier: MIT
#include "core/model/saved_activations.h"

namespace flopsmith {

const Block* largestBlock(const Scenario& scenario)
{
    const Numbers<Count> numbers;
    const ModelPasses<Count> passes = passesOf(scenario, PairsRule::full, numbers);
    const Block* largest = nullptr;
    Count most = 0;
    for (const BlockRun& run : scenario.model.runs) {
        const Count saved = savedByBlock(run.block, passOf(run.block, passes)).sum();
        if (saved > most) {
            most = saved;
            largest = &run.block;
        }
    }
    return largest;
}

} // namespace flopsmith
