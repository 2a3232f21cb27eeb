// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/attention_row.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace flopsmith::reference {
namespace {

// Gradients that the attention core accumulates into; null if absent.
template <class S>
struct CoreGradients
{
    std::vector<S>* sinks;
    std::vector<S>* table;
};

// From the gradient of the output projection's input to the gradient of q | k | v.
template <class S>
std::vector<S> coreBackward(const Attention& attention,
                            const Sizes& n,
                            WeightView<S> weights,
                            std::span<const S> qkv,
                            const std::vector<S>& mixed,
                            const std::vector<S>& dMixed,
                            const CoreGradients<S>& gradients)
{
    std::vector<S> dQkv(qkv.size());
    for (std::size_t t = 0; t < n.tokens(); ++t) {
        AttentionRow<S> row(attention, n, weights, qkv, t);
        for (std::size_t head = 0; head < n.heads; ++head) {
            row.setHead(head);
            const std::size_t first = t * n.queryWidth + head * n.headDim;
            const auto out = std::span<const S>(mixed).subspan(first, n.headDim);
            const auto dOut = std::span<const S>(dMixed).subspan(first, n.headDim);
            S rowMax{};
            S rowSum{};
            std::vector<S> p;
            {
                const Uncounted scope;
                p = row.softmaxWithSums(rowMax, rowSum);
            }
            if (!keepsScores(attention)) {
                p = row.probabilities(rowMax, rowSum);
            }
            std::vector<S> dp = row.weightedSumBackward(p, dOut, dQkv);
            const S centre = keepsScores(attention) ? dot<S>(p, dp) : dot<S>(dOut, out);
            if (gradients.sinks != nullptr) {
                row.sinkBackward(rowMax, rowSum, centre, *gradients.sinks);
            }
            row.softmaxBackward(p, centre, dp);
            row.scoreStepsBackward(dp, gradients.table);
            row.scoresBackward(dp, dQkv);
        }
    }
    return dQkv;
}

template <class S>
std::vector<S> mixedValues(const Attention& attention,
                           const Sizes& n,
                           WeightView<S> weights,
                           std::span<const S> qkv)
{
    std::vector<S> mixed(n.tokens() * n.queryWidth);
    for (std::size_t t = 0; t < n.tokens(); ++t) {
        AttentionRow<S> row(attention, n, weights, qkv, t);
        for (std::size_t head = 0; head < n.heads; ++head) {
            row.setHead(head);
            S rowMax{};
            S rowSum{};
            row.weightedSum(
                row.softmaxWithSums(rowMax, rowSum),
                std::span<S>(mixed).subspan(t * n.queryWidth + head * n.headDim, n.headDim));
        }
    }
    return mixed;
}

// Saved activations.
template <class S>
struct SavedActivations
{
    std::vector<S> projected; ///< q | k | v
    std::vector<S> normalised; ///< the same, before the limit
    std::vector<S> qkv; ///< the same, within the limit and rotated
    std::vector<S> mixed;
};

template <class S>
SavedActivations<S> savedActivations(const Attention& attention,
                                     const Sizes& n,
                                     WeightView<S> weights,
                                     std::span<const S> x)
{
    const Uncounted scope;
    const AttentionTensors places(attention);
    std::vector<S> projected(n.tokens() * n.rowWidth());
    linear<S>(
        n.tokens(), x, weights[places.qkv], presentOrNull(weights, places.qkvBias), projected);
    std::vector<S> normalised = projected;
    normaliseQk<S>(attention, n, weights, normalised);
    std::vector<S> qkv = normalised;
    limitQkv<S>(attention, qkv);
    if (attention.rotary) {
        rotateAll<S>(n, qkv);
    }
    std::vector<S> mixed = mixedValues<S>(attention, n, weights, qkv);
    return {std::move(projected), std::move(normalised), std::move(qkv), std::move(mixed)};
}

} // namespace

template <class S>
void backward(const Attention& attention,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(shape.context == shape.sequence);
    const Sizes n(attention, shape);
    const AttentionTensors places(attention);
    const SavedActivations<S> saved = savedActivations<S>(attention, n, weights, x);
    std::vector<S>* table = presentOrNull(gradients, places.relativeBias);
    if (table != nullptr) {
        std::fill(table->begin(), table->end(), S(0));
    }
    std::vector<S> dMixed(saved.mixed.size());
    linearBackward<S>(n.tokens(),
                      saved.mixed,
                      weights[places.out],
                      dy,
                      dMixed,
                      gradients[places.out],
                      presentOrNull(gradients, places.outBias));
    std::vector<S> dQkv = coreBackward<S>(attention,
                                          n,
                                          weights,
                                          saved.qkv,
                                          saved.mixed,
                                          dMixed,
                                          {presentOrNull(gradients, places.sinks), table});
    if (attention.rotary) {
        rotateAll<S>(n, dQkv, Rotation::back);
    }
    limitQkvBackward<S>(attention, saved.normalised, dQkv);
    normaliseQkBackward<S>(attention, n, weights, saved.projected, dQkv, gradients);
    linearBackward<S>(n.tokens(),
                      x,
                      weights[places.qkv],
                      dQkv,
                      dx,
                      gradients[places.qkv],
                      presentOrNull(gradients, places.qkvBias));
}

FLOPSMITH_INSTANTIATE_BACKWARD(Attention)

} // namespace flopsmith::reference
