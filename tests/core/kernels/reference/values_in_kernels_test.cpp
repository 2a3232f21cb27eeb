// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer/attention_parts.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/ffns_with_values.h"
#include "tests/support/mixers_with_values.h"
#include "tests/support/spec_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

// One head of one feature; the second token sees both. Wqkv = (2, 1, 4), Wo = 1.
TEST(ValuesInKernels, QueriesKeysAndValuesAreLimited)
{
    const Shape shape{.batch = 1, .sequence = 2, .context = 2, .dModel = 1};
    Attention attention{.heads = 1, .kvHeads = 1, .headDim = 1, .qkvBias = false, .outBias = false};
    attention.qkvLimit = 3.0;
    const Weights<double> weights{{2.0, 1.0, 4.0}, {1.0}};

    const Values y = outputOf(attention, shape, weights, {2.0, 0.5});

    // Queries 3 (of 4) and 1, keys 2 and 0.5, values 3 (of 8) and 2.
    const double share = 1.0 / (1.0 + std::exp(1.0 * 0.5 - 1.0 * 2.0));
    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values{3.0, 3.0 * share + 2.0 * (1.0 - share)}));
}

TEST(ValuesInKernels, TheLimitComesBehindTheNormsOfQueriesAndKeys)
{
    Attention attention = rotaryAttention();
    attention.qkNorm = QkNorm::perHead;
    const Values usual = mixed(attention);
    attention.qkvLimit = 1e6;
    EXPECT_EQ(mixed(attention), usual);

    // Keys and queries of one feature are ±1 behind their norm, whatever they were.
    Attention single{.heads = 4, .kvHeads = 4, .headDim = 1, .qkNorm = QkNorm::perHead};
    single.qkNormEpsilon = 1e-12;
    const WeightShapes shapes = flopsmith::weights(single, kFiveTokens.dModel);
    auto weights = randomWeights<double>(shapes, 7);
    const AttentionTensors places(single);
    std::fill(weights[places.qNorm].begin(), weights[places.qNorm].end(), 1.0);
    std::fill(weights[places.kNorm].begin(), weights[places.kNorm].end(), 1.0);
    const auto x = randomActivations<double>(kFiveTokens.activations(), 1);
    const Sizes n(single, kFiveTokens);
    std::vector<double> qkv(n.tokens() * n.rowWidth());
    linear<double>(n.tokens(), x, weights[places.qkv], &weights[places.qkvBias], qkv);
    normaliseQk<double>(single, n, weights, qkv);
    single.qkvLimit = 0.25;
    limitQkv<double>(single, qkv);
    for (std::size_t column = 0; column < n.queryWidth + n.kvWidth; ++column) {
        EXPECT_EQ(std::abs(qkv[column]), 0.25) << column;
    }
}

TEST(ValuesInKernels, GradientsOfLimitedAttentionFollow)
{
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        if (const auto* attention = get_if<Attention>(&mixer)) {
            expectMixerSlopes(*attention);
        }
    }
}

// gpt-oss: (u + 1)·g·σ(1.702·g), g at most 7, u within ±7.
TEST(ValuesInKernels, GatesAreLimitedAndOffset)
{
    const Shape shape{.batch = 1, .sequence = 1, .context = 1, .dModel = 1};
    const GatedFfn ffn{
        .dFf = 4, .bias = true, .gate = {.limit = 7.0, .siluSlope = 1.702, .upOffset = 1.0}};
    const auto feature = [](double g, double u) {
        return (u + 1.0) * g / (1.0 + std::exp(-1.702 * g));
    };

    const Values y = outputOf(ffn,
                              shape,
                              {{9.0, -9.0, 2.0, 1.0},
                               {0.0, 0.0, 0.0, 1.0},
                               {3.0, 8.0, -8.0, 0.0},
                               {0.0, 0.0, 0.0, 0.5},
                               {1.0, 1.0, 1.0, 1.0},
                               {0.0}},
                              {1.0});

    EXPECT_NEAR(y[0],
                feature(7.0, 3.0) + feature(-9.0, 7.0) + feature(2.0, -7.0) + feature(2.0, 0.5),
                1e-12);
}

TEST(ValuesInKernels, AnOffsetIsPartOfABias)
{
    GatedFfn ffn{.dFf = 9};
    const auto weights = randomWeights<double>(flopsmith::weights(ffn, 16), 7);
    const auto x = randomActivations<double>(kFiveTokens.activations(), 1);
    const Values usual = outputOf(ffn, kFiveTokens, weights, x);

    ffn.gate.upOffset = 1.0;

    EXPECT_EQ(outputOf(ffn, kFiveTokens, weights, x), usual);
}

TEST(ValuesInKernels, GradientsOfLimitedGatesFollow)
{
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        SCOPED_TRACE(test::describe(ffn));
        expectGradients(ffn, kFiveTokens);
    }
}

// At the limits themselves PyTorch's clamp passes the gradient; beyond them nothing does.
TEST(ValuesInKernels, GradientsPassAtTheLimitsAndNotBeyond)
{
    EXPECT_EQ(withinBackward(2.0, 5.0, 2.0), 5.0);
    EXPECT_EQ(withinBackward(-2.0, 5.0, 2.0), 5.0);
    EXPECT_EQ(withinBackward(std::nextafter(2.0, 3.0), 5.0, 2.0), 0.0);
    EXPECT_EQ(withinBackward(-2.5, 5.0, 2.0), 0.0);
}

template <class Spec>
std::string backwardFormula(const Spec& spec)
{
    const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
        addBackwardCost(spec, pass, tree);
    };
    return text(executionOf(test::treeOf(kFiveTokens, add).total().count));
}

TEST(ValuesInKernels, LimitsOfGatesAreNotCounted)
{
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        const WeightShapes shapes = flopsmith::weights(ffn, kFiveTokens.dModel);
        const auto weights = randomWeights<Counted>(shapes, 1);
        auto gradients = zeros<Counted>(shapes);
        const auto x = randomActivations<Counted>(kFiveTokens.activations(), 2);
        std::vector<Counted> y(x.size());

        const Executed there = executed([&] { forward<Counted>(ffn, kFiveTokens, weights, x, y); });
        const Executed back =
            executed([&] { backward<Counted>(ffn, kFiveTokens, weights, x, x, y, gradients); });

        EXPECT_EQ(text(there), text(executionOf(test::costTree(ffn, kFiveTokens).total().count)))
            << test::describe(ffn);
        EXPECT_EQ(text(back), backwardFormula(ffn)) << test::describe(ffn);
    }
}

TEST(ValuesInKernels, LimitsOfAttentionAreNotCounted)
{
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        const WeightShapes shapes = flopsmith::weights(mixer, kFiveTokens.dModel);
        const auto weights = randomWeights<Counted>(shapes, 1);
        auto gradients = zeros<Counted>(shapes);
        const auto x = randomActivations<Counted>(kFiveTokens.activations(), 2);
        std::vector<Counted> y(x.size());

        const Executed there =
            executed([&] { forward<Counted>(mixer, kFiveTokens, weights, x, {}, {}, y); });
        const Executed back =
            executed([&] { backward<Counted>(mixer, kFiveTokens, weights, x, x, y, gradients); });

        EXPECT_EQ(text(there), text(executionOf(test::costTree(mixer, kFiveTokens).total().count)))
            << test::describe(mixer);
        EXPECT_EQ(text(back), backwardFormula(mixer)) << test::describe(mixer);
    }
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
