// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/check.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/cross_attention.h"
#include "tests/core/kernels/cpu/attention_variations.h"
#include "tests/core/kernels/cpu/backward_run.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/support/mixer_cases.h"
#include "tests/support/mixers_with_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

std::vector<std::vector<double>> expectedGradients(const MixerSpec& mixer, const Shape& shape)
{
    const WeightShapes shapes = flopsmith::weights(mixer, shape.dModel);
    const auto weights = randomWeights<double>(shapes, 21);
    const auto x = randomActivations<double>(operandsOf(mixer, shape).x, 22);
    const auto dy = randomActivations<double>(shape.activations(), 23);
    std::vector<std::vector<double>> all = zeros<double>(shapes);
    std::vector<double> dx(x.size());
    reference::backward<double>(mixer, shape, weights, x, dy, dx, all);
    all.insert(all.begin(), dx);
    return all;
}

// The size of terms whose difference a gradient is: a softmax over one key, or over keys that are
// alike (a latent of one feature is ±1 after its norm), has none, so that only rounding is left. The
// norm of one feature itself leaves the difference of two gradients, each times at most 1/√ε.
double cancellingTerms(const MixerSpec& mixer, const Shape& shape, double largest)
{
    const auto* latent = get_if<LatentAttention>(&mixer);
    const auto* recurrence = get_if<Mamba2>(&mixer);
    const bool alike = (latent != nullptr && latent->kvLoraRank == 1)
        || (recurrence != nullptr && recurrence->normGroups == recurrence->inner());
    const int keys = readsSource(mixer) && shape.source > 0 ? shape.source : shape.context;
    const double terms = std::sqrt(longestSum(flopsmith::weights(mixer, shape.dModel)));
    // A recurrence multiplies x, B, C, its step and a gate: each comes rounded out of a projection.
    constexpr double kRoundedFactors = 5.0;
    const double rounded = recurrence != nullptr ? kRoundedFactors * largest : largest;
    return std::max({rounded,
                     alike || keys == 1 ? terms : 0.0,
                     alike ? rounded / std::sqrt(kNormEpsilon) : 0.0});
}

void expectGradients(const MixerSpec& mixer,
                     const Shape& shape,
                     Precision precision = Precision::float32)
{
    SCOPED_TRACE(describe(mixer, fields(mixer), shape));
    const WeightShapes shapes = flopsmith::weights(mixer, shape.dModel);
    const auto weights = randomWeights<float>(shapes, 21);
    const auto x = randomActivations<float>(operandsOf(mixer, shape).x, 22);
    const auto dy = randomActivations<float>(shape.activations(), 23);
    const auto right = expectedGradients(mixer, shape);
    // A gradient of q | k | v is summed over keys, features and tokens.
    const double terms =
        (std::max(shape.context, shape.source) + 4.0 * shape.dModel + longestSum(shapes)) * 4.0;
    for (const int threads : {1, 2, 3}) {
        const auto kernel =
            std::move(prepareBackward(mixer, shape, weights, x, dy, {threads}, precision)).value();
        // What goes through softmax is a difference, of nothing if a query sees a single key.
        expectTensors(
            *kernel, right, terms, cancellingTerms(mixer, shape, largestIn(right)), precision);
    }
}

class MixerBackwardKernels : public testing::TestWithParam<MixerSpec>
{};

TEST_P(MixerBackwardKernels, AgreeWithTheReferenceForEveryOption)
{
    Random random(5);
    std::vector<Shape> shapes = awkwardShapes();
    shapes.push_back({.batch = 2, .sequence = 6, .context = 6, .dModel = 8, .source = 19});
    for (const Shape& shape : shapes) {
        if (shape.context == shape.sequence) {
            for (const MixerSpec& mixer :
                 variations(GetParam(), fields(GetParam()), shape.dModel, 10, random)) {
                if (test::isSmall(mixer, shape)) {
                    expectGradients(mixer, shape);
                }
            }
        }
    }
}

TEST_P(MixerBackwardKernels, AgreeInBfloat16WithinItsBound)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const Shape& shape : shapesToRound()) {
        const FieldContext context{.dModel = shape.dModel};
        expectGradients(
            legalised(GetParam(), fields(GetParam()), context), shape, Precision::bfloat16);
    }
}

TEST_P(MixerBackwardKernels, SayThatTheyKnowNoCachedKeys)
{
    const MixerSpec mixer = GetParam();
    const Shape shape{.batch = 1, .sequence = 1, .context = 5, .dModel = 12};
    const auto weights = randomWeights<float>(flopsmith::weights(mixer, 12), 1);
    const std::vector<float> x(12);

    const auto kernel = prepareBackward(mixer, shape, weights, x, x, {1});

    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().message.find("4 cached keys"), std::string::npos)
        << kernel.error().message;
}

INSTANTIATE_TEST_SUITE_P(Variants,
                         MixerBackwardKernels,
                         testing::ValuesIn(mixerPrototypes()),
                         mixerName);

// Several blocks of keys and several tiles of queries; the window ends inside a block.
TEST(MixerBackwardKernel, AgreesWithOtherValues)
{
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        expectGradients(mixer, {.batch = 2, .sequence = 9, .context = 9, .dModel = 16});
    }
}

TEST(AttentionBackwardKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const int window : {0, 1, 100, 300}) {
            Attention attention{.heads = 4, .kvHeads = 2, .rotary = true, .window = window};
            attention.algorithm = algorithm;
            expectGradients(attention, {.batch = 1, .sequence = 330, .context = 330, .dModel = 16});
        }
        Attention attention{.heads = 3, .kvHeads = 1, .causal = false};
        attention.algorithm = algorithm;
        expectGradients(attention, {.batch = 2, .sequence = 270, .context = 270, .dModel = 12});
    }
}

TEST(AttentionBackwardKernel, AgreesBeyondOneBlockOfKeysWithEveryStepOfTheScores)
{
    for (const Attention& attention : attentionsWithEveryStep()) {
        expectGradients(attention, {.batch = 1, .sequence = 330, .context = 330, .dModel = 16});
    }
}

// A tile ends between the heads of a query.
TEST(LatentAttentionBackwardKernel, AgreesWithMoreHeadsThanATileHasRows)
{
    const LatentAttention attention{.heads = 200,
                                    .kvLoraRank = 12,
                                    .qkNopeDim = 3,
                                    .qkRopeDim = 2,
                                    .vHeadDim = 4,
                                    .form = LatentForm::absorbed};
    expectGradients(attention, {.batch = 1, .sequence = 9, .context = 9, .dModel = 8});
}

TEST(LatentAttentionBackwardKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const LatentForm form : {LatentForm::expanded, LatentForm::absorbed}) {
            const LatentAttention attention{.heads = 5,
                                            .qLoraRank = 9,
                                            .kvLoraRank = 24,
                                            .qkNopeDim = 7,
                                            .qkRopeDim = 6,
                                            .vHeadDim = 11,
                                            .form = form,
                                            .algorithm = algorithm};
            expectGradients(attention, {.batch = 2, .sequence = 290, .context = 290, .dModel = 16});
        }
    }
}

TEST(CrossAttentionBackwardKernel, AgreesBeyondOneBlockOfKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        const CrossAttention attention{.heads = 4, .kvHeads = 2, .algorithm = algorithm};
        expectGradients(attention,
                        {.batch = 1, .sequence = 70, .context = 70, .dModel = 16, .source = 300});
        expectGradients(attention,
                        {.batch = 2, .sequence = 270, .context = 270, .dModel = 16, .source = 3});
    }
}

} // namespace
} // namespace flopsmith::cpu
