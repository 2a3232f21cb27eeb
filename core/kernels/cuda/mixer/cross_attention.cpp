// SPDX-License-Identifier: MIT
#include "core/mixer/cross_attention.h"

#include "core/kernels/cuda/mixer/scores.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

#include <cmath>

namespace flopsmith::cuda {

// In prefill the source's rows follow the tokens in x, and keys and values come from one product.
Tensor* planMixer(Plan& plan, const CrossAttention& attention, const MixerOnDevice& in)
{
    const CrossTensors at(attention);
    const Shape& shape = in.shape;
    const auto tokens = static_cast<std::int64_t>(shape.tokens());
    const auto sources = static_cast<std::int64_t>(shape.sourceTokens());
    const std::int64_t h = attention.headDimFor(shape.dModel);
    const std::int64_t keyWidth = attention.kvHeads * h;
    Tensor* const q = linear(plan,
                             plan.rows(in.x, 0, tokens),
                             attention.heads * h,
                             in.weights[at.q],
                             tensorAt(in.weights, at.qBias));
    Tensor* keys = nullptr;
    Tensor* values = nullptr;
    if (shape.context > shape.sequence) {
        keys = plan.input(in.cachedKeys, keyWidth);
        values = plan.input(in.cachedValues, keyWidth);
    } else {
        Tensor* const kv = linear(plan,
                                  plan.rows(in.x, tokens, sources),
                                  2 * keyWidth,
                                  in.weights[at.kv],
                                  tensorAt(in.weights, at.kvBias));
        keys = plan.columns(kv, 0, keyWidth);
        values = plan.columns(kv, keyWidth, keyWidth);
    }
    ScoreSteps steps;
    if (attention.scaleScores) {
        steps.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(h)));
    }
    const ScoreSize size{.batch = shape.batch,
                         .queries = shape.sequence,
                         .keys = static_cast<int>(sources / shape.batch),
                         .heads = attention.heads,
                         .groupSize = attention.heads / attention.kvHeads};
    Tensor* const mixed = attended(plan, attention.algorithm, size, steps, q, keys, values);
    return linear(plan, mixed, shape.dModel, in.weights[at.out], tensorAt(in.weights, at.outBias));
}

} // namespace flopsmith::cuda
