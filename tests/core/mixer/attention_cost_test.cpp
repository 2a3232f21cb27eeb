// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/mixer.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

// Whether query i (from 0, at position C − S + i) sees the key at position j.
bool sees(const Attention& attention, const Shape& shape, int i, int j)
{
    const int position = shape.context - shape.sequence + i;
    const bool inWindow = attention.window == 0 || position - j < attention.window;
    return !attention.causal || (j <= position && inWindow);
}

struct Mask
{
    Count pairs = 0;
    Count keys = 0; ///< seen by one query at least
};

Mask maskOf(const Attention& attention, const Shape& shape)
{
    Mask mask;
    for (int j = 0; j < shape.context; ++j) {
        bool seen = false;
        for (int i = 0; i < shape.sequence; ++i) {
            if (sees(attention, shape, i, j)) {
                ++mask.pairs;
                seen = true;
            }
        }
        mask.keys += seen ? 1 : 0;
    }
    return mask;
}

TEST(AttentionPairs, AreThoseThatTheMaskAllows)
{
    for (const bool causal : {true, false}) {
        for (int window = 0; window <= 9; ++window) {
            for (int context = 1; context <= 8; ++context) {
                for (int sequence = 1; sequence <= context; ++sequence) {
                    const Attention attention{.causal = causal, .window = window};
                    const Shape shape{1, sequence, context, 12};
                    const Mask mask = maskOf(attention, shape);

                    EXPECT_EQ(digits(twicePairs(attention, test::passOf(shape))),
                              digits(2 * mask.pairs))
                        << "S " << sequence << ", C " << context << ", window " << window;
                    EXPECT_EQ(digits(visibleKeys(attention, test::passOf(shape))),
                              digits(mask.keys))
                        << "S " << sequence << ", C " << context << ", window " << window;
                }
            }
        }
    }
}

TEST(AttentionPairs, OtherRulesIgnoreTheMask)
{
    const Attention attention{.window = 2};
    const Shape shape{1, 3, 5, 12};

    EXPECT_TRUE(twicePairs(attention, test::passOf(shape, PairsRule::full)) == 30);
    EXPECT_TRUE(twicePairs(attention, test::passOf(shape, PairsRule::half)) == 15);
}

TEST(AttentionCost, WeightsAreItsParametersForEveryOption)
{
    for (const int d : test::awkwardWidths()) {
        Random random(static_cast<std::uint64_t>(d));
        for (const MixerSpec& prototype : mixerPrototypes()) {
            for (const MixerSpec& mixer :
                 test::generatedCases(prototype, FieldContext{d}, 2 * test::kRandomDraw, random)) {
                Count elements = 0;
                for (const WeightShape& shape : weights(mixer, d)) {
                    elements += shape.size();
                }
                const Cost<Count> cost = test::costTree(mixer, {2, 5, 5, d}).total();

                ASSERT_EQ(digits(cost.parameters.trainable), digits(elements))
                    << info(mixer).id << " " << test::describe(mixer);
                EXPECT_TRUE(cost.parameters.active == cost.parameters.trainable);
                EXPECT_TRUE(cost.traffic.weights == elements);
            }
        }
    }
}

TEST(AttentionCost, FlashAndMaterialisedDifferInTrafficOnly)
{
    const Shape shape{2, 5, 7, 12};
    const Cost<Count> flash = test::costTree(Attention{}, shape).total();
    const Cost<Count> materialised =
        test::costTree(Attention{.algorithm = AttentionAlgorithm::materialised}, shape).total();
    const Count scores = 2 * 12 * (5 * 6 / 2 + 5 * 2);

    EXPECT_TRUE(flash.count == materialised.count);
    EXPECT_TRUE(materialised.traffic.written - flash.traffic.written == 2 * scores);
    EXPECT_TRUE(materialised.traffic.read - flash.traffic.read == 2 * scores);
}

TEST(AttentionCost, FewerKeyValueHeadsShrinkProjectionAndCacheAlone)
{
    const Shape shape{1, 1, 100, 64};
    const Cost<Count> mha = test::costTree(Attention{.heads = 8, .kvHeads = 8}, shape).total();
    const Cost<Count> mqa = test::costTree(Attention{.heads = 8, .kvHeads = 1}, shape).total();

    EXPECT_TRUE(mha.traffic.kvRead == 8 * mqa.traffic.kvRead);
    EXPECT_TRUE(mha.traffic.kvWritten == 8 * mqa.traffic.kvWritten);
    EXPECT_TRUE(mha.count.mac - mqa.count.mac == 64 * 2 * 7 * 8);
    EXPECT_TRUE(mha.count.exp == mqa.count.exp);
}

TEST(AttentionCost, DecodeReadsTheWholeCacheAndAppendsOneToken)
{
    const Attention attention{.heads = 8, .kvHeads = 2};
    const Cost<Count> cost = test::costTree(attention, {3, 1, 100, 64}).total();

    EXPECT_TRUE(cost.traffic.kvRead == 3 * 100 * 2 * 8 * 2); // G·h = 16, keys and values
    EXPECT_TRUE(cost.traffic.kvWritten == 3 * 2 * 8 * 2);
}

TEST(AttentionCost, OnlyCausalAttentionHasACache)
{
    const Cost<Count> causal = test::costTree(Attention{.causal = true}, {1, 5, 5, 12}).total();
    const Cost<Count> encoder = test::costTree(Attention{.causal = false}, {1, 5, 5, 12}).total();

    EXPECT_TRUE(encoder.traffic.kvRead == 0 && encoder.traffic.kvWritten == 0);
    EXPECT_TRUE(encoder.traffic.read == causal.traffic.read + causal.traffic.kvRead);
}

TEST(AttentionFields, ChangingHeadsKeepsTheKindOfAttentionAndLegalNumbers)
{
    const FieldContext context{48};
    const auto heads = Attention::fields().front();
    for (const FieldValue& stop : heads.legal(Attention{}, context).stops()) {
        Attention mha{.heads = 12, .kvHeads = 12};
        heads.assign(mha, stop);

        EXPECT_EQ(mha.kvHeads, mha.heads);
        EXPECT_EQ(48 % mha.heads, 0);
    }
}

TEST(RotaryAngle, TurnsThePairsEverMoreSlowly)
{
    EXPECT_DOUBLE_EQ(rotaryAngle(3, 0, 8), 3);
    EXPECT_DOUBLE_EQ(rotaryAngle(3, 1, 8), 0.3);
    EXPECT_DOUBLE_EQ(rotaryAngle(0, 3, 8), 0);
}

} // namespace
} // namespace flopsmith
