// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer.h"

#include "core/kernels/check.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/cross_attention.h"
#include "tests/core/kernels/cpu/attention_variations.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/support/mixer_cases.h"
#include "tests/support/mixers_with_values.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

struct ReadyMixer
{
    Weights<float> weights;
    std::vector<float> x;
    std::vector<float> keys;
    std::vector<float> values;
    std::unique_ptr<Kernel> kernel;

    ReadyMixer(const MixerSpec& mixer,
               const Shape& shape,
               Threads threads,
               Precision precision = Precision::float32)
        : weights(randomWeights<float>(flopsmith::weights(mixer, shape.dModel), 21))
        , x(randomActivations<float>(operandsOf(mixer, shape).x, 22))
        , keys(randomActivations<float>(operandsOf(mixer, shape).cachedKeys, 23))
        , values(randomActivations<float>(operandsOf(mixer, shape).cachedValues, 24))
        , kernel(std::move(prepare(mixer, shape, weights, {x, keys, values}, threads, precision))
                     .value())
    {}

    std::vector<float> output()
    {
        kernel->run();
        const auto y = kernel->output();
        return {y.begin(), y.end()};
    }
};

std::vector<double> expected(const MixerSpec& mixer, const Shape& shape)
{
    const auto weights = randomWeights<double>(flopsmith::weights(mixer, shape.dModel), 21);
    const MixerOperands operands = operandsOf(mixer, shape);
    const auto x = randomActivations<double>(operands.x, 22);
    const auto keys = randomActivations<double>(operands.cachedKeys, 23);
    const auto values = randomActivations<double>(operands.cachedValues, 24);
    std::vector<double> y(shape.activations());
    reference::forward<double>(mixer, shape, weights, x, keys, values, y);
    return y;
}

void expectAgreement(const MixerSpec& mixer,
                     const Shape& shape,
                     Precision precision = Precision::float32)
{
    SCOPED_TRACE(describe(mixer, fields(mixer), shape));
    const std::vector<double> y = expected(mixer, shape);
    const double terms = std::max(shape.context, shape.source) + 4.0 * shape.dModel
        + longestSum(flopsmith::weights(mixer, shape.dModel));
    for (const int threads : {1, 3}) {
        ReadyMixer run(mixer, shape, {threads}, precision);
        const std::vector<float> fast = run.output();
        const Agreement agreement =
            compare(fast, y, terms, roundingOfTensor(precision, fast.size()));
        EXPECT_TRUE(agreement.agrees) << "error " << agreement.largestError << " of "
                                      << agreement.magnitude << ", " << threads << " threads";
        EXPECT_EQ(run.output(), fast) << "the second run differs, " << threads << " threads";
    }
}

// Prefill as for FFNs, then decode and chunks of a prompt with keys already cached.
std::vector<Shape> mixerShapes()
{
    std::vector<Shape> shapes = awkwardShapes();
    shapes.push_back({.batch = 1, .sequence = 1, .context = 2, .dModel = 8});
    shapes.push_back({.batch = 2, .sequence = 1, .context = 37, .dModel = 24});
    shapes.push_back({.batch = 1, .sequence = 5, .context = 66, .dModel = 12});
    shapes.push_back({.batch = 2, .sequence = 6, .context = 6, .dModel = 8, .source = 19});
    shapes.push_back({.batch = 2, .sequence = 1, .context = 9, .dModel = 12, .source = 21});
    return shapes;
}

class MixerKernels : public testing::TestWithParam<MixerSpec>
{};

TEST_P(MixerKernels, AgreeWithTheReferenceForEveryOption)
{
    Random random(5);
    for (const Shape& shape : mixerShapes()) {
        for (const MixerSpec& mixer :
             variations(GetParam(), fields(GetParam()), shape.dModel, 15, random)) {
            if (test::isSmall(mixer, shape)) {
                expectAgreement(mixer, shape);
            }
        }
    }
}

TEST_P(MixerKernels, AgreeInBfloat16WithinItsBound)
{
    const test::Bfloat16Anywhere bfloat16;
    std::vector<Shape> shapes = shapesToRound();
    shapes.push_back({.batch = 2, .sequence = 1, .context = 37, .dModel = 24});
    shapes.push_back({.batch = 1, .sequence = 5, .context = 66, .dModel = 66});
    for (const Shape& shape : shapes) {
        const FieldContext context{.dModel = shape.dModel};
        expectAgreement(
            legalised(GetParam(), fields(GetParam()), context), shape, Precision::bfloat16);
    }
}

TEST_P(MixerKernels, RoundInBfloat16WhatGoesIntoProjections)
{
    const test::Bfloat16Anywhere bfloat16;
    const Shape shape{.batch = 1, .sequence = 9, .context = 9, .dModel = 48};
    const MixerSpec mixer = legalised(GetParam(), fields(GetParam()), {.dModel = shape.dModel});
    const std::vector<float> exact = ReadyMixer(mixer, shape, {1}).output();
    const std::vector<float> rounded = ReadyMixer(mixer, shape, {1}, Precision::bfloat16).output();

    if (multipliesByWeights(mixer, shape)) {
        const std::vector<double> right(exact.begin(), exact.end());
        EXPECT_FALSE(compare(rounded, right, 4.0 * shape.dModel).agrees);
    } else {
        EXPECT_EQ(rounded, exact);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, MixerKernels, testing::ValuesIn(mixerPrototypes()), mixerName);

// Several blocks of keys and several tiles of queries; the window ends inside a block; cached and
// new keys meet inside a block.
TEST(MixerKernel, AgreesWithOtherValues)
{
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        expectAgreement(mixer, {.batch = 2, .sequence = 9, .context = 9, .dModel = 16});
        expectAgreement(mixer, {.batch = 1, .sequence = 2, .context = 40, .dModel = 16});
    }
}

