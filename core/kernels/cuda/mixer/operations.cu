// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/operations.h"

#include "core/base/check.h"
#include "core/kernels/cuda/plan/elements.cuh"

#include <cmath>
#include <numeric>

namespace flopsmith::cuda {
namespace {

// Cosines and sines of all positions, [sequence, features/2].
std::vector<float2> rotations(const Rotation& rotation, const Rope& rope)
{
    std::vector<float2> values;
    for (int token = 0; token < rotation.sequence; ++token) {
        for (int pair = 0; pair < rotation.features / 2; ++pair) {
            const double angle =
                rotaryAngle(rotation.firstPosition + token, pair, rotation.features, rope);
            values.push_back({static_cast<float>(rope.amplitude * std::cos(angle)),
                              static_cast<float>(rope.amplitude * std::sin(angle))});
        }
    }
    return values;
}

// One rotated feature; direction −1 leads back.
struct Rotator
{
    Rotation of;
    Index width; ///< of a head
    const float2* table;

    __device__ float operator()(const Matrix& x, Index token, Index column, float direction) const
    {
        const int half = of.features / 2;
        const auto feature = static_cast<int>(column % width) - of.first;
        if (feature < 0 || feature >= 2 * half) {
            return x(token, column);
        }
        const bool isFirst = feature < half;
        const float2 turn =
            table[token % of.sequence * half + (isFirst ? feature : feature - half)];
        const float other = x(token, isFirst ? column + half : column - half);
        const float sine = direction * turn.y;
        return x(token, column) * turn.x + (isFirst ? -other : other) * sine;
    }
};

} // namespace

Tensor* rotated(Plan& plan, Tensor* x, const Rotation& rotation, const Rope& rope)
{
    Tensor* const y = plan.tensor(x->rows, x->columns);
    const Rotator rotate{
        rotation, x->columns / rotation.heads, plan.copied(rotations(rotation, rope))};
    const Matrix from = valuesOf(x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index token, Index column) {
        return rotate(from, token, column, 1.0F);
    });
    addGradient(plan, x, [=] __device__(Index token, Index column) {
        return rotate(dy, token, column, -1.0F);
    });
    return y;
}

Tensor* limited(Plan& plan, Tensor* x, float limit)
{
    return mapped(
        plan,
        x,
        [=] __device__(float v) { return fabsf(v) > limit ? copysignf(limit, v) : v; },
        [=] __device__(float v) { return fabsf(v) > limit ? 0.0F : 1.0F; });
}

void copyColumns(Plan& plan, const HeadColumns& to, const HeadColumns& from, Index count)
{
    const Index width = to.of->columns / to.heads;
    const Index fromWidth = from.of->columns / from.heads;
    const Index first = to.first;
    const Index fromFirst = from.first;
    const Index sharers = to.heads / from.heads;
    const Matrix y = valuesOf(to.of);
    const Matrix dy = gradientOf(to.of);
    const Matrix x = valuesOf(from.of);
    each(plan, to.of->rows, to.heads * count, [=] __device__(Index row, Index i) {
        const Index head = i / count;
        const Index column = i % count;
        y(row, head * width + first + column) =
            x(row, head / sharers * fromWidth + fromFirst + column);
    });
    plan.clearFirst(from.of);
    addGradient(plan, from.of, [=] __device__(Index row, Index i) {
        const Index column = i % fromWidth - fromFirst;
        float sum = 0.0F;
        for (Index j = 0; column >= 0 && column < count && j < sharers; ++j) {
            sum += dy(row, (i / fromWidth * sharers + j) * width + first + column);
        }
        return sum;
    });
}

std::vector<int> numbers(Index first, Index count)
{
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), static_cast<int>(first));
    return all;
}

Tensor* withCached(Plan& plan,
                   const Shape& shape,
                   std::span<const float> cached,
                   Tensor* fresh,
                   const std::vector<int>& columns)
{
    if (cached.empty()) {
        return fresh;
    }
    FLOPSMITH_CHECK(!plan.learns());
    const Index context = shape.context;
    const Index sequence = shape.sequence;
    const Index before = context - sequence;
    const std::size_t rows = static_cast<std::size_t>(shape.batch * before);
    const std::size_t width = cached.size() / rows;
    std::vector<float> values;
    for (std::size_t row = 0; row < rows; ++row) {
        for (const int column : columns) {
            values.push_back(cached[row * width + static_cast<std::size_t>(column)]);
        }
        if ((row + 1) % static_cast<std::size_t>(before) == 0) { // room for the new rows
            values.resize(values.size() + columns.size() * static_cast<std::size_t>(sequence));
        }
    }
    Tensor* const y = plan.input(values, fresh->columns);
    const Matrix to = valuesOf(y);
    const Matrix from = valuesOf(fresh);
    each(plan, fresh->rows, fresh->columns, [=] __device__(Index row, Index column) {
        to(row / sequence * context + before + row % sequence, column) = from(row, column);
    });
    return y;
}

} // namespace flopsmith::cuda
