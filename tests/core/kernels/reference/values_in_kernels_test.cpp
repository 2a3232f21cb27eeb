// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/mixer/attention_parts.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

// Numbers that change no count, but what is computed.
namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr Shape kFiveTokens{.batch = 1, .sequence = 5, .context = 5, .dModel = 16};

Rope stretched()
{
    return {.base = 500.0,
            .scaling = RopeScaling::yarn,
            .factor = 4.0,
            .trainedPositions = 64,
            .betaFast = 4.0,
            .amplitude = 1.25};
}

Attention rotaryAttention()
{
    return {.heads = 4, .kvHeads = 2, .rotary = true};
}

template <class Mixer>
Values mixed(const Mixer& mixer, const Weights<double>& weights, const Values& x)
{
    Values y(x.size());
    forward<double>(mixer, kFiveTokens, weights, x, {}, {}, y);
    return y;
}

template <class Mixer>
Values mixed(const Mixer& mixer)
{
    return mixed(mixer,
                 randomWeights<double>(flopsmith::weights(mixer, kFiveTokens.dModel), 7),
                 randomActivations<double>(kFiveTokens.activations(), 1));
}

template <class Mixer>
void expectMixerSlopes(const Mixer& mixer)
{
    const WeightShapes shapes = flopsmith::weights(mixer, kFiveTokens.dModel);
    auto weights = randomWeights<double>(shapes, 7);
    auto x = randomActivations<double>(kFiveTokens.activations(), 1);
    const auto dy = randomActivations<double>(kFiveTokens.activations(), 2);
    Values dx(x.size());
    Weights<double> gradients = weights;
    backward<double>(mixer, kFiveTokens, weights, x, dy, dx, gradients);

    expectAllSlopes(
        x, dx, weights, gradients, shapes, [&] { return inner(mixed(mixer, weights, x), dy); });
}

TEST(ValuesInKernels, ANormAddsItsEpsilon)
{
    const Shape shape{.batch = 1, .sequence = 1, .context = 1, .dModel = 2};
    Norm norm = Norm::rms();
    norm.epsilon = 0.5;

    const Values y = outputOf(norm, shape, {{1.0, 1.0}}, {3.0, 4.0});

    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values{3 / std::sqrt(13.0), 4 / std::sqrt(13.0)}));
}

TEST(ValuesInKernels, AResidualHasItsFactor)
{
    const Values x{1.0};
    const Values f{2.0};
    Values sum(1);

    addResidual<double>({.scale = true, .factor = 0.5}, x, f, {}, sum);

    EXPECT_EQ(sum[0], 2.0);
}

// Where RoPE rotates whole heads, sines and cosines times a are scores times a².
TEST(ValuesInKernels, AmplitudesScaleScores)
{
    Attention louder = rotaryAttention();
    louder.rope.amplitude = 1.5;
    Attention scaled = rotaryAttention();
    scaled.scoreScale = 1.5 * 1.5 / std::sqrt(4.0);

    EXPECT_THAT(mixed(louder), Pointwise(DoubleNear(kSmall), mixed(scaled)));
}

TEST(ValuesInKernels, BaseAndStretchingChangeTheMixture)
{
    Attention attention = rotaryAttention();
    const Values usual = mixed(attention);
    attention.rope.base = 500.0;
    const Values base = mixed(attention);
    attention.rope = stretched();
    const Values all = mixed(attention);

    EXPECT_NE(usual, base);
    EXPECT_NE(base, all);
}

TEST(ValuesInKernels, GradientsOfAttentionFollow)
{
    Attention attention = rotaryAttention();
    attention.qkNorm = QkNorm::perHead;
    attention.qkNormEpsilon = 0.1;
    attention.rope = stretched();
    attention.scoreScale = 0.3;
    attention.rotaryDim = 2;

    expectMixerSlopes(attention);
}

TEST(ValuesInKernels, GradientsOfLatentAttentionFollow)
{
    LatentAttention attention{
        .heads = 2, .qLoraRank = 5, .kvLoraRank = 7, .qkNopeDim = 3, .qkRopeDim = 4, .vHeadDim = 5};
    attention.rope = stretched();
    attention.scoreScale = 0.4;
    attention.normEpsilon = 0.1;

    expectMixerSlopes(attention);
}

} // namespace
} // namespace flopsmith::reference
