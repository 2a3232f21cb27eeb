// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/mixer.h"

#include "core/kernels/reference/mixer.h"
#include "core/mixer/cross_attention.h"
#include "tests/core/kernels/cpu/attention_variations.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/core/kernels/cuda/device_under_test.h"
#include "tests/support/mixer_cases.h"
#include "tests/support/mixers_with_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::cuda {
namespace {

using Tensors = std::vector<std::vector<double>>;

enum class Pass { forward, backward };

// y; or dx and then the gradients of the weights.
Tensors expected(const MixerSpec& mixer, const Shape& shape, Pass pass)
{
    const WeightShapes shapes = weights(mixer, shape.dModel);
    const auto values = randomWeights<double>(shapes, 21);
    const MixerOperands operands = operandsOf(mixer, shape);
    const auto x = randomActivations<double>(operands.x, 22);
    const auto keys = randomActivations<double>(operands.cachedKeys, 23);
    const auto cached = randomActivations<double>(operands.cachedValues, 24);
    if (pass == Pass::forward) {
        std::vector<double> y(shape.activations());
        reference::forward<double>(mixer, shape, values, x, keys, cached, y);
        return {y};
    }
    const auto dy = randomActivations<double>(shape.activations(), 25);
    std::vector<double> dx(x.size());
    Tensors all = zeros<double>(shapes);
    reference::backward<double>(mixer, shape, values, x, dy, dx, all);
    all.insert(all.begin(), dx);
    return all;
}

double largestIn(const Tensors& tensors)
{
    double largest = 0.0;
    for (const auto& tensor : tensors) {
        for (const double value : tensor) {
            largest = std::max(largest, std::abs(value));
        }
    }
    return largest;
}

// The size of terms whose difference a gradient is: a softmax over one key, or over keys that are
// alike, has none, so that only rounding is left. With rounded operands all differences keep some.
double cancellingTerms(const MixerSpec& mixer, const Shape& shape, const Tensors& right)
{
    const auto* latent = get_if<LatentAttention>(&mixer);
    const bool alike = latent != nullptr && latent->kvLoraRank == 1;
    const int keys = readsSource(mixer) && shape.source > 0 ? shape.source : shape.context;
    const double none =
        alike || keys == 1 ? std::sqrt(cpu::longestSum(weights(mixer, shape.dModel))) : 0.0;
    return std::max(largestIn(right), none);
}

void expectTensors(const std::vector<float>& found,
                   const Tensors& right,
                   double terms,
                   double rounding,
                   double cancelling)
{
    const double left = (16 * std::numeric_limits<float>::epsilon() + 8 * rounding) * cancelling;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const std::size_t size = right[i].size();
        ASSERT_LE(begin + size, found.size());
        const Agreement agreement =
            compare(std::span<const float>(found).subspan(begin, size), right[i], terms, rounding);
        EXPECT_TRUE(agreement.agrees || size == 0 || agreement.largestError <= left)
            << "tensor " << i << ": error " << agreement.largestError << " of "
            << agreement.magnitude << ", tolerance " << agreement.tolerance;
        begin += size;
    }
    EXPECT_EQ(begin, found.size());
}

class CudaMixing : public OnDevice
{
protected:
    // Skips where the variant is missing.
    static void expectAgreement(const MixerSpec& mixer,
                                const Shape& shape,
                                Pass pass,
                                ProductPrecision precision = ProductPrecision::float32)
    {
        SCOPED_TRACE(cpu::describe(mixer, fields(mixer), shape) + ", " + nameOf(precision));
        const auto device = openDevice(precision);
        const WeightShapes shapes = weights(mixer, shape.dModel);
        const auto values = randomWeights<float>(shapes, 21);
        const MixerOperands operands = operandsOf(mixer, shape);
        const auto x = randomActivations<float>(operands.x, 22);
        const auto keys = randomActivations<float>(operands.cachedKeys, 23);
        const auto cached = randomActivations<float>(operands.cachedValues, 24);
        const auto dy = randomActivations<float>(shape.activations(), 25);
        const Result<std::unique_ptr<Kernel>> kernel = pass == Pass::backward
            ? prepare(mixer, shape, values, {x, keys, cached}, *device, dy)
            : prepare(mixer, shape, values, {x, keys, cached}, *device);
        ASSERT_TRUE(kernel) << kernel.error().message;
        const std::vector<float> found = outputOf(**kernel);
        const Tensors right = expected(mixer, shape, pass);
        // A gradient of q | k | v is summed over keys, features and tokens.
        const double terms =
            (std::max(shape.context, shape.source) + 4.0 * shape.dModel + cpu::longestSum(shapes))
            * (pass == Pass::backward ? 4.0 : 1.0);
        expectTensors(
            found, right, terms, operandRounding(precision), cancellingTerms(mixer, shape, right));
        expectRepeats(**kernel, *device, found);
    }
};

