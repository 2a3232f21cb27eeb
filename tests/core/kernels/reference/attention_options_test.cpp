// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer/attention_parts.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/mixer_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr Shape kShape{.batch = 2, .sequence = 5, .context = 5, .dModel = 24};

// What a forward and a backward pass make of the same x and dy.
struct Passes
{
    Values y;
    Values dx;
    Weights<double> gradients;
};

Passes passesOf(const Attention& attention, const Weights<double>& weights)
{
    const auto x = randomActivations<double>(kShape.activations(), 1);
    const auto dy = randomActivations<double>(kShape.activations(), 2);
    Passes passes{outputOf(attention, kShape, weights, x), Values(x.size()), weights};
    backward<double>(attention, kShape, weights, x, dy, passes.dx, passes.gradients);
    return passes;
}

Weights<double> weightsOf(const Attention& attention)
{
    return randomWeights<double>(flopsmith::weights(attention, kShape.dModel), 7);
}

void expectNear(const Passes& a, const Passes& b, double tolerance)
{
    EXPECT_THAT(a.y, Pointwise(DoubleNear(tolerance), b.y));
    EXPECT_THAT(a.dx, Pointwise(DoubleNear(tolerance), b.dx));
    EXPECT_THAT(a.gradients.front(), Pointwise(DoubleNear(tolerance), b.gradients.front()));
}

void expectEqual(const Passes& a, const Passes& b)
{
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.dx, b.dx);
    EXPECT_EQ(a.gradients, b.gradients);
}

