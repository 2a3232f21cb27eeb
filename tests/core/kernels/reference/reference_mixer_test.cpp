// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/softmax.h"
#include "core/mixer/no_mixer.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

// d = 4, two query heads of two features on one key/value head.
Attention smallAttention()
{
    return {.heads = 2, .kvHeads = 1, .qkvBias = true, .outBias = true, .rotary = true};
}

Weights<double> weightsOf(const Attention& attention, int dModel)
{
    return randomWeights<double>(flopsmith::weights(attention, dModel), 7);
}

TEST(SoftmaxReference, RowsSumToOneAndKeepRatios)
{
    Values row{0, std::log(2.0), std::log(5.0)};

    softmax<double>(row);

    EXPECT_THAT(row, Pointwise(DoubleNear(kTiny), Values{0.125, 0.25, 0.625}));
}

TEST(SoftmaxReference, LargeScoresDoNotOverflow)
{
    Values row{1000, 1000};

    softmax<double>(row);

    EXPECT_THAT(row, ElementsAre(0.5, 0.5));
}

// h = 1, W = 1 for q, k, v and out: y_i = Σ_j softmax_j(x_i·x_j)·x_j.
TEST(AttentionReference, WeighsValuesByTheSoftmaxOfProducts)
{
    const Attention attention{.heads = 1, .kvHeads = 1, .qkvBias = false, .outBias = false};
    const double seen = std::exp(2.0 * 2.0);
    const double other = std::exp(2.0 * 1.0);

    const Values y = outputOf(attention, {1, 2, 2, 1}, {{1, 1, 1}, {1}}, {1, 2});

    EXPECT_DOUBLE_EQ(y[0], 1); // the first token sees itself only
    EXPECT_NEAR(y[1], (other * 1 + seen * 2) / (other + seen), kTiny);
}

TEST(AttentionReference, ScoresAreDividedByTheRootOfTheHeadDimension)
{
    const Attention attention{.heads = 1,
                              .kvHeads = 1,
                              .headDim = 4,
                              .causal = false,
                              .qkvBias = false,
                              .outBias = false};
    const Values one{1, 0, 0, 0};
    Weights<double> weights(2);
    for (int copy = 0; copy < 3; ++copy) {
        weights[0].insert(weights[0].end(), one.begin(), one.end());
    }
    weights[1] = one;
    const double share = 1 / (1 + std::exp(-1.0 / 2.0)); // scores 1/√4 and 0 for the query 1

    const Values y = outputOf(attention, {1, 2, 2, 1}, weights, {1, 0});

    EXPECT_NEAR(y[0], share, kTiny);
    EXPECT_NEAR(y[1], 0.5, kTiny);
}

TEST(AttentionReference, SequencesOfABatchDoNotSeeEachOther)
{
    const Attention attention = smallAttention();
    const auto weights = weightsOf(attention, 4);
    const auto x = randomActivations<double>(2 * 3 * 4, 1);

    const Values both = outputOf(attention, {2, 3, 3, 4}, weights, x);
    const Values second =
        outputOf(attention, {1, 3, 3, 4}, weights, Values(x.begin() + 12, x.end()));

    EXPECT_THAT(second, Pointwise(DoubleNear(kTiny), Values(both.begin() + 12, both.end())));
}

TEST(AttentionReference, LaterTokensChangeNothingIfCausal)
{
    Attention attention = smallAttention();
    const auto weights = weightsOf(attention, 4);
    Values x = randomActivations<double>(12, 1);
    const Values before = outputOf(attention, {1, 3, 3, 4}, weights, x);
    attention.causal = false;
    const Values bidirectional = outputOf(attention, {1, 3, 3, 4}, weights, x);
    x[8] += 1; // of the last token
    attention.causal = true;
    const Values after = outputOf(attention, {1, 3, 3, 4}, weights, x);

    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 8, after.begin()));
    EXPECT_NE(before[8], after[8]);
    EXPECT_NE(before[0], bidirectional[0]);
}

TEST(AttentionReference, WindowOfTheWholeContextIsNoWindow)
{
    Attention attention = smallAttention();
    const auto weights = weightsOf(attention, 4);
    const auto x = randomActivations<double>(20, 1);
    const Values full = outputOf(attention, {1, 5, 5, 4}, weights, x);

    for (const int window : {5, 6, 100}) {
        attention.window = window;
        EXPECT_EQ(outputOf(attention, {1, 5, 5, 4}, weights, x), full) << window;
    }
    attention.window = 4;
    EXPECT_NE(outputOf(attention, {1, 5, 5, 4}, weights, x), full);
}

