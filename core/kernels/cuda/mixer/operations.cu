// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/operations.h"

#include "core/base/check.h"
#include "core/kernels/cuda/plan/elements.cuh"

#include <cmath>

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

Tensor* joined(Plan& plan, Tensor* cached, Tensor* fresh, Index batch)
{
    FLOPSMITH_CHECK(!plan.learns());
    Tensor* const y = plan.tensor(cached->rows + fresh->rows, fresh->columns);
    const Index before = cached->rows / batch;
    const Index sequence = fresh->rows / batch;
    const Matrix old = valuesOf(cached);
    const Matrix added = valuesOf(fresh);
    fill(plan, y, [=] __device__(Index row, Index column) {
        const Index b = row / (before + sequence);
        const Index place = row - b * (before + sequence);
        return place < before ? old(b * before + place, column)
                              : added(b * sequence + place - before, column);
    });
    return y;
}

} // namespace flopsmith::cuda