// Four query heads of six features on two key heads, causal or not, by either algorithm.
std::vector<Attention> plainAttentions()
{
    std::vector<Attention> all;
    for (const bool causal : {true, false}) {
        for (const AttentionAlgorithm algorithm :
             {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
            all.push_back({.heads = 4, .kvHeads = 2, .causal = causal, .algorithm = algorithm});
        }
    }
    return all;
}

TEST(AttentionOptions, ACapFarAboveTheScoresIsNone)
{
    for (const Attention& plain : plainAttentions()) {
        Attention capped = plain;
        capped.softCap = 1e7;

        expectNear(passesOf(capped, weightsOf(plain)), passesOf(plain, weightsOf(plain)), 1e-9);
    }
}

TEST(AttentionOptions, RotaryOfAllFeaturesIsTheWholeRotary)
{
    for (Attention whole : plainAttentions()) {
        whole.rotary = true;
        Attention named = whole;
        named.rotaryDim = 6;

        expectEqual(passesOf(named, weightsOf(whole)), passesOf(whole, weightsOf(whole)));
    }
}

TEST(AttentionOptions, PartialRotaryLeavesTheOtherFeaturesAlone)
{
    std::vector<double> row{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const Attention attention{
        .heads = 1, .kvHeads = 1, .headDim = 3, .rotary = true, .rotaryDim = 2};

    rotateAll<double>(Sizes(attention, {1, 1, 4, 3}), row);

    EXPECT_DOUBLE_EQ(row[0], std::cos(3.0) - 2 * std::sin(3.0)); // the query, at position 3
    EXPECT_DOUBLE_EQ(row[1], 2 * std::cos(3.0) + std::sin(3.0));
    EXPECT_DOUBLE_EQ(row[2], 3);
    EXPECT_DOUBLE_EQ(row[3], 4 * std::cos(3.0) - 5 * std::sin(3.0)); // the key
    EXPECT_DOUBLE_EQ(row[5], 6);
    EXPECT_DOUBLE_EQ(row[6], 7); // the value
}

TEST(AttentionOptions, SinksOfMinusInfinityAreNone)
{
    for (const Attention& plain : plainAttentions()) {
        Attention sunk = plain;
        sunk.sinks = true;
        Weights<double> weights = weightsOf(plain);
        const Passes without = passesOf(plain, weights);
        weights.insert(weights.begin() + 2, Values(4, -std::numeric_limits<double>::infinity()));
        const Passes with = passesOf(sunk, weights);

        expectNear(with, without, kTiny);
        EXPECT_THAT(with.gradients[2], testing::Each(0.0));
    }
}

// One token: its probability is 1/(1 + e^(sink − score)), the rest is the sink's.
TEST(AttentionOptions, ASinkTakesItsShareOfTheProbabilityAndGivesNothing)
{
    Attention attention{.heads = 1, .kvHeads = 1, .qkvBias = false, .outBias = false};
    attention.sinks = true;

    const Values y = outputOf(attention, {1, 1, 1, 1}, {{2, 3, 5}, {0.7}, {1}}, {1});

    EXPECT_NEAR(y.front(), 5 / (1 + std::exp(0.7 - 2 * 3)), kTiny);
}

TEST(AttentionOptions, NormsOfOneHeadAndOfAllHeadsAgreeIfThereIsOne)
{
    for (const NormKind kind : {NormKind::rmsNorm, NormKind::layerNorm}) {
        for (const bool shift : {false, true}) {
            Attention perHead{.heads = 1, .kvHeads = 1};
            perHead.qkNorm = QkNorm::perHead;
            perHead.qkNormKind = kind;
            perHead.qkNormShift = shift;
            Attention fullWidth = perHead;
            fullWidth.qkNorm = QkNorm::fullWidth;

            expectEqual(passesOf(perHead, weightsOf(perHead)),
                        passesOf(fullWidth, weightsOf(perHead)));
        }
    }
}

TEST(AttentionOptions, NormalisedQueriesAndKeysDoNotChangeWithTheSizeOfTheirWeights)
{
    for (const QkNorm norm : {QkNorm::perHead, QkNorm::fullWidth}) {
        Attention attention{.heads = 4, .kvHeads = 2, .qkvBias = false};
        attention.qkNorm = norm;
        Weights<double> weights = weightsOf(attention);
        const Values before = passesOf(attention, weights).y;
        for (std::size_t i = 0; i < weights[0].size(); ++i) {
            weights[0][i] *=
                i % 48 < 36 ? 1000 : 1; // 24 columns of queries, 12 of keys, 12 of values
        }
        const Values after = passesOf(attention, weights).y;

        EXPECT_THAT(after, Pointwise(DoubleNear(1e-4), before)); // but for ε under the root
    }
}

TEST(AttentionOptions, ATableOfZerosIsNoBias)
{
    for (const Attention& plain : plainAttentions()) {
        for (const PositionBias bias : {PositionBias::relative, PositionBias::sharedRelative}) {
            Attention biased = plain;
            biased.positionBias = bias;
            Weights<double> weights = weightsOf(plain);
            const Passes without = passesOf(plain, weights);
            weights.insert(weights.begin() + 2, Values(32 * 4, 0.0));

            expectNear(passesOf(biased, weights), without, kTiny);
        }
    }
}

// Up to 16 tokens every distance has a bucket of its own.
TEST(AttentionOptions, ATableOfSlopesTimesDistancesIsAlibi)
{
    for (Attention attention : plainAttentions()) {
        attention.positionBias = PositionBias::alibi;
        Weights<double> weights = weightsOf(attention);
        const Passes alibi = passesOf(attention, weights);
        Values table(32 * 4);
        for (int offset = 1 - kShape.context; offset < kShape.context; ++offset) {
            for (int head = 0; head < 4; ++head) {
                const int bucket = relativeBucket(offset, 32, attention.direction());
                table[static_cast<std::size_t>(bucket * 4 + head)] = -alibiSlope(head, 4)
                    * (attention.causal ? std::abs(std::min(offset, 0)) : std::abs(offset));
            }
        }
        weights.insert(weights.begin() + 2, table);
        attention.positionBias = PositionBias::relative;

        expectNear(passesOf(attention, weights), alibi, kTiny);
    }
}

// Scores are 0, values 1, 10, 100: the probabilities are those of the biases alone.
TEST(AttentionOptions, AlibiProbabilitiesFallWithDistanceByTheHeadsSlope)
{
    Attention attention{.heads = 2,
                        .kvHeads = 1,
                        .headDim = 1,
                        .causal = false,
                        .qkvBias = false,
                        .outBias = false};
    attention.positionBias = PositionBias::alibi;
    const double near = std::exp(-1.0 / 16);
    const double far = std::exp(-2.0 / 16);

    // Columns: query, query, key, value; only the first head, with slope 1/16, goes out.
    const Values y = outputOf(attention, {1, 3, 3, 1}, {{0, 0, 0, 1}, {1, 0}}, {1, 10, 100});

    EXPECT_NEAR(y[0], (1 + 10 * near + 100 * far) / (1 + near + far), kTiny);
    EXPECT_NEAR(y[1], (1 * near + 10 + 100 * near) / (1 + 2 * near), kTiny);
    EXPECT_NEAR(y[2], (1 * far + 10 * near + 100) / (1 + near + far), kTiny);
}

TEST(AttentionOptions, ALearnedBiasIsTheEntryOfBucketAndHead)
{
    Attention attention{.heads = 1,
                        .kvHeads = 1,
                        .headDim = 1,
                        .causal = false,
                        .qkvBias = false,
                        .outBias = false};
    attention.positionBias = PositionBias::relative;
    attention.relativeBuckets = 4; // 0: itself, 1: before, 2: unused, 3: after
    const double before = std::exp(0.3);
    const double after = std::exp(-0.4);

    const Values y =
        outputOf(attention, {1, 3, 3, 1}, {{0, 0, 1}, {0, 0.3, 9, -0.4}, {1}}, {1, 10, 100});

    EXPECT_NEAR(y[0], (1 + (10 + 100) * after) / (1 + 2 * after), kTiny);
    EXPECT_NEAR(y[1], (1 * before + 10 + 100 * after) / (before + 1 + after), kTiny);
    EXPECT_NEAR(y[2], ((1 + 10) * before + 100) / (2 * before + 1), kTiny);
}

TEST(AttentionOptions, ASharedTableIsReadAndTrainedLikeAnOwnOne)
{
    for (Attention attention : plainAttentions()) {
        attention.positionBias = PositionBias::relative;
        Attention shared = attention;
        shared.positionBias = PositionBias::sharedRelative;

        expectEqual(passesOf(attention, weightsOf(attention)),
                    passesOf(shared, weightsOf(attention)));
    }
}

// q·k without 1/√h is q·k with queries √h times as large.
TEST(AttentionOptions, UnscaledScoresAreThoseOfLargerQueries)
{
    for (Attention scaled : plainAttentions()) {
        scaled.qkvBias = false;
        Attention unscaled = scaled;
        unscaled.scaleScores = false;
        Weights<double> weights = weightsOf(scaled);
        const Values y = passesOf(unscaled, weights).y;
        for (std::size_t i = 0; i < weights[0].size(); ++i) {
            weights[0][i] *= i % 48 < 24 ? std::sqrt(6.0) : 1;
        }

        EXPECT_THAT(passesOf(scaled, weights).y, Pointwise(DoubleNear(1e-11), y));
    }
}

TEST(AttentionOptions, AWindowOnBothSidesSeesHalfOfItOnEither)
{
    // Scores are 0: the mean of what is seen.
    Attention attention{
        .heads = 1, .kvHeads = 1, .causal = false, .qkvBias = false, .outBias = false};
    const auto outputs = [&](int window) {
        attention.window = window;
        return outputOf(attention, {1, 5, 5, 1}, {{0, 0, 1}, {1}}, {1, 10, 100, 1000, 10000});
    };

    EXPECT_EQ(outputs(1), (Values{1, 10, 100, 1000, 10000}));
    for (const int window : {2, 3}) {
        EXPECT_THAT(outputs(window), Pointwise(DoubleNear(1e-9), Values{5.5, 37, 370, 3700, 5500}));
    }
    EXPECT_EQ(outputs(8), outputs(0));
    EXPECT_NE(outputs(7), outputs(0));
}

// Keys and values of all tokens as the cache holds them: normalised, rotated.
Cache cacheOf(const Attention& attention,
              const Shape& whole,
              const Weights<double>& weights,
              const Values& x,
              std::size_t cached)
{
    const AttentionTensors places(attention);
    const Sizes n(attention, whole);
    Values qkv(n.tokens() * n.rowWidth());
    linear<double>(n.tokens(), x, weights[0], presentOrNull(weights, places.qkvBias), qkv);
    normaliseQk<double>(attention, n, weights, qkv);
    if (attention.rotary) {
        rotateAll<double>(n, qkv);
    }
    Cache cache;
    for (std::size_t t = 0; t < cached; ++t) {
        const auto key = qkv.begin() + static_cast<std::ptrdiff_t>(t * n.rowWidth() + n.queryWidth);
        const auto width = static_cast<std::ptrdiff_t>(n.kvWidth);
        cache.keys.insert(cache.keys.end(), key, key + width);
        cache.values.insert(cache.values.end(), key + width, key + 2 * width);
    }
    return cache;
}

// Windows, positions, biases and sinks mean the same with a cache as without.
TEST(AttentionOptions, DecodingWithACacheContinuesThePrefillWhateverTheOptions)
{
    constexpr int kWidth = 12;
    constexpr int kTokens = 7;
    for (const MixerSpec& mixer : test::mixerCases(kWidth, 6)) {
        if (!holds_alternative<Attention>(mixer)) {
            continue;
        }
        const auto& attention = get<Attention>(mixer);
        const auto weights = randomWeights<double>(flopsmith::weights(mixer, kWidth), 3);
        const auto x = randomActivations<double>(kWidth * kTokens, 4);
        const Shape whole{1, kTokens, kTokens, kWidth};
        const Values prefill = outputOf(attention, whole, weights, x);
        for (const int cached : {1, 4, 6}) {
            const Cache cache =
                cacheOf(attention, whole, weights, x, static_cast<std::size_t>(cached));
            const std::ptrdiff_t start = cached * kWidth;

            const Values y = outputOf(attention,
                                      {1, kTokens - cached, kTokens, kWidth},
                                      weights,
                                      Values(x.begin() + start, x.end()),
                                      cache.keys,
                                      cache.values);

            ASSERT_THAT(
                y, Pointwise(DoubleNear(1e-11), Values(prefill.begin() + start, prefill.end())))
                << test::describe(mixer) << "cached " << cached;
        }
    }
}

} // namespace
} // namespace flopsmith::reference