class CudaMixer
    : public CudaMixing
    , public testing::WithParamInterface<MixerSpec>
{
protected:
    void expectAgreementEverywhere(Pass pass, const std::vector<Shape>& shapes)
    {
        Random random(5);
        for (const Shape& shape : shapes) {
            for (const MixerSpec& mixer :
                 cpu::variations(GetParam(), fields(GetParam()), shape.dModel, 6, random)) {
                if (test::isSmall(mixer, shape)) {
                    expectAgreement(mixer, shape, pass);
                }
                if (HasFatalFailure() || IsSkipped()) {
                    return;
                }
            }
        }
    }
};

// Not the largest of the awkward shapes: the emulation is slow, and the tests below go beyond.
std::vector<Shape> prefills()
{
    std::vector<Shape> shapes = cpu::awkwardShapes();
    shapes.back() = {.batch = 1, .sequence = 33, .context = 33, .dModel = 20};
    shapes.push_back({.batch = 2, .sequence = 6, .context = 6, .dModel = 8, .source = 19});
    return shapes;
}

// Decode, and chunks of a prompt with keys already cached.
std::vector<Shape> decodes()
{
    return {{.batch = 1, .sequence = 1, .context = 2, .dModel = 8},
            {.batch = 2, .sequence = 1, .context = 37, .dModel = 24},
            {.batch = 1, .sequence = 5, .context = 66, .dModel = 12},
            {.batch = 2, .sequence = 1, .context = 9, .dModel = 12, .source = 21}};
}

TEST_P(CudaMixer, AgreesWithTheReferenceForEveryOption)
{
    expectAgreementEverywhere(Pass::forward, prefills());
}

TEST_P(CudaMixer, AgreesWithTheReferenceWithCachedKeys)
{
    expectAgreementEverywhere(Pass::forward, decodes());
}

TEST_P(CudaMixer, PassesGradientsBackLikeTheReferenceForEveryOption)
{
    expectAgreementEverywhere(Pass::backward, prefills());
}

TEST_P(CudaMixer, AgreesWithinTheRoundingOfItsOperands)
{
    const Shape shape{.batch = 2, .sequence = 9, .context = 9, .dModel = 24};
    Random random(5);
    const MixerSpec mixer =
        cpu::variations(GetParam(), fields(GetParam()), shape.dModel, 0, random).front();
    for (const ProductPrecision precision : kPrecisions) {
        expectAgreement(mixer, shape, Pass::forward, precision);
        expectAgreement(mixer, shape, Pass::backward, precision);
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, CudaMixer, testing::ValuesIn(mixerPrototypes()), cpu::mixerName);

class CudaAttention : public CudaMixing
{};

// The window is shorter than the sequence, or there is none; cached and new keys.
TEST_F(CudaAttention, AgreesWithOtherValues)
{
    const Shape prefill{.batch = 2, .sequence = 9, .context = 9, .dModel = 16};
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        expectAgreement(mixer, prefill, Pass::forward);
        expectAgreement(mixer, prefill, Pass::backward);
    }
}

