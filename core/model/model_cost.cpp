// SPDX-License-Identifier: MIT
#include "core/model/model_cost.h"

#include "core/model/lens_total.h"

namespace flopsmith {
namespace {

Count packedBytes(Count elements, int bits)
{
    return (elements * bits + 7) / 8;
}

// One of many points of a sweep: as little as the lens allows.
Count lensFigure(const Scenario& scenario,
                 LensId id,
                 const CostTree<Count>& tree,
                 const OpCount<Count>& total)
{
    if (pricesCountsAlone(id)) {
        return priced(id, total);
    }
    return lens(id).isFormula() ? formulaFigure(scenario, id) : pricedPart(id, tree, 0);
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
    const Count tokens = Count{scenario.workload.batch} * scenario.workload.queryTokens();
    const Precision& precision = scenario.workload.precision;
    return {.flops = lensFigure(scenario, lens, tree, total.count),
            .macs = total.count.mac,
            .parameters = total.parameters.trainable,
            .activeParameters = total.parameters.active,
            .fixedParameters = total.parameters.fixed,
            .weightBytes = packedBytes(total.parameters.trainable, precision.weightBits),
            .savedActivationBytes = packedBytes(total.saved, precision.activationBits),
            .kvCacheBytesPerToken =
                packedBytes(total.traffic.kvWritten / tokens, precision.kvBits)};
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
        if (isBlindTo(lens, tree.node(i))) {
            paths.push_back(tree.path(i));
        }
    }
    return paths;
}

} // namespace flopsmith
