// SPDX-License-Identifier: MIT
#include "core/model/model_cost.h"

#include "core/model/cache_cost.h"
#include "core/model/saved_activations.h"
#include "core/model/scenario_cost.h"

#include <array>

namespace flopsmith {

Count packedBytes(Count elements, int bits)
{
    return (elements * bits + 7) / 8;
}

Count storedBytes(Count elements, const WeightFormat& format)
{
    Count bits = elements * format.bits;
    if (format.hasGroups()) {
        bits += (elements + format.group - 1) / format.group * format.groupBits;
    }
    return (bits + 7) / 8;
}

WeightKind weightKind(const CostTree<Count>::Node& operation)
{
    if (operation.routed.any()) {
        return WeightKind::experts;
    }
    if (isEmbedding(operation.place)) {
        return WeightKind::embedding;
    }
    return operation.place == ModelPlace::head ? WeightKind::head : WeightKind::matrices;
}

namespace {

/// Elements of weights, separately for each kind.
class WeightElements
{
public:
    void add(WeightKind matrices, const Count& all, const Count& vectors)
    {
        at(matrices) += all - vectors;
        at(WeightKind::vectors) += vectors;
    }

    Count bytes(const Precision& precision) const
    {
        Count sum = 0;
        for (std::size_t i = 0; i < kWeightKinds; ++i) {
            sum += storedBytes(m_elements[i], precision.format(static_cast<WeightKind>(i)));
        }
        return sum;
    }

private:
    Count& at(WeightKind kind) { return m_elements[static_cast<std::size_t>(kind)]; }

    std::array<Count, kWeightKinds> m_elements{};
};

} // namespace

template void addCost(const Block&, const Pass<Count>&, CostTree<Count>&);
template CostTree<Count> costTree(const Scenario&, PairsRule, const Numbers<Count>&);

CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs)
{
    return costTree<Count>(scenario, pairs, Numbers<Count>{});
}

TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision)
{
    return {.weights = storedBytes(traffic.weights, precision.format(WeightKind::matrices)),
            .read = packedBytes(traffic.read, precision.activationBits),
            .written = packedBytes(traffic.written, precision.activationBits),
            .kvRead = packedBytes(traffic.kvRead, precision.kvBits),
            .kvWritten = packedBytes(traffic.kvWritten, precision.kvBits),
            .gradients = packedBytes(traffic.gradients, precision.bitsOfGradients()),
            .states = packedBytes(traffic.states, kOptimizerStateBits)};
}

TrafficBytes bytes(const CostTree<Count>::Node& operation, const Precision& precision)
{
    const Traffic<Count>& traffic = operation.cost.traffic;
    TrafficBytes moved = bytes(traffic, precision);
    if (!precision.hasOneFormat()) {
        WeightElements weights;
        weights.add(weightKind(operation), traffic.weights, traffic.vectors);
        moved.weights = weights.bytes(precision);
    }
    return moved;
}

TrafficBytes bytes(const CostTree<Count>& tree,
                   int part,
                   const Precision& precision,
                   const Count& uses)
{
    TrafficBytes moved = bytes((uses * tree.total(part)).traffic, precision);
    if (!precision.hasOneFormat()) {
        WeightElements weights;
        tree.forEachOperation(part, [&](const auto& operation, const Count& times) {
            const Traffic<Count>& traffic = operation.cost.traffic;
            weights.add(weightKind(operation),
                        uses * times * traffic.weights,
                        uses * times * traffic.vectors);
        });
        moved.weights = weights.bytes(precision);
    }
    return moved;
}

Count weightBytes(const CostTree<Count>& tree, const Precision& precision)
{
    if (precision.hasOneFormat()) {
        return storedBytes(tree.total().parameters.trainable,
                           precision.format(WeightKind::matrices));
    }
    WeightElements weights;
    tree.forEachOperation(0, [&](const auto& operation, const Count& times) {
        const ParameterCount<Count>& parameters = operation.cost.parameters;
        weights.add(
            weightKind(operation), times * parameters.trainable, times * parameters.vectors);
    });
    return weights.bytes(precision);
}

Count activeParameters(const CostTree<Count>& tree, const Model& model)
{
    Count active = tree.total().parameters.active;
    if (model.head.sharesTable()) {
        return active;
    }
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.node(i).place == ModelPlace::tokenTable) {
            active -= tree.timesUsed(i) * tree.node(i).cost.parameters.active;
        }
    }
    return active;
}

Count kvCacheBytesPerToken(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    return workload.phase == Phase::train
        ? 0
        : packedBytes(cacheOfOneToken(scenario, Numbers<Count>{}).total().traffic.kvWritten,
                      workload.precision.kvBits);
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
