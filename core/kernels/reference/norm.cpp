// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/layer.h"

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

// One token in place; the operations are those listed at normCount().
template <class S>
void normalise(const Norm& norm, WeightView<S> weights, std::span<S> token)
{
    using std::sqrt;
    if (norm.kind == NormKind::layerNorm) {
        const S centre = mean<S>(token);
        for (S& value : token) {
            value -= centre;
        }
    }
    const S scale = S(1) / sqrt(meanSquare<S>(token) + S(kNormEpsilon));
    for (std::size_t j = 0; j < token.size(); ++j) {
        token[j] *= scale;
        if (norm.scale) {
            token[j] *= weights[0][j];
        }
        if (norm.hasShift()) {
            token[j] += weights[norm.scale ? 1 : 0][j];
        }
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
        normalise<S>(norm, weights, y.subspan(t * d, d));
    }
}

FLOPSMITH_INSTANTIATE_FFN(Norm)

} // namespace flopsmith::reference
