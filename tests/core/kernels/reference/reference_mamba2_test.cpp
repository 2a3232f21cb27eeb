// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/scan_parts.h"
#include "core/mixer/mamba2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

constexpr int kWidth = 10;

Mamba2 small(ScanAlgorithm algorithm, int chunk)
{
    return {.heads = 4,
            .headDim = 3,
            .stateDim = 5,
            .groups = 2,
            .convWidth = 3,
            .bias = true,
            .normGroups = 2,
            .algorithm = algorithm,
            .chunk = chunk};
}

struct Outputs
{
    std::vector<double> y;
    std::vector<double> dx;
    Weights<double> gradients;
};

Outputs outputsOf(const Mamba2& mixer, const Shape& shape)
{
    const WeightShapes shapes = weights(mixer, shape.dModel);
    const auto values = randomWeights<double>(shapes, 1);
    const auto x = randomActivations<double>(shape.activations(), 2);
    const auto dy = randomActivations<double>(shape.activations(), 3);
    Outputs all{
        std::vector<double>(x.size()), std::vector<double>(x.size()), zeros<double>(shapes)};
    forward<double>(mixer, shape, values, x, {}, {}, all.y);
    backward<double>(mixer, shape, values, x, dy, all.dx, all.gradients);
    return all;
}

void expectNear(const std::vector<double>& a, const std::vector<double>& b)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(a[i], b[i], 1e-10 * (1.0 + std::abs(a[i]))) << i;
    }
}

TEST(Mamba2Reference, EveryChunkGivesWhatTheRecurrenceGives)
{
    const Shape shape{.batch = 2, .sequence = 7, .context = 7, .dModel = kWidth};
    const Outputs one = outputsOf(small(ScanAlgorithm::recurrent, 1), shape);
    for (const int chunk : {1, 2, 3, 7, 100}) {
        SCOPED_TRACE(chunk);
        for (const ScanAlgorithm algorithm : {ScanAlgorithm::recurrent, ScanAlgorithm::chunked}) {
            const Outputs other = outputsOf(small(algorithm, chunk), shape);
            expectNear(one.y, other.y);
            expectNear(one.dx, other.dx);
            for (std::size_t i = 0; i < one.gradients.size(); ++i) {
                expectNear(one.gradients[i], other.gradients[i]);
            }
        }
    }
}

TEST(Mamba2Reference, LaterTokensChangeNothing)
{
    const Mamba2 mixer = small(ScanAlgorithm::chunked, 2);
    const Shape shape{.batch = 1, .sequence = 5, .context = 5, .dModel = kWidth};
    const auto values = randomWeights<double>(weights(mixer, kWidth), 1);
    auto x = randomActivations<double>(shape.activations(), 2);
    std::vector<double> before(x.size());
    std::vector<double> after(x.size());
    forward<double>(mixer, shape, values, x, {}, {}, before);
    x.back() += 1.0;
    forward<double>(mixer, shape, values, x, {}, {}, after);

    EXPECT_TRUE(std::equal(before.begin(), before.end() - kWidth, after.begin()));
    EXPECT_NE(before.back(), after.back());
}

// The state and the last inputs of the convolution stand for all earlier tokens.
TEST(Mamba2Reference, DecodingFromTheStateContinuesThePrefill)
{
    const Mamba2 mixer = small(ScanAlgorithm::chunked, 3);
    const Shape whole{.batch = 2, .sequence = 8, .context = 8, .dModel = kWidth};
    const Shape first{.batch = 2, .sequence = 7, .context = 7, .dModel = kWidth};
    const Shape step{.batch = 2, .sequence = 1, .context = 8, .dModel = kWidth};
    const auto values = randomWeights<double>(weights(mixer, kWidth), 1);
    const auto x = randomActivations<double>(whole.activations(), 2);
    std::vector<double> earlier;
    std::vector<double> last;
    for (std::size_t b = 0; b < 2; ++b) {
        const auto sequence = x.begin() + static_cast<std::ptrdiff_t>(b * 8 * kWidth);
        earlier.insert(earlier.end(), sequence, sequence + 7 * kWidth);
        last.insert(last.end(), sequence + 7 * kWidth, sequence + 8 * kWidth);
    }
    const ScanLoops n(mixer, first);
    ScanState<double> state = scanState<double>(mixer, n, values, earlier, {}, {});
    std::vector<double> states;
    std::vector<double> inputs;
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t head = 0; head < n.heads; ++head) {
            const auto matrix = state.stateOf(n, b, n.chunks() - 1, head);
            states.insert(states.end(), matrix.begin(), matrix.end());
        }
        const std::size_t rows = n.taps - 1 + n.sequence;
        const auto end =
            state.window.begin() + static_cast<std::ptrdiff_t>((b + 1) * rows * n.channels);
        inputs.insert(
            inputs.end(), end - static_cast<std::ptrdiff_t>((n.taps - 1) * n.channels), end);
    }
    const MixerOperands operands = operandsOf(MixerSpec(mixer), step);
    ASSERT_EQ(operands.cachedKeys, states.size());
    ASSERT_EQ(operands.cachedValues, inputs.size());

    std::vector<double> all(x.size());
    std::vector<double> next(step.activations());
    forward<double>(mixer, whole, values, x, {}, {}, all);
    forward<double>(mixer, step, values, last, states, inputs, next);

    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t j = 0; j < kWidth; ++j) {
            EXPECT_NEAR(next[b * kWidth + j], all[(b * 8 + 7) * kWidth + j], 1e-12);
        }
    }
}

} // namespace
} // namespace flopsmith::reference
