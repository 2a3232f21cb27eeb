// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/scan/gated_norm.h"

#include "core/kernels/cpu/simd/activation_lanes.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kScaleGrain = 64;

// to = y ⊙ silu(z)
void openGate(const float* y, const float* z, float* to, std::int64_t count)
{
    combine(y, z, to, static_cast<std::size_t>(count), [](Lanes value, Lanes gate) {
        return value * Silu{}(gate);
    });
}

// dx = (g − n·mean(g ⊙ n))·r of a part, in place of g, with n = r·x.
void normaliseBackward(const float* x, float factor, float* g, std::int64_t width)
{
    const auto count = static_cast<std::size_t>(width);
    const float along = dotOfRows(g, x, count) * factor * factor / static_cast<float>(width);
    combine(g, x, g, count, [factor, along](Lanes gradient, Lanes value) {
        return (gradient - value * along) * factor;
    });
}

} // namespace

void GatedNorm::run(float* out, float* factors, Threads threads) const
{
    const Threads busy = threadsFor(threads, 8 * plan.tokens * plan.inner);
    const std::int64_t parts = plan.spec.normGroups;
    const std::int64_t width = plan.inner / parts;
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* row = out + t * plan.inner;
            openGate(y + t * plan.inner, projected + t * plan.projected, row, plan.inner);
            for (std::int64_t p = 0; scale != nullptr && p < parts; ++p) {
                float* own = row + p * width;
                const auto count = static_cast<std::size_t>(width);
                const double mean =
                    static_cast<double>(dotOfRows(own, own, count)) / static_cast<double>(width);
                const auto factor =
                    static_cast<float>(1.0 / std::sqrt(mean + plan.spec.normEpsilon));
                combine(own, scale + p * width, own, count, [factor](Lanes v, Lanes gamma) {
                    return v * factor * gamma;
                });
                if (factors != nullptr) {
                    factors[t * parts + p] = factor;
                }
            }
        }
    });
}

void GatedNorm::runBackward(const float* factors,
                            float* dOut,
                            float* gated,
                            float* dProjected,
                            std::span<float> dScale,
                            Threads threads) const
{
    const Threads busy = threadsFor(threads, 16 * plan.tokens * plan.inner);
    const std::int64_t parts = plan.spec.normGroups;
    const std::int64_t width = plan.inner / parts;
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            openGate(y + t * plan.inner,
                     projected + t * plan.projected,
                     gated + t * plan.inner,
                     plan.inner);
        }
    });
    if (scale != nullptr) {
        onThreads(busy, [&](int part) { // each its features, so that sums have one order
            const Range mine = partOf(plan.inner, busy.count, part, kScaleGrain);
            std::fill(dScale.data() + mine.first, dScale.data() + mine.last, 0.0F);
            for (std::int64_t t = 0; t < plan.tokens; ++t) {
                for (std::int64_t j = mine.first; j < mine.last; ++j) {
                    dScale[static_cast<std::size_t>(j)] += dOut[t * plan.inner + j]
                        * gated[t * plan.inner + j] * factors[t * parts + j / width];
                }
            }
        });
    }
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* gradient = dOut + t * plan.inner;
            for (std::int64_t p = 0; scale != nullptr && p < parts; ++p) {
                const float* value = gated + t * plan.inner + p * width;
                float* own = gradient + p * width;
                combine(own,
                        scale + p * width,
                        own,
                        static_cast<std::size_t>(width),
                        [](Lanes g, Lanes gamma) { return g * gamma; });
                normaliseBackward(value, factors[t * parts + p], own, width);
            }
            const float* z = projected + t * plan.projected;
            const float* own = y + t * plan.inner;
            float* dz = dProjected + t * plan.projected;
            const auto count = static_cast<std::size_t>(plan.inner);
            combine(gradient, own, dz, count, [](Lanes g, Lanes value) { return g * value; });
            combine(dz, z, dz, count, [](Lanes g, Lanes gate) {
                const Lanes sigma = sigmoid(gate);
                return g * (sigma * (1.0F + gate * (1.0F - sigma)));
            });
            openGate(gradient, z, gradient, plan.inner);
        }
    });
}

} // namespace flopsmith::cpu
