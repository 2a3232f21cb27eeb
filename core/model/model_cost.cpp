// SPDX-License-Identifier: MIT
#include "core/model/model_cost.h"

namespace flopsmith {
namespace {

Count packedBytes(Count elements, int bits)
{
    return (elements * bits + 7) / 8;
}

// What a decoder token appends to the cache of every block. Cross-attention's keys and values
// belong to the source's tokens and do not grow.
Count cacheElementsPerToken(const Scenario& scenario)
{
    const Numbers<Count> numbers;
    const Pass<Count> pass = passOf(scenario, PairsRule::exact, numbers);
    Count elements = 0;
    for (const BlockRun& run : scenario.model.runs) {
        if (!run.block.isEncoder()) {
            CostTree<Count> tree;
            {
                const auto group = tree.group("mixer", kNormComponent);
                addCost(run.block.mixer, pass, tree);
            }
            elements += Count{run.repeat} * tree.total().traffic.kvWritten;
        }
    }
    return elements / pass.tokens();
}

} // namespace

CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs)
{
    return costTree<Count>(scenario, pairs, Numbers<Count>{});
}

TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision)
{
    return {.weights = packedBytes(traffic.weights, precision.weightBits),
            .read = packedBytes(traffic.read, precision.activationBits),
            .written = packedBytes(traffic.written, precision.activationBits),
            .kvRead = packedBytes(traffic.kvRead, precision.kvBits),
            .kvWritten = packedBytes(traffic.kvWritten, precision.kvBits)};
}

CostSummary summary(const CostTree<Count>& tree, const Scenario& scenario, LensId lens)
{
    const Cost<Count> total = tree.total();
    const Precision& precision = scenario.workload.precision;
    return {.flops = priced(lens, total.count),
            .macs = total.count.mac,
            .parameters = total.parameters.trainable,
            .activeParameters = total.parameters.active,
            .fixedParameters = total.parameters.fixed,
            .weightBytes = packedBytes(total.parameters.trainable, precision.weightBits),
            .savedActivationBytes = packedBytes(total.saved, precision.activationBits),
            .kvCacheBytesPerToken = packedBytes(cacheElementsPerToken(scenario), precision.kvBits)};
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

std::vector<std::string> uncounted(const CostTree<Count>& tree, LensId lens)
{
    std::vector<std::string> paths;
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.node(i).kind != OpKind::group && isBlindTo(lens, tree.node(i).cost.count)) {
            paths.push_back(tree.path(i));
        }
    }
    return paths;
}

} // namespace flopsmith
