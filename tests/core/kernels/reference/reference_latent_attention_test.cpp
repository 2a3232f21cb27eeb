// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/latent_parts.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

LatentAttention smallLatent()
{
    return {.heads = 3,
            .qLoraRank = 5,
            .kvLoraRank = 7,
            .qkNopeDim = 3,
            .qkRopeDim = 4,
            .vHeadDim = 5,
            .bias = true,
            .form = LatentForm::expanded};
}

// Every combination of the options that change what is computed on the way.
std::vector<LatentAttention> options()
{
    std::vector<LatentAttention> all;
    for (const int rank : {0, 5}) {
        for (const bool causal : {true, false}) {
            for (const auto algorithm :
                 {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
                LatentAttention attention = smallLatent();
                attention.qLoraRank = rank;
                attention.causal = causal;
                attention.algorithm = algorithm;
                all.push_back(attention);
            }
        }
    }
    return all;
}

Weights<double> weightsOf(const LatentAttention& attention, int dModel)
{
    return randomWeights<double>(flopsmith::weights(attention, dModel), 7);
}

Values latentOutput(const LatentAttention& attention,
                    const Shape& shape,
                    const Values& x,
                    const Values& keys = {},
                    const Values& values = {})
{
    Values y(shape.activations(), -1.0);
    forward<double>(
        MixerSpec(attention), shape, weightsOf(attention, shape.dModel), x, keys, values, y);
    return y;
}

Weights<double> gradientsOf(const LatentAttention& attention, const Shape& shape)
{
    const auto weights = weightsOf(attention, shape.dModel);
    const auto x = randomActivations<double>(shape.activations(), 2);
    const auto dy = randomActivations<double>(shape.activations(), 3);
    Weights<double> all = zeros<double>(flopsmith::weights(attention, shape.dModel));
    Values dx(x.size());
    backward<double>(attention, shape, weights, x, dy, dx, all);
    all.push_back(dx);
    return all;
}

TEST(LatentAttentionReference, FormsShareWeights)
{
    for (LatentAttention attention : options()) {
        const WeightShapes expanded = flopsmith::weights(attention, 12);
        attention.form = LatentForm::absorbed;

        EXPECT_EQ(flopsmith::weights(attention, 12), expanded);
    }
}

TEST(LatentAttentionReference, AbsorbedFormGivesTheOutputsOfTheExpanded)
{
    for (LatentAttention attention : options()) {
        attention.cache = LatentCache::latents; // so that both forms find the same
        for (const Shape& shape : {Shape{2, 5, 5, 12}, Shape{1, 1, 1, 7}, Shape{2, 2, 6, 9}}) {
            const MixerOperands operands = operandsOf(attention, shape);
            const auto x = randomActivations<double>(operands.x, 1);
            const auto cached = randomActivations<double>(operands.cachedKeys, 2);
            const Values expanded = latentOutput(attention, shape, x, cached);
            attention.form = LatentForm::absorbed;

            EXPECT_THAT(latentOutput(attention, shape, x, cached),
                        Pointwise(DoubleNear(kSmall), expanded));
            attention.form = LatentForm::expanded;
        }
    }
}

TEST(LatentAttentionReference, AbsorbedFormGivesTheGradientsOfTheExpanded)
{
    for (LatentAttention attention : options()) {
        const Shape shape{2, 5, 5, 12};
        const auto expanded = gradientsOf(attention, shape);
        attention.form = LatentForm::absorbed;
        const auto absorbed = gradientsOf(attention, shape);

        for (std::size_t i = 0; i < expanded.size(); ++i) {
            EXPECT_THAT(absorbed[i], Pointwise(DoubleNear(kSmall), expanded[i])) << "tensor " << i;
        }
    }
}

TEST(LatentAttentionReference, FlashAndMaterialisedGiveTheSameGradients)
{
    for (const LatentForm form : {LatentForm::expanded, LatentForm::absorbed}) {
        LatentAttention attention = smallLatent();
        attention.form = form;
        const Shape shape{2, 5, 5, 12};
        const auto flash = gradientsOf(attention, shape);
        attention.algorithm = AttentionAlgorithm::materialised;
        const auto materialised = gradientsOf(attention, shape);

        for (std::size_t i = 0; i < flash.size(); ++i) {
            EXPECT_THAT(materialised[i], Pointwise(DoubleNear(kSmall), flash[i])) << "tensor " << i;
        }
    }
}

// The cache is what the prefill of the first tokens hands to its core.
TEST(LatentAttentionReference, DecodingWithEitherCacheContinuesThePrefill)
{
    struct Case
    {
        LatentForm form;
        LatentCache cache;
    };
    const int d = 12;
    const auto x = randomActivations<double>(5 * d, 1);
    for (const Case& tested : {Case{LatentForm::expanded, LatentCache::latents},
                               Case{LatentForm::expanded, LatentCache::keysAndValues},
                               Case{LatentForm::absorbed, LatentCache::latents}}) {
        LatentAttention attention = smallLatent();
        attention.form = tested.form;
        attention.cache = tested.cache;
        const auto weights = weightsOf(attention, d);
        const Values prefill = latentOutput(attention, {1, 5, 5, d}, x);
        for (const int cached : {1, 3, 4}) {
            const auto start = static_cast<std::ptrdiff_t>(cached) * d;
            const Values old(x.begin(), x.begin() + start);
            // What stands in the cache of latents is what the absorbed form's core reads as keys.
            LatentAttention source = attention;
            source.form = attention.cachesLatents() ? LatentForm::absorbed : LatentForm::expanded;
            const auto state = latentState<double>(
                source, LatentLoops(source, {1, cached, cached, d}), weights, old, {}, {});

            const Values y = latentOutput(attention,
                                          {1, 5 - cached, 5, d},
                                          Values(x.begin() + start, x.end()),
                                          state.keys,
                                          state.values);

            EXPECT_THAT(
                y, Pointwise(DoubleNear(kSmall), Values(prefill.begin() + start, prefill.end())))
                << "cached " << cached;
        }
    }
}

// H = 1, r_kv = 1: the norm of one positive feature is 1 whatever its size, so that every key and
// every value is the same, and with a rotary weight of 0 the output is the value.
TEST(LatentAttentionReference, SeesLatentsOnlyThroughTheirNorm)
{
    const LatentAttention attention{
        .heads = 1, .kvLoraRank = 1, .qkNopeDim = 1, .qkRopeDim = 2, .vHeadDim = 1};
    // q [1, 3], kv_a [1, 1 + 2], kv_norm, k_b, v_b, out
    const Weights<double> weights{{1, 0, 0}, {1, 0, 0}, {2}, {1}, {3}, {5}};
    const Values x{100, 900, 300};
    Values y(3);

    forward<double>(attention, {1, 3, 3, 1}, weights, x, {}, {}, y);

    EXPECT_THAT(y, Pointwise(DoubleNear(1e-6), Values(3, 2.0 * 3.0 * 5.0)));
}

// Equal tokens: scores differ by the rotary part alone, which all heads share.
TEST(LatentAttentionReference, RotaryScoresDependOnDistanceAlone)
{
    LatentAttention attention{
        .heads = 1, .kvLoraRank = 1, .qkNopeDim = 1, .qkRopeDim = 2, .vHeadDim = 1};
    attention.form = LatentForm::absorbed;
    const Weights<double> weights{{0, 1, 0}, {1, 1, 0}, {1}, {1}, {1}, {1}};
    // Cached c | k_rope of position 5, whose value is 3; that of the new token at 6 is 1.
    Values cached(6 * 3, 0.0);
    cached[15] = 3;
    cached[16] = std::cos(5.0);
    cached[17] = std::sin(5.0);
    Values y(1);

    forward<double>(attention, {1, 1, 7, 1}, weights, Values{1}, cached, {}, y);

    const double scale = 1.0 / std::sqrt(3.0);
    const double near = std::exp(std::cos(1.0) * scale);
    const double self = std::exp(scale);
    EXPECT_NEAR(y[0], (3 * near + self) / (near + self + 5), 1e-5); // five zeros score e⁰
}

} // namespace
} // namespace flopsmith::reference
