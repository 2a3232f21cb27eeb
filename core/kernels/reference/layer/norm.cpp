// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

template <class S>
S mean(std::span<const S> values)
{
    S sum = values[0];
    for (const S& value : values.subspan(1)) {
        sum += value;
    }
    return sum / S(static_cast<double>(values.size()));
}

template <class S>
S meanSquare(std::span<const S> values)
{
    S sum = values[0] * values[0];
    for (const S& value : values.subspan(1)) {
        sum += value * value;
    }
    return sum / S(static_cast<double>(values.size()));
}

// Normalises one token in place, before γ and β; returns the factor 1/sqrt(…).
template <class S>
S normalise(const Norm& norm, std::span<S> token)
{
    using std::sqrt;
    if (norm.kind == NormKind::layerNorm) {
        const S centre = mean<S>(token);
        for (S& value : token) {
            value -= centre;
        }
    }
    const S scale = S(1) / sqrt(meanSquare<S>(token) + S(norm.epsilon));
    for (S& value : token) {
        value *= scale;
    }
    return scale;
}

template <class S>
void scaleAndShift(const Norm& norm, WeightView<S> weights, std::span<S> token)
{
    for (std::size_t j = 0; j < token.size(); ++j) {
        if (norm.scale) {
            token[j] *= weights[0][j];
        }
        if (norm.hasShift()) {
            token[j] += weights[norm.scale ? 1 : 0][j];
        }
    }
}

template <class S>
S meanProduct(std::span<const S> a, std::span<const S> b)
{
    return dot(a, b) / S(static_cast<double>(a.size()));
}

// One token: g = dy ⊙ γ on entry, dx afterwards; `n` is the token normalised with `factor`.
template <class S>
void centreAndScale(NormKind kind, std::span<const S> n, const S& factor, std::span<S> g)
{
    const S alongToken = meanProduct<S>(g, n);
    if (kind == NormKind::layerNorm) {
        const S centre = mean<S>(g);
        for (S& value : g) {
            value -= centre;
        }
    }
    for (std::size_t j = 0; j < g.size(); ++j) {
        g[j] = (g[j] - n[j] * alongToken) * factor;
    }
}

// gradient[j] (+)= term[j]; the first token overwrites.
template <class S, class Term>
void addTerms(std::vector<S>& gradient, bool begins, Term term)
{
    for (std::size_t j = 0; j < gradient.size(); ++j) {
        gradient[j] = begins ? term(j) : gradient[j] + term(j);
    }
}

} // namespace

template <class S>
void forward(const Norm& norm,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    std::copy(x.begin(), x.end(), y.begin());
    for (std::size_t t = 0; norm.kind != NormKind::none && t < shape.tokens(); ++t) {
        normalise<S>(norm, y.subspan(t * d, d));
        scaleAndShift<S>(norm, weights, y.subspan(t * d, d));
    }
}

template <class S>
void backward(const Norm& norm,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    std::copy(dy.begin(), dy.end(), dx.begin());
    for (std::size_t t = 0; norm.kind != NormKind::none && t < shape.tokens(); ++t) {
        std::vector<S> n(x.begin() + static_cast<std::ptrdiff_t>(t * d),
                         x.begin() + static_cast<std::ptrdiff_t>((t + 1) * d));
        S factor{};
        {
            const Uncounted scope;
            factor = normalise<S>(norm, n);
        }
        const auto row = dy.subspan(t * d, d);
        const auto g = dx.subspan(t * d, d);
        if (norm.scale) {
            addTerms(gradients[0], t == 0, [&](std::size_t j) { return row[j] * n[j]; });
            for (std::size_t j = 0; j < d; ++j) {
                g[j] *= weights[0][j];
            }
        }
        if (norm.hasShift()) {
            addTerms(gradients[norm.scale ? 1 : 0], t == 0, [&](std::size_t j) { return row[j]; });
        }
        centreAndScale<S>(norm.kind, n, factor, g);
    }
}

FLOPSMITH_INSTANTIATE_FFN(Norm)
FLOPSMITH_INSTANTIATE_BACKWARD(Norm)

} // namespace flopsmith::reference
