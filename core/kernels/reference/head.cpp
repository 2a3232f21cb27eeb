// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>
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

// One token's gradients: dx = dy·W, dW (+)= dyᵀ·x, dbias (+)= dy, where the first token begins the
// sums.
template <class S>
void logitsBackward(bool begins,
                    WeightView<S> weights,
                    std::span<const S> x,
                    std::span<const S> dy,
                    std::span<S> dx,
                    GradientView<S> gradients)
{
    const std::size_t d = x.size();
    for (std::size_t v = 0; v < dy.size(); ++v) {
        for (std::size_t j = 0; j < d; ++j) {
            const S term = dy[v] * weights[0][v * d + j];
            dx[j] = v == 0 ? term : dx[j] + term;
            const S product = dy[v] * x[j];
            S& gradient = gradients[0][v * d + j];
            gradient = begins ? product : gradient + product;
        }
        if (gradients.size() > 1) {
            gradients[1][v] = begins ? dy[v] : gradients[1][v] + dy[v];
        }
    }
}

// All sequences: their first tokens go through the linear layer together.
template <class S>
void poolBackward(const Shape& shape,
                  WeightView<S> weights,
                  std::span<const S> x,
                  std::span<const S> dy,
                  std::span<S> dx,
                  GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const auto batch = static_cast<std::size_t>(shape.batch);
    const std::size_t sequence = static_cast<std::size_t>(shape.sequence) * d;
    std::vector<S> first;
    std::vector<S> dPooled;
    for (std::size_t b = 0; b < batch; ++b) {
        const auto token = x.subspan(b * sequence, d);
        first.insert(first.end(), token.begin(), token.end());
        std::vector<S> y(d);
        {
            const Uncounted kept;
            pool<S>(weights, token, y);
        }
        for (std::size_t j = 0; j < d; ++j) {
            dPooled.push_back(dy[b * d + j] * (S(1) - y[j] * y[j]));
        }
    }
    std::vector<S> dFirst(first.size());
    linearBackward<S>(batch, first, weights[0], dPooled, dFirst, gradients[0], &gradients[1]);
    std::fill(dx.begin(), dx.end(), S(0));
    for (std::size_t b = 0; b < batch; ++b) {
        const auto token = std::span<const S>(dFirst).subspan(b * d, d);
        std::copy(token.begin(), token.end(), dx.subspan(b * sequence, d).begin());
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

template <class S>
void backward(const Head& head,
              int vocab,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(dy.size() == headOutputs(head, vocab, shape));
    const auto d = static_cast<std::size_t>(shape.dModel);
    const auto v = static_cast<std::size_t>(vocab);
    switch (head.kind) {
    case HeadKind::lm:
        for (std::size_t t = 0; t < shape.tokens(); ++t) {
            logitsBackward<S>(t == 0,
                              weights,
                              x.subspan(t * d, d),
                              dy.subspan(t * v, v),
                              dx.subspan(t * d, d),
                              gradients);
        }
        break;
    case HeadKind::pooler: poolBackward<S>(shape, weights, x, dy, dx, gradients); break;
    case HeadKind::none: std::fill(dx.begin(), dx.end(), S(0)); break;
    }
}

#define FLOPSMITH_HEAD_INSTANCE(S)                                                                 \
    template void forward<S>(                                                                      \
        const Head&, int, const Shape&, WeightView<S>, std::span<const S>, std::span<S>);          \
    template void backward<S>(const Head&,                                                         \
                              int,                                                                 \
                              const Shape&,                                                        \
                              WeightView<S>,                                                       \
                              std::span<const S>,                                                  \
                              std::span<const S>,                                                  \
                              std::span<S>,                                                        \
                              GradientView<S>);
FLOPSMITH_HEAD_INSTANCE(float)
FLOPSMITH_HEAD_INSTANCE(double)
FLOPSMITH_HEAD_INSTANCE(Counted)

} // namespace flopsmith::reference
