// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/scan/short_convolution.h"

#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/activation_lanes.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kChannelGrain = 64; // whole registers, and lines of a row

// sum[c] += w[c]·row[c]
void addTap(const float* weight, const float* row, float* sum, std::int64_t count)
{
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) { store(sum + i, load(sum + i) + load(weight + i) * load(row + i)); },
        [&](std::size_t i, std::size_t n) {
            storeSome(
                sum + i, loadSome(sum + i, n) + loadSome(weight + i, n) * loadSome(row + i, n), n);
        });
}

} // namespace

const float* convolutionRow(const ScanPlan& plan,
                            const ConvolutionInput& input,
                            std::int64_t sequence,
                            std::int64_t position)
{
    if (position >= 0) {
        const std::int64_t t = sequence * plan.sequence + position;
        return input.projected + t * plan.projected + plan.inner;
    }
    if (input.cached.empty()) {
        return nullptr;
    }
    const std::int64_t row = (sequence + 1) * (plan.taps - 1) + position;
    return input.cached.data() + row * plan.channels;
}

void convolve(const ScanPlan& plan,
              const ConvolutionInput& input,
              const float* weight,
              const float* bias,
              float* y,
              float* before,
              Threads threads)
{
    const Threads busy = threadsFor(threads, plan.tokens * plan.channels * plan.taps);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* sum = y + t * plan.channels;
            if (bias == nullptr) {
                std::fill_n(sum, plan.channels, 0.0F);
            } else {
                copyRow(bias, sum, plan.channels);
            }
            for (std::int64_t i = 0; i < plan.taps; ++i) {
                const float* row = convolutionRow(
                    plan, input, t / plan.sequence, t % plan.sequence - plan.taps + 1 + i);
                if (row != nullptr) {
                    addTap(weight + i * plan.channels, row, sum, plan.channels);
                }
            }
            if (before != nullptr) {
                copyRow(sum, before + t * plan.channels, plan.channels);
            }
            transform(sum, sum, static_cast<std::size_t>(plan.channels), [](Lanes v, std::size_t) {
                return Silu{}(v);
            });
        }
    });
}

void convolveBackward(const ScanPlan& plan,
                      const ConvolutionInput& input,
                      const float* before,
                      const float* weight,
                      float* dy,
                      float* dProjected,
                      std::span<float> dWeight,
                      std::span<float> dBias,
                      Threads threads)
{
    const std::int64_t width = plan.channels;
    const Threads busy = threadsFor(threads, plan.tokens * width * plan.taps);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        const auto count = static_cast<std::size_t>(mine.size() * width);
        combine(before + mine.first * width,
                dy + mine.first * width,
                dy + mine.first * width,
                count,
                [](Lanes x, Lanes gradient) {
                    const Lanes sigma = sigmoid(x);
                    return gradient * (sigma * (1.0F + x * (1.0F - sigma)));
                });
    });
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* sum = dProjected + t * plan.projected + plan.inner;
            std::fill_n(sum, width, 0.0F);
            for (std::int64_t i = 0; i < plan.taps; ++i) {
                const std::int64_t later = plan.taps - 1 - i;
                if (t % plan.sequence + later < plan.sequence) {
                    addTap(weight + i * width, dy + (t + later) * width, sum, width);
                }
            }
        }
    });
    onThreads(busy, [&](int part) { // each its channels, so that sums have one order
        const Range mine = partOf(width, busy.count, part, kChannelGrain);
        for (std::int64_t i = 0; i < plan.taps; ++i) {
            float* sum = dWeight.data() + i * width + mine.first;
            std::fill_n(sum, mine.size(), 0.0F);
            for (std::int64_t t = 0; t < plan.tokens; ++t) {
                const float* row = convolutionRow(
                    plan, input, t / plan.sequence, t % plan.sequence - plan.taps + 1 + i);
                if (row != nullptr) {
                    addTap(dy + t * width + mine.first, row + mine.first, sum, mine.size());
                }
            }
        }
    });
    if (!dBias.empty()) {
        sumTokens(dy, plan.tokens, dBias, threads);
    }
}

} // namespace flopsmith::cpu
