// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// before + σ(g) ⊙ stage; `before` may be null, g has one value or one per channel.
Tensor* gatedSum(Plan& plan, Tensor* before, Tensor* stage, Tensor* gate)
{
    Tensor* const y = plan.tensor(stage->rows, stage->columns);
    const Index d = stage->columns;
    const Index width = gate->columns;
    const Matrix rest = valuesOf(before);
    const Matrix values = valuesOf(stage);
    const Matrix dy = gradientOf(y);
    const float* const gates = gate->values;
    const auto open = [=] __device__(Index column) {
        return sigmoid(gates[width > 1 ? column : 0]);
    };
    fill(plan, y, [=] __device__(Index row, Index column) {
        const float from = rest.first == nullptr ? 0.0F : rest(row, column);
        return fmaf(open(column), values(row, column), from);
    });
    addGradient(plan, before, [=] __device__(Index row, Index column) { return dy(row, column); });
    addGradient(plan, stage, [=] __device__(Index row, Index column) {
        return open(column) * dy(row, column);
    });
    // Of one gate all elements are rows of one column.
    sumIntoGradient(plan, gate, stage->rows * d / width, [=] __device__(Index i, Index column) {
        const Index at = i * width + column;
        const float share = dy(at / d, at % d) * values(at / d, at % d);
        return share * open(column) * (1.0F - open(column));
    });
    return y;
}

// m ⊙ x/(1 − p). The mask depends on the seed alone, so it is drawn once.
Tensor* dropped(Plan& plan, const ComposedFfn& ffn, Tensor* x)
{
    const DropoutMask mask(ffn);
    std::vector<float> factors(static_cast<std::size_t>(x->elements()));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] = static_cast<float>(mask.factor(i));
    }
    Tensor* const y = plan.tensor(x->rows, x->columns);
    const Matrix factor{const_cast<float*>(plan.copied(factors)), x->columns};
    const Matrix from = valuesOf(x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index column) {
        return factor(row, column) * from(row, column);
    });
    addGradient(plan, x, [=] __device__(Index row, Index column) {
        return factor(row, column) * dy(row, column);
    });
    return y;
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
            z = gatedSum(plan, z, y, plan.columns(in.weights[0], width * gate++, width));
        } else {
            z = z == nullptr ? y : sumOf(plan, z, y);
        }
        weights = weights.subspan(count);
    }
    Tensor* const y = sequential ? sumOf(plan, z, in.x, -1.0F) : z;
    return ffn.drops() && plan.learns() ? dropped(plan, ffn, y) : y;
}

} // namespace flopsmith::cuda