TEST(AttentionReference, WindowOfOneSeesOnlyItself)
{
    const Attention attention{
        .heads = 1, .kvHeads = 1, .qkvBias = false, .outBias = false, .window = 1};

    EXPECT_THAT(outputOf(attention, {1, 3, 3, 1}, {{1, 1, 1}, {1}}, {1, 2, 3}),
                ElementsAre(1, 2, 3));
}

// Keys (rotated) and values of the first `cached` tokens, as the projection makes them.
Cache cacheOf(const Weights<double>& weights, const Values& x, int cached)
{
    Cache cache;
    for (int t = 0; t < cached; ++t) {
        Values kv(4);
        for (std::size_t c = 0; c < 4; ++c) { // columns 4–7 of the 8: key, value
            kv[c] = weights[1][4 + c];
            for (std::size_t i = 0; i < 4; ++i) {
                kv[c] += x[static_cast<std::size_t>(t) * 4 + i] * weights[0][i * 8 + 4 + c];
            }
        }
        const double cosine = std::cos(t); // of two features, only pair 0: angle = position
        const double sine = std::sin(t);
        cache.keys.insert(cache.keys.end(),
                          {kv[0] * cosine - kv[1] * sine, kv[1] * cosine + kv[0] * sine});
        cache.values.insert(cache.values.end(), {kv[2], kv[3]});
    }
    return cache;
}

TEST(AttentionReference, DecodingWithACacheContinuesThePrefill)
{
    for (const int window : {0, 1, 2, 3, 7}) {
        Attention attention = smallAttention();
        attention.window = window;
        const auto weights = weightsOf(attention, 4);
        const auto x = randomActivations<double>(20, 1);
        const Values prefill = outputOf(attention, {1, 5, 5, 4}, weights, x);
        for (const int cached : {1, 3, 4}) {
            const Cache cache = cacheOf(weights, x, cached);
            const auto start = static_cast<std::ptrdiff_t>(cached) * 4;
            const Values rest(x.begin() + start, x.end());

            const Values y =
                outputOf(attention, {1, 5 - cached, 5, 4}, weights, rest, cache.keys, cache.values);

            EXPECT_THAT(
                y, Pointwise(DoubleNear(kTiny), Values(prefill.begin() + start, prefill.end())))
                << "window " << window << ", cached " << cached;
        }
    }
}

TEST(AttentionReference, QueryHeadsShareKeyValueHeadsInOrder)
{
    // H = 4, G = 2, h = 1; values are 1 for the first key/value head and 100 for the second.
    const Attention attention{
        .heads = 4, .kvHeads = 2, .headDim = 1, .qkvBias = false, .outBias = false};
    const Weights<double> weights{{0, 0, 0, 0, 0, 0, 1, 100}, {1, 10, 1, 10}};

    const Values y = outputOf(attention, {1, 1, 1, 1}, weights, {1});

    EXPECT_DOUBLE_EQ(y.front(), 1 + 10 + 100 + 1000);
}

TEST(AttentionReference, RotaryScoresDependOnDistanceAlone)
{
    // Equal tokens, so that scores differ by position only: with q = k = (1, 0), score = cos(i − j).
    const Attention attention{
        .heads = 1, .kvHeads = 1, .headDim = 2, .qkvBias = false, .outBias = false, .rotary = true};
    const Weights<double> weights{{1, 0, 1, 0, 1, 0}, {1, 0}};
    const double same = std::exp(1.0 / std::sqrt(2.0));
    const double next = std::exp(std::cos(1.0) / std::sqrt(2.0));
    const Values keys{std::cos(5.0), std::sin(5.0)};

    // The query at position 6 with a cached key from 5 whose value is 3; its own value is 1.
    Attention windowed = attention;
    windowed.window = 2;
    Values cachedKeys(12, 0.0);
    Values cachedValues(12, 0.0);
    std::copy(keys.begin(), keys.end(), cachedKeys.begin() + 10);
    cachedValues[10] = 3;
    const Values y = outputOf(windowed, {1, 1, 7, 1}, weights, {1}, cachedKeys, cachedValues);

    EXPECT_NEAR(y.front(), (3 * next + 1 * same) / (next + same), kTiny);
}

TEST(NoMixerReference, AddsNothing)
{
    const Values x{1, 2};
    Values y(2, 5.0);

    forward<double>(MixerSpec(NoMixer{}), Shape{1, 1, 1, 2}, {}, x, {}, {}, y);

    EXPECT_THAT(y, ElementsAre(0, 0));
}

} // namespace
} // namespace flopsmith::reference
