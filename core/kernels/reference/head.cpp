// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <cmath>

namespace flopsmith::reference {
namespace {

// One token's logits. W [V, d] is stored as the embedding table is: a row per token of the
// vocabulary.
template <class S>
void logits(bool bias, WeightView<S> weights, std::span<const S> token, std::span<S> y)
{
    const std::span<const S> w = weights[0];
    for (std::size_t v = 0; v < y.size(); ++v) {
        y[v] = dot(token, w.subspan(v * token.size(), token.size()));
        if (bias) {
            y[v] += weights[1][v];
        }
    }
}

template <class S>
void pool(WeightView<S> weights, std::span<const S> firstToken, std::span<S> y)
{
    using std::tanh;
    linear<S>(1, firstToken, weights[0], &weights[1], y);
    for (S& value : y) {
        value = tanh(value);
    }
}

} // namespace

std::size_t headOutputs(const Head& head, int vocab, const Shape& shape)
{
    switch (head.kind) {
    case HeadKind::lm: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler:
        return static_cast<std::size_t>(shape.batch) * static_cast<std::size_t>(shape.dModel);
    case HeadKind::none: return 0;
    }
    return 0;
}

template <class S>
void forward(const Head& head,
             int vocab,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    FLOPSMITH_CHECK(y.size() == headOutputs(head, vocab, shape));
    const auto d = static_cast<std::size_t>(shape.dModel);
    if (head.kind == HeadKind::lm) {
        const auto v = static_cast<std::size_t>(vocab);
        for (std::size_t t = 0; t < shape.tokens(); ++t) {
            logits<S>(head.bias, weights, x.subspan(t * d, d), y.subspan(t * v, v));
        }
    } else if (head.kind == HeadKind::pooler) {
        const std::size_t sequence = static_cast<std::size_t>(shape.sequence) * d;
        for (std::size_t b = 0; b < static_cast<std::size_t>(shape.batch); ++b) {
            pool<S>(weights, x.subspan(b * sequence, d), y.subspan(b * d, d));
        }
    }
}

#define FLOPSMITH_HEAD_INSTANCE(S)                                                                 \
    template void forward<S>(                                                                      \
        const Head&, int, const Shape&, WeightView<S>, std::span<const S>, std::span<S>);
FLOPSMITH_HEAD_INSTANCE(float)
FLOPSMITH_HEAD_INSTANCE(double)
FLOPSMITH_HEAD_INSTANCE(Counted)

} // namespace flopsmith::reference