TEST(AttentionKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const int window : {0, 1, 100, 300}) {
            Attention attention{.heads = 4, .kvHeads = 2, .rotary = true, .window = window};
            attention.algorithm = algorithm;
            expectAgreement(attention, {.batch = 1, .sequence = 330, .context = 330, .dModel = 16});
            expectAgreement(attention, {.batch = 1, .sequence = 70, .context = 600, .dModel = 16});
            expectAgreement(attention, {.batch = 2, .sequence = 1, .context = 700, .dModel = 16});
            attention.causal = false;
            expectAgreement(attention, {.batch = 1, .sequence = 70, .context = 600, .dModel = 16});
        }
    }
}

TEST(AttentionKernel, AgreesBeyondOneBlockOfKeysWithEveryStepOfTheScores)
{
    for (const Attention& attention : attentionsWithEveryStep()) {
        expectAgreement(attention, {.batch = 1, .sequence = 330, .context = 330, .dModel = 16});
        expectAgreement(attention, {.batch = 1, .sequence = 70, .context = 600, .dModel = 16});
        expectAgreement(attention, {.batch = 2, .sequence = 1, .context = 700, .dModel = 16});
    }
}

TEST(LatentAttentionKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const LatentForm form :
             {LatentForm::automatic, LatentForm::expanded, LatentForm::absorbed}) {
            LatentAttention attention{.heads = 5,
                                      .qLoraRank = 9,
                                      .kvLoraRank = 24,
                                      .qkNopeDim = 7,
                                      .qkRopeDim = 6,
                                      .vHeadDim = 11,
                                      .form = form,
                                      .algorithm = algorithm};
            expectAgreement(attention, {.batch = 1, .sequence = 330, .context = 330, .dModel = 16});
            expectAgreement(attention, {.batch = 2, .sequence = 70, .context = 600, .dModel = 16});
            expectAgreement(attention, {.batch = 2, .sequence = 1, .context = 700, .dModel = 16});
            attention.cache = LatentCache::keysAndValues;
            expectAgreement(attention, {.batch = 2, .sequence = 1, .context = 700, .dModel = 16});
        }
    }
}

// First keys too wide to be packed, then more heads than registers have rows.
TEST(LatentAttentionKernel, AgreesWithWideLatentsAndManyHeads)
{
    LatentAttention attention{.heads = 2,
                              .kvLoraRank = 530,
                              .qkNopeDim = 5,
                              .qkRopeDim = 4,
                              .vHeadDim = 3,
                              .form = LatentForm::absorbed};
    expectAgreement(attention, {.batch = 1, .sequence = 40, .context = 300, .dModel = 8});
    attention.kvLoraRank = 20;
    attention.heads = 70;
    expectAgreement(attention, {.batch = 2, .sequence = 1, .context = 300, .dModel = 8});
    expectAgreement(attention, {.batch = 1, .sequence = 7, .context = 300, .dModel = 8});
}

TEST(CrossAttentionKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        const CrossAttention attention{.heads = 4, .kvHeads = 2, .algorithm = algorithm};
        expectAgreement(attention,
                        {.batch = 2, .sequence = 70, .context = 70, .dModel = 16, .source = 600});
        expectAgreement(attention,
                        {.batch = 2, .sequence = 1, .context = 5, .dModel = 16, .source = 700});
        expectAgreement(attention,
                        {.batch = 2, .sequence = 70, .context = 70, .dModel = 16, .source = 3});
    }
}

TEST(AttentionKernel, StaysFiniteWithScoresFarFromZero)
{
    const Attention attention{.heads = 1, .kvHeads = 1, .qkvBias = false, .outBias = false};
    const Shape shape{.batch = 1, .sequence = 40, .context = 40, .dModel = 4};
    ReadyMixer run(attention, shape, {1});
    for (float& value : run.x) {
        value *= 1000.0F;
    }

    for (const float y : run.output()) {
        EXPECT_TRUE(std::isfinite(y));
    }
}

// Scores of 256 TiB are more than any address space holds.
TEST(AttentionKernel, SaysSoWhenMemoryIsShort)
{
    if (kSanitized) {
        GTEST_SKIP() << "sanitizers stop the program instead";
    }
    Attention attention{.heads = 1, .kvHeads = 1};
    attention.algorithm = AttentionAlgorithm::materialised;
    const Shape shape{.batch = 1, .sequence = 1 << 23, .context = 1 << 23, .dModel = 1};
    const auto weights = randomWeights<float>(flopsmith::weights(attention, 1), 1);
    const std::vector<float> x(shape.activations());

    const auto kernel = prepare(attention, shape, weights, {x, {}, {}}, {1});

    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().message.find("memory"), std::string::npos);
}

} // namespace
} // namespace flopsmith::cpu
