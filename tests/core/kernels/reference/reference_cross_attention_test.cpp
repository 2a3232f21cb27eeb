// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/cross_attention.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

CrossAttention smallCross()
{
    return {.heads = 4, .kvHeads = 2, .headDim = 3, .qkvBias = true, .outBias = true};
}

Weights<double> weightsOf(const CrossAttention& attention, int dModel)
{
    return randomWeights<double>(flopsmith::weights(attention, dModel), 7);
}

// Of one sequence: x and what it looks at.
Values crossOutput(const CrossAttention& attention,
                   const Weights<double>& weights,
                   const Values& x,
                   const Values& source,
                   int dModel)
{
    const auto width = static_cast<std::size_t>(dModel);
    const auto tokens = static_cast<int>(x.size() / width);
    const Shape shape{1, tokens, tokens, dModel, static_cast<int>(source.size() / width)};
    Values both = x;
    both.insert(both.end(), source.begin(), source.end());
    Values y(x.size(), -1.0);
    forward<double>(MixerSpec(attention), shape, weights, both, {}, {}, y);
    return y;
}

// The weights q and kv as one matrix q | k | v, and likewise their biases.
Weights<double> joined(const Weights<double>& w, std::size_t q, std::size_t kv)
{
    const auto beside = [&](const Values& left, const Values& right) {
        Values all;
        for (std::size_t row = 0; row < left.size() / q; ++row) {
            all.insert(all.end(), left.data() + row * q, left.data() + (row + 1) * q);
            all.insert(all.end(), right.data() + row * kv, right.data() + (row + 1) * kv);
        }
        return all;
    };
    return {beside(w[0], w[2]), beside(w[1], w[3]), w[4], w[5]};
}

TEST(CrossAttentionReference, LookingAtItsOwnTokensIsAttentionWithoutAMask)
{
    const CrossAttention cross = smallCross();
    const Attention attention{
        .heads = 4, .kvHeads = 2, .headDim = 3, .causal = false, .qkvBias = true, .outBias = true};
    const auto weights = weightsOf(cross, 7);
    const auto x = randomActivations<double>(5 * 7, 1);

    const Values y = crossOutput(cross, weights, x, x, 7);

    EXPECT_THAT(y,
                Pointwise(DoubleNear(kTiny),
                          outputOf(attention, {1, 5, 5, 7}, joined(weights, 12, 12), x)));
}

TEST(CrossAttentionReference, TheOrderOfTheSourceDoesNotMatter)
{
    const CrossAttention attention = smallCross();
    const auto weights = weightsOf(attention, 4);
    const auto x = randomActivations<double>(3 * 4, 1);
    const auto source = randomActivations<double>(5 * 4, 2);
    Values turned(source.begin() + 8, source.end());
    turned.insert(turned.end(), source.begin(), source.begin() + 8);

    EXPECT_THAT(crossOutput(attention, weights, x, turned, 4),
                Pointwise(DoubleNear(kTiny), crossOutput(attention, weights, x, source, 4)));
}

TEST(CrossAttentionReference, ASourceOfOneTokenGivesItsValueToAll)
{
    const CrossAttention attention = smallCross();
    const auto weights = weightsOf(attention, 4);
    const auto source = randomActivations<double>(4, 2);

    const Values one = crossOutput(attention, weights, randomActivations<double>(4, 1), source, 4);
    const Values other =
        crossOutput(attention, weights, randomActivations<double>(4, 3), source, 4);

    EXPECT_THAT(one, Pointwise(DoubleNear(kTiny), other));
}

TEST(CrossAttentionReference, WithoutScaleQueriesAreLargerByTheRootOfTheHeadDimension)
{
    CrossAttention attention = smallCross();
    auto weights = weightsOf(attention, 4);
    const auto x = randomActivations<double>(3 * 4, 1);
    const auto source = randomActivations<double>(5 * 4, 2);
    const Values scaled = crossOutput(attention, weights, x, source, 4);
    attention.scaleScores = false;
    for (const std::size_t tensor : {0U, 1U}) {
        for (double& value : weights[tensor]) {
            value /= std::sqrt(3.0);
        }
    }

    EXPECT_THAT(crossOutput(attention, weights, x, source, 4),
                Pointwise(DoubleNear(kTiny), scaled));
}

// With weights that copy features, keys and values are the source itself.
TEST(CrossAttentionReference, DecodingReadsTheSourceFromTheCache)
{
    const CrossAttention attention{.heads = 1, .kvHeads = 1, .headDim = 2};
    const Weights<double> weights{{1, 0, 0, 1}, {1, 0, 1, 0, 0, 1, 0, 1}, {1, 0, 0, 1}};
    const auto x = randomActivations<double>(3 * 2, 1);
    const auto source = randomActivations<double>(4 * 2, 2);
    const Values prefill = crossOutput(attention, weights, x, source, 2);
    Values y(2);

    forward<double>(MixerSpec(attention),
                    {1, 1, 3, 2, 4},
                    weights,
                    Values(x.begin() + 4, x.end()),
                    source,
                    source,
                    y);

    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values(prefill.begin() + 4, prefill.end())));
}

TEST(CrossAttentionReference, FlashAndMaterialisedGiveTheSameGradients)
{
    CrossAttention attention = smallCross();
    const Shape shape{2, 3, 3, 5, 4};
    const auto gradientsOf = [&](AttentionAlgorithm algorithm) {
        attention.algorithm = algorithm;
        const auto x = randomActivations<double>(operandsOf(attention, shape).x, 2);
        const auto dy = randomActivations<double>(shape.activations(), 3);
        Weights<double> all = zeros<double>(flopsmith::weights(attention, 5));
        Values dx(x.size());
        backward<double>(attention, shape, weightsOf(attention, 5), x, dy, dx, all);
        all.push_back(dx);
        return all;
    };

    const auto flash = gradientsOf(AttentionAlgorithm::flash);
    const auto materialised = gradientsOf(AttentionAlgorithm::materialised);

    for (std::size_t i = 0; i < flash.size(); ++i) {
        EXPECT_THAT(materialised[i], Pointwise(DoubleNear(kTiny), flash[i])) << "tensor " << i;
    }
}

} // namespace
} // namespace flopsmith::reference
