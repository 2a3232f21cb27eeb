// SPDX-License-Identifier: MIT
#include "core/ffn/random_projection.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

// Σ ±x_j over the row's non-zeros: perRow elements read by index, perRow − 1 additions.
template <class S>
S signedSum(std::span<const std::int32_t> row, std::span<const S> x)
{
    noteMoves<S>(row.size());
    const S first = x[SignMatrix::column(row[0])];
    S sum = SignMatrix::isMinus(row[0]) ? -first : first;
    for (const std::int32_t entry : row.subspan(1)) {
        const S& value = x[SignMatrix::column(entry)];
        sum = SignMatrix::isMinus(entry) ? sum - value : sum + value;
    }
    return sum;
}

// y = scale·R·x for every token.
template <class S>
void project(const SignMatrix& matrix, double scale, std::span<const S> x, std::span<S> y)
{
    const auto in = static_cast<std::size_t>(matrix.columns);
    const auto out = static_cast<std::size_t>(matrix.rows);
    for (std::size_t t = 0; t < x.size() / in; ++t) {
        for (std::size_t i = 0; i < out; ++i) {
            y[t * out + i] =
                S(scale) * signedSum(matrix.row(static_cast<int>(i)), x.subspan(t * in, in));
        }
    }
}

// x = Rᵀ·y for every token; the columns' sums start at zero.
template <class S>
void projectBack(const SignMatrix& matrix, std::span<const S> y, std::span<S> x)
{
    const auto in = static_cast<std::size_t>(matrix.columns);
    const auto out = static_cast<std::size_t>(matrix.rows);
    std::fill(x.begin(), x.end(), S(0));
    for (std::size_t t = 0; t < x.size() / in; ++t) {
        for (std::size_t i = 0; i < out; ++i) {
            const auto row = matrix.row(static_cast<int>(i));
            noteMoves<S>(row.size());
            for (const std::int32_t entry : row) {
                S& sum = x[t * in + SignMatrix::column(entry)];
                const S& value = y[t * out + i];
                sum = SignMatrix::isMinus(entry) ? sum - value : sum + value;
            }
        }
    }
}

template <class S>
std::vector<S> scaled(double factor, std::span<const S> values)
{
    std::vector<S> products;
    for (const S& value : values) {
        products.push_back(S(factor) * value);
    }
    return products;
}

// The input of the activation: α·R₁x + b.
template <class S>
std::vector<S> features(const RandomProjectionFfn& ffn,
                        const Shape& shape,
                        const std::vector<S>& bias,
                        std::span<const S> x)
{
    std::vector<S> values(shape.tokens() * bias.size());
    project<S>(ffn.inputProjection(shape.dModel), ffn.inputScale(shape.dModel), x, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += bias[i % bias.size()];
    }
    return values;
}

} // namespace

template <class S>
void forward(const RandomProjectionFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const std::vector<S>& gain = weights[0];
    std::vector<S> hidden = features(ffn, shape, weights[1], x);
    activate<S>(ffn.activation, hidden);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] *= gain[i % gain.size()];
    }
    project<S>(ffn.outputProjection(shape.dModel), ffn.outputScale(), hidden, y);
}

template <class S>
void backward(const RandomProjectionFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const std::vector<S>& gain = weights[0];
    std::vector<S> before;
    std::vector<S> hidden;
    {
        const Uncounted scope;
        before = features(ffn, shape, weights[1], x);
        hidden = before;
        activate<S>(ffn.activation, hidden);
    }
    std::vector<S> dHidden(hidden.size());
    projectBack<S>(ffn.outputProjection(shape.dModel), scaled(ffn.outputScale(), dy), dHidden);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] *= dHidden[i]; // the token's term of the gain's gradient
        dHidden[i] *= gain[i % gain.size()];
    }
    sumRows<S>(hidden, gradients[0]);
    activateBackward<S>(ffn.activation, before, dHidden);
    sumRows<S>(dHidden, gradients[1]);
    projectBack<S>(ffn.inputProjection(shape.dModel), dHidden, dx);
    const double scale = ffn.inputScale(shape.dModel);
    for (S& value : dx) {
        value *= S(scale);
    }
}

FLOPSMITH_INSTANTIATE_FFN(RandomProjectionFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(RandomProjectionFfn)

} // namespace flopsmith::reference
