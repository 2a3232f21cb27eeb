// SPDX-License-Identifier: MIT
#include "core/model/model_cost.h"

#include "core/model/scenario_cost.h"

namespace flopsmith {

Count packedBytes(Count elements, int bits)
{
    return (elements * bits + 7) / 8;
}

Count weightBytes(Count elements, const Precision& precision)
{
    Count bits = elements * precision.weightBits;
    if (precision.hasGroups()) {
        const Count groups = (elements + precision.weightGroup - 1) / precision.weightGroup;
        bits += groups * precision.weightGroupBits;
    }
    return (bits + 7) / 8;
}

namespace {

// What a decoder token appends to the cache of every block. Cross-attention's keys and values
// belong to the source's tokens and do not grow. Training caches nothing.
Count cacheElementsPerToken(const Scenario& scenario)
{
    if (scenario.workload.phase == Phase::train) {
        return 0;
    }
    const Numbers<Count> numbers;
    const Pass<Count> pass = passOf(scenario, PairsRule::exact, numbers);
    Count elements = 0;
    for (const BlockRun& run : scenario.model.runs) {
        if (!run.block.isEncoder()) {
            CostTree<Count> tree;
            {
                const auto group = tree.group("mixer", kNormComponent);
                addCost(run.block.activeMixer(), pass, tree);
            }
            elements += Count{run.repeat} * tree.total().traffic.kvWritten;
        }
    }
    return elements / pass.tokens();
}

} // namespace

template void addCost(const Block&, const Pass<Count>&, CostTree<Count>&);
template CostTree<Count> costTree(const Scenario&, PairsRule, const Numbers<Count>&);

CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs)
{
    return costTree<Count>(scenario, pairs, Numbers<Count>{});
}

TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision)
{
    return {.weights = weightBytes(traffic.weights, precision),
            .read = packedBytes(traffic.read, precision.activationBits),
            .written = packedBytes(traffic.written, precision.activationBits),
            .kvRead = packedBytes(traffic.kvRead, precision.kvBits),
            .kvWritten = packedBytes(traffic.kvWritten, precision.kvBits),
            .gradients = packedBytes(traffic.gradients, precision.weightBits),
            .states = packedBytes(traffic.states, kOptimizerStateBits)};
}

Count kvCacheBytesPerToken(const Scenario& scenario)
{
    return packedBytes(cacheElementsPerToken(scenario), scenario.workload.precision.kvBits);
}

OpCount<Count> nominalCount(const CostTree<Count>& tree)
{
    OpCount<Count> nominal;
    if (tree.size() > 0) {
        tree.forEachOperation(0, [&](const CostTree<Count>::Node& operation, const Count& times) {
            const OpCount<Count>& count = operation.cost.count;
            nominal.fft += times * count.fft;
            nominal.cmp += operation.kind == OpKind::selection ? times * count.cmp : Count{0};
        });
    }
    return nominal;
}

} // namespace flopsmith
