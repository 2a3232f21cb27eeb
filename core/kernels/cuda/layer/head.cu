// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"

namespace flopsmith::cuda {
namespace {

// cap·tanh(x/cap)
Tensor* capped(Plan& plan, Tensor* x, float cap)
{
    const auto slope = [=] __device__(float v) {
        const float t = tanhf(v / cap);
        return 1.0F - t * t;
    };
    return mapped(
        plan, x, [=] __device__(float v) { return cap * tanhf(v / cap); }, slope);
}

// Logits [T, V] of x [T, d]; W [V, width] is stored as the embedding table is.
Tensor* lmHead(Plan& plan, const Head& head, int vocab, Tensor* x, Tensors weights)
{
    const std::size_t at = tensorsBeforeLogits(head);
    const Index width = weights[at]->elements() / vocab;
    const float scale =
        head.hasScale() ? static_cast<float>(headScale(head, static_cast<int>(x->columns))) : 1.0F;
    if (head.hasTransform()) {
        Tensor* const bias = head.transformBias ? weights[1] : nullptr;
        x = activated(plan, head.activation, linear(plan, x, width, weights[0], bias));
        x = normed(plan, head.norm, x, weights.subspan(head.transformBias ? 2 : 1));
    } else if (head.hasProjection()) {
        x = linear(plan, x, width, weights[0]);
    }
    Tensor* const logits = plan.tensor(x->rows, vocab);
    product(plan,
            {x->rows, width, vocab},
            {x, width},
            {weights[at], width, Stored::transposed},
            {logits, vocab},
            {.scale = scale});
    addBias(plan, logits, head.bias ? weights[at + 1] : nullptr);
    return head.capsLogits() ? capped(plan, logits, static_cast<float>(head.softCap)) : logits;
}

// x·W + b of the first token of each sequence.
Tensor* firstLinear(Plan& plan, const Shape& shape, Tensor* x, Index out, Tensor* w, Tensor* bias)
{
    Tensor* const y = plan.tensor(shape.batch, out);
    plan.clearFirst(x);
    product(
        plan, {shape.batch, x->columns, out}, {x, shape.sequence * x->columns}, {w, out}, {y, out});
    addBias(plan, y, bias);
    return y;
}

// A pooler, a classifier, or a classifier behind a pooler.
Tensor* firstTokenHead(Plan& plan, const Head& head, const Shape& shape, Tensor* x, Tensors w)
{
    const std::size_t at = head.hasPooler() ? 2 : 0;
    const bool classifies = head.kind == HeadKind::classifier;
    Tensor* const bias = classifies && head.bias ? w[at + 1] : nullptr;
    if (!head.hasPooler()) {
        return firstLinear(plan, shape, x, head.classes, w[0], bias);
    }
    Tensor* const pooled = capped(plan, firstLinear(plan, shape, x, x->columns, w[0], w[1]), 1.0F);
    return classifies ? linear(plan, pooled, head.classes, w[at], bias) : pooled;
}

Tensor* planHead(Plan& plan,
                 const Head& head,
                 int vocab,
                 const Shape& shape,
                 Tensor* x,
                 Tensors weights)
{
    switch (head.kind) {
    case HeadKind::lm:
    case HeadKind::tokens: return lmHead(plan, head.computed(), vocab, x, weights);
    case HeadKind::none: return zeros(plan, 0, 1);
    default: return firstTokenHead(plan, head, shape, x, weights);
    }
}

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return planned(device, weights, x, shape.dModel, dy, [&](Plan& plan, Tensor* in, Tensors w) {
        return planHead(plan, head, vocab, shape, in, w);
    });
}

} // namespace flopsmith::cuda