TEST_F(CudaAttention, AgreesForManyKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const int window : {0, 40}) {
            Attention attention{.heads = 4, .kvHeads = 2, .rotary = true, .window = window};
            attention.algorithm = algorithm;
            const Shape prefill{.batch = 1, .sequence = 90, .context = 90, .dModel = 16};
            expectAgreement(attention, prefill, Pass::forward);
            expectAgreement(attention, prefill, Pass::backward);
            expectAgreement(attention,
                            {.batch = 1, .sequence = 30, .context = 150, .dModel = 16},
                            Pass::forward);
            expectAgreement(attention,
                            {.batch = 2, .sequence = 1, .context = 200, .dModel = 16},
                            Pass::forward);
            attention.causal = false;
            expectAgreement(attention, prefill, Pass::forward);
            expectAgreement(attention, prefill, Pass::backward);
        }
    }
}

TEST_F(CudaAttention, AgreesWithEveryStepOfTheScores)
{
    for (const Attention& attention : cpu::attentionsWithEveryStep()) {
        // A strip of queries and a bit.
        const Shape prefill{.batch = 1, .sequence = 270, .context = 270, .dModel = 16};
        expectAgreement(attention, prefill, Pass::forward);
        expectAgreement(attention, prefill, Pass::backward);
        expectAgreement(
            attention, {.batch = 2, .sequence = 3, .context = 170, .dModel = 16}, Pass::forward);
    }
}

TEST_F(CudaAttention, AgreesForHeadsOfAnyWidth)
{
    for (const ProductPrecision precision : kPrecisions) {
        for (const int headDim : {40, 96, 200}) {
            Attention attention{.heads = 2, .kvHeads = 1, .headDim = headDim};
            const Shape shape{.batch = 1, .sequence = 10, .context = 10, .dModel = 16};
            expectAgreement(attention, shape, Pass::forward, precision);
            expectAgreement(attention, shape, Pass::backward, precision);
            attention.algorithm = AttentionAlgorithm::materialised;
            attention.softCap = 2.0;
            expectAgreement(attention, shape, Pass::forward, precision);
            expectAgreement(attention, shape, Pass::backward, precision);
        }
    }
}

TEST_F(CudaAttention, AgreesWithCachedKeysWithinTheRoundingOfItsOperands)
{
    for (const ProductPrecision precision : kPrecisions) {
        for (const AttentionAlgorithm algorithm :
             {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
            Attention attention{.heads = 4, .kvHeads = 2, .headDim = 12};
            attention.algorithm = algorithm;
            expectAgreement(attention,
                            {.batch = 2, .sequence = 2, .context = 140, .dModel = 16},
                            Pass::forward,
                            precision);
        }
    }
}

class CudaLatentAttention : public CudaMixing
{};

TEST_F(CudaLatentAttention, AgreesForManyKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const LatentForm form :
             {LatentForm::automatic, LatentForm::expanded, LatentForm::absorbed}) {
            LatentAttention attention{.heads = 3,
                                      .qLoraRank = 9,
                                      .kvLoraRank = 24,
                                      .qkNopeDim = 7,
                                      .qkRopeDim = 6,
                                      .vHeadDim = 11,
                                      .form = form,
                                      .algorithm = algorithm};
            const Shape prefill{.batch = 2, .sequence = 90, .context = 90, .dModel = 16};
            expectAgreement(attention, prefill, Pass::forward);
            expectAgreement(attention, prefill, Pass::backward);
            for (const LatentCache cache : {LatentCache::latents, LatentCache::keysAndValues}) {
                attention.cache = cache;
                expectAgreement(attention,
                                {.batch = 2, .sequence = 3, .context = 200, .dModel = 16},
                                Pass::forward);
            }
        }
    }
}

class CudaCrossAttention : public CudaMixing
{};

TEST_F(CudaCrossAttention, AgreesForManyKeys)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        const CrossAttention attention{.heads = 4, .kvHeads = 2, .algorithm = algorithm};
        const Shape prefill{.batch = 2, .sequence = 70, .context = 70, .dModel = 16, .source = 150};
        expectAgreement(attention, prefill, Pass::forward);
        expectAgreement(attention, prefill, Pass::backward);
        expectAgreement(attention,
                        {.batch = 2, .sequence = 1, .context = 5, .dModel = 16, .source = 200},
                        Pass::forward);
    }
}

} // namespace
} // namespace flopsmith::cuda
