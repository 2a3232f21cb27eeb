// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/transforms.h"

#include "core/base/numbers.h"
#include "core/kernels/cpu/fft/fft_plan.h"

namespace flopsmith::bench {
namespace {

// One transform of the kind that a node of the cost tree consists of, and its nominal operations.
struct OneTransform
{
    Result<cpu::FftOperations> operations;
    Count nominal;
};

// Along the tokens of a sequence transforms are complex, along the features of a token real.
OneTransform transformOf(const CostTree<Count>::Node& node, const Operation& operation)
{
    if (node.name == "token_fft") {
        return {cpu::fftwComplexPlanOperations(operation.sequence),
                nominalComplexFft(operation.sequence)};
    }
    return {cpu::fftwPlanOperations(operation.dModel, 1), nominalRealFft(operation.dModel)};
}

} // namespace

std::optional<PlannedTransforms> plannedTransforms(const Operation& operation)
{
    PlannedTransforms sum;
    bool any = false;
    const CostTree<Count> tree = costTree(operation);
    for (const auto& node : tree.nodes()) {
        if (node.cost.count.fft == 0) {
            continue;
        }
        const OneTransform one = transformOf(node, operation);
        if (!one.operations || one.nominal == 0) {
            return std::nullopt;
        }
        const double transforms = toDouble(node.cost.count.fft) / toDouble(one.nominal);
        sum.adds += transforms * one.operations->adds;
        sum.muls += transforms * one.operations->muls;
        sum.fusedMultiplyAdds += transforms * one.operations->fusedMultiplyAdds;
        any = true;
    }
    return any ? std::optional(sum) : std::nullopt;
}

} // namespace flopsmith::bench
