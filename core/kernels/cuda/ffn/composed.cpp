// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// m ⊙ x/(1 − p). The mask depends on the seed alone, so it is drawn once.
Tensor* dropped(Plan& plan, const ComposedFfn& ffn, Tensor* x)
{
    const DropoutMask mask(ffn);
    std::vector<float> factors(static_cast<std::size_t>(x->elements()));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] = static_cast<float>(mask.factor(i));
    }
    return weightedSum(plan, nullptr, x, plan.constant(factors, x->columns));
}

} // namespace

Tensor* planFfn(Plan& plan, const ComposedFfn& ffn, const FfnInput& in)
{
    if (ffn.stages.empty()) {
        return zeros(plan, in.x->rows, in.x->columns);
    }
    const bool sequential = ffn.mode == CompositionMode::sequential;
    const bool gated = ffn.gate != GateKind::none;
    const Index width = ffn.gate == GateKind::channel ? in.dModel() : 1;
    Tensors weights = gated ? in.weights.subspan(1) : in.weights;
    Tensor* z = sequential ? in.x : nullptr;
    Index gate = 0;
    for (const FfnStage& stage : ffn.stages) {
        const std::size_t count = flopsmith::weights(stage.spec, in.dModel()).size();
        Tensor* const from = sequential ? z : in.x;
        Tensor* const y = planFfn(plan, stage.spec, {from, weights.subspan(0, count), in.sequence});
        if (gated) {
            Tensor* const gates = plan.columns(in.weights[0], width * gate++, width);
            z = weightedSum(plan, z, y, sigmoids(plan, gates));
        } else {
            z = z == nullptr ? y : sumOf(plan, z, y);
        }
        weights = weights.subspan(count);
    }
    Tensor* const y = sequential ? sumOf(plan, z, in.x, -1.0F) : z;
    return ffn.drops() && plan.learns() ? dropped(plan, ffn, y) : y;
}

} // namespace flopsmith::cuda
