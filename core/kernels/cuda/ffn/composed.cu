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
    const std::int64_t d = stage->columns;
    const std::int64_t perChannel = gate->columns > 1 ? 1 : 0;
    const float* const from = before == nullptr ? nullptr : before->values;
    const float* const values = stage->values;
    const float* const g = gate->values;
    const float* const dy = y->gradient;
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * d + column;
        const float rest = from == nullptr ? 0.0F : from[at];
        return fmaf(sigmoid(g[column * perChannel]), values[at], rest);
    });
    addGradient(plan, before, [=] __device__(std::int64_t row, std::int64_t column) {
        return dy[row * d + column];
    });
    addGradient(plan, stage, [=] __device__(std::int64_t row, std::int64_t column) {
        return sigmoid(g[column * perChannel]) * dy[row * d + column];
    });
    // Of one gate all elements are rows of one column.
    const std::int64_t rows = stage->elements() / gate->columns;
    const std::int64_t width = gate->columns;
    sumIntoGradient(plan, gate, rows, [=] __device__(std::int64_t row, std::int64_t column) {
        const std::int64_t at = row * width + column;
        const float open = sigmoid(g[column]);
        return dy[at] * values[at] * open * (1.0F - open);
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
    const float* const factor = plan.copied(factors);
    const float* const from = x->values;
    const float* const dy = y->gradient;
    const std::int64_t d = x->columns;
    fill(plan, y, [=] __device__(std::int64_t row, std::int64_t column) {
        return factor[row * d + column] * from[row * d + column];
    });
    addGradient(plan, x, [=] __device__(std::int64_t row, std::int64_t column) {
        return factor[row * d + column] * dy[row * d + column];
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
    const std::int64_t width = ffn.gate == GateKind::channel ? in.dModel() : 1;
    Tensors weights = gated ? in.weights.subspan(1) : in.weights;
    Tensor* z = sequential ? in.x : nullptr;
    std::int64_t gate = 0;
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
