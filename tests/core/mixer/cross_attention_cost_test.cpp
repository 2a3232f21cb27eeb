// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/mixer_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

// 512 tokens of the encoder, 128 of the decoder, 6 blocks of d = 512 with 8 heads of 64.
TEST(CrossAttentionCost, IsThePublishedOneOfT5Small)
{
    const CrossAttention attention{.heads = 8, .kvHeads = 8, .headDim = 64, .scaleScores = false};
    Count projections = 0;
    Count pairs = 0;
    const CostTree<Count> tree = test::costTree(attention, {1, 128, 128, 512, 512});
    for (const auto& node : tree.nodes()) {
        (node.kind == OpKind::linear ? projections : pairs) += 6 * node.cost.count.mac;
    }

    EXPECT_EQ(digits(projections), "2013265920");
    EXPECT_EQ(digits(pairs), "402653184");
}

TEST(CrossAttentionCost, ScalesScoresOnlyIfAsked)
{
    const Shape shape{2, 3, 3, 16, 5};
    const CrossAttention scaled{.heads = 4, .kvHeads = 2};
    CrossAttention plain = scaled;
    plain.scaleScores = false;

    EXPECT_EQ(digits(test::costTree(scaled, shape).total().count.mul
                     - test::costTree(plain, shape).total().count.mul),
              digits(2 * 4 * 3 * 5));
}

TEST(CrossAttentionCost, ProjectsTheSourceInPrefillAlone)
{
    const CrossAttention attention{.heads = 4, .kvHeads = 2, .qkvBias = true};
    const Cost<Count> prefill = test::costTree(attention, {1, 1, 1, 16, 5}).total();
    const Cost<Count> decode = test::costTree(attention, {1, 1, 9, 16, 5}).total();

    EXPECT_EQ(digits(prefill.count.mac - decode.count.mac), digits(5 * 16 * 2 * 8));
    EXPECT_EQ(digits(prefill.count.add - decode.count.add), digits(5 * 2 * 8));
    EXPECT_EQ(digits(prefill.traffic.kvWritten), digits(5 * 2 * 8));
    EXPECT_TRUE(decode.traffic.kvWritten == 0);
    EXPECT_TRUE(prefill.traffic.kvRead == decode.traffic.kvRead);
    EXPECT_TRUE(prefill.parameters == decode.parameters);
}

TEST(CrossAttentionCost, GrowsWithTheSourceAndNotWithTheContext)
{
    const CrossAttention attention{.heads = 4, .kvHeads = 4};
    const auto decode = [&](int context, int source) {
        return test::costTree(attention, {1, 1, context, 16, source}).total();
    };

    EXPECT_EQ(decode(9, 7), decode(1000, 7));
    EXPECT_EQ(digits(decode(9, 14).count.exp), digits(2 * decode(9, 7).count.exp));
}

TEST(CrossAttentionCost, HasNoMaskWhateverTheRule)
{
    const CrossAttention attention{.heads = 4, .kvHeads = 4};
    const Shape shape{1, 6, 6, 16, 5};

    EXPECT_EQ(test::costTree(attention, shape, PairsRule::exact).total(),
              test::costTree(attention, shape, PairsRule::half).total());
}

TEST(CrossAttentionCost, TakesTheContextWhereNoSourceIsNamed)
{
    const CrossAttention attention{.heads = 4, .kvHeads = 4};

    EXPECT_EQ(test::costTree(attention, {2, 6, 6, 16}).total(),
              test::costTree(attention, {2, 6, 6, 16, 6}).total());
}

TEST(CrossAttentionFields, ChangingHeadsKeepsTheKindOfAttentionAndLegalNumbers)
{
    const auto heads = CrossAttention::fields().front();
    for (const FieldValue& stop : heads.legal(CrossAttention{}, {48}).stops()) {
        CrossAttention attention;
        heads.assign(attention, stop);

        EXPECT_EQ(attention.kvHeads, attention.heads);
        EXPECT_EQ(48 % attention.heads, 0);
    }
}

} // namespace
} // namespace flopsmith
