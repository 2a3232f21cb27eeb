// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/mixer_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace flopsmith {
namespace {

// Whether query i (from 0, at position C − S + i) sees the key at position j.
bool sees(const Attention& attention, const Shape& shape, int i, int j)
{
    const int position = shape.context - shape.sequence + i;
    if (!attention.causal) {
        return attention.window == 0 || std::abs(position - j) <= attention.window / 2;
    }
    return j <= position && (attention.window == 0 || position - j < attention.window);
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

// Both products together are half of all multiply-adds, and that is a whole number where each alone
// is not; what is charged once per pair is rounded down.
TEST(AttentionPairs, HalvesAreRoundedOnceAndLast)
{
    for (const Shape& shape : {Shape{1, 3, 5, 15}, Shape{3, 1, 1, 15}, Shape{2, 3, 3, 15}}) {
        for (const int heads : {1, 3, 5}) {
            const CostTree<Count> tree = test::costTree(
                MixerSpec(Attention{
                    .heads = heads, .kvHeads = 1, .algorithm = AttentionAlgorithm::materialised}),
                shape,
                PairsRule::half);
            const Count all = Count{shape.batch} * shape.sequence * shape.context * shape.dModel;
            Count products = 0;
            for (int i = 0; i < tree.size(); ++i) {
                const auto& node = tree.node(i);
                if (node.kind == OpKind::scores || node.kind == OpKind::weightedSum) {
                    products += node.cost.count.mac;
                    EXPECT_TRUE(node.cost.count.mac == all / 2
                                || node.cost.count.mac == (all + 1) / 2);
                }
                if (node.kind == OpKind::softmax) {
                    EXPECT_EQ(
                        digits(node.cost.count.exp),
                        digits(Count{shape.batch} * shape.sequence * shape.context * heads / 2));
                }
            }
            EXPECT_EQ(digits(products), digits(all));
        }
    }
}

// Elements that a mixer reads but another block owns.
Count lentTo(const MixerSpec& mixer)
{
    const auto* attention = get_if<Attention>(&mixer);
    const bool borrowed =
        attention != nullptr && attention->positionBias == PositionBias::sharedRelative;
    return borrowed ? Count{attention->relativeBuckets} * attention->heads : Count{0};
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

                ASSERT_EQ(digits(cost.parameters.trainable), digits(elements - lentTo(mixer)))
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

// Per pair, row, head and token, what each option adds to the defaults.
class AttentionOption : public testing::Test
{
protected:
    OpCount<Count> addedBy(const Attention& attention) const
    {
        OpCount<Count> added = test::costTree(attention, kShape).total().count;
        const OpCount<Count> plain =
            test::costTree(Attention{.heads = 4, .kvHeads = 2}, kShape).total().count;
        added += Count{-1} * plain;
        return added;
    }

    const Shape kShape{.batch = 2, .sequence = 5, .context = 7, .dModel = 24};
    const Count kPairs = 2 * 4 * (5 * 6 / 2 + 5 * 2);
    const Count kRows = 2 * 4 * 5;
    Attention m_attention{.heads = 4, .kvHeads = 2};
};

TEST_F(AttentionOption, SinksAreOneMoreScorePerRowWithoutProductsOrQuotients)
{
    m_attention.sinks = true;

    EXPECT_TRUE(addedBy(m_attention)
                == (OpCount<Count>{.add = 2 * kRows, .exp = kRows, .cmp = kRows}));
    EXPECT_TRUE(
        test::costTree(m_attention, kShape).total().parameters.trainable
        == test::costTree(Attention{.heads = 4, .kvHeads = 2}, kShape).total().parameters.trainable
            + 4);
}

TEST_F(AttentionOption, SoftCapIsTwoProductsAndATanhPerScore)
{
    m_attention.softCap = 50;

    EXPECT_TRUE(addedBy(m_attention) == (OpCount<Count>{.mul = 2 * kPairs, .exp = kPairs}));
}

TEST_F(AttentionOption, UnscaledScoresSaveAProductEach)
{
    m_attention.scaleScores = false;

    EXPECT_TRUE(addedBy(m_attention) == (OpCount<Count>{.mul = -kPairs}));
}

TEST_F(AttentionOption, PositionBiasIsAnAdditionPerScoreAndALookUpIfItIsLearned)
{
    m_attention.positionBias = PositionBias::alibi;
    EXPECT_TRUE(addedBy(m_attention) == (OpCount<Count>{.add = kPairs}));

    for (const PositionBias learned : {PositionBias::relative, PositionBias::sharedRelative}) {
        m_attention.positionBias = learned;
        EXPECT_TRUE(addedBy(m_attention) == (OpCount<Count>{.add = kPairs, .move = kPairs}));
    }
}

TEST_F(AttentionOption, RotaryCostsInProportionToTheTurnedFeatures)
{
    m_attention.rotary = true;
    const OpCount<Count> whole = addedBy(m_attention);
    m_attention.rotaryDim = 6; // all of a head
    EXPECT_TRUE(addedBy(m_attention) == whole);
    m_attention.rotaryDim = 2;
    EXPECT_TRUE(Count{3} * addedBy(m_attention) == whole);
}

TEST_F(AttentionOption, NormsOfHeadsAndOfAllDifferByTheRowsTheyDivide)
{
    m_attention.qkNorm = QkNorm::perHead;
    const OpCount<Count> perHead = addedBy(m_attention);
    m_attention.qkNorm = QkNorm::fullWidth;
    const OpCount<Count> fullWidth = addedBy(m_attention);

    const Count tokens = 2 * 5;
    EXPECT_TRUE(perHead.mul == fullWidth.mul);
    EXPECT_TRUE(perHead.sqrt == tokens * (4 + 2));
    EXPECT_TRUE(fullWidth.sqrt == tokens * 2);
}

TEST(AttentionCost, ASharedTableBelongsToTheBlockThatOwnsIt)
{
    const Shape shape{2, 5, 5, 24};
    Attention attention{.heads = 4, .kvHeads = 4};
    attention.positionBias = PositionBias::relative;
    const Cost<Count> owner = test::costTree(attention, shape).total();
    attention.positionBias = PositionBias::sharedRelative;
    const Cost<Count> reader = test::costTree(attention, shape).total();

    EXPECT_TRUE(owner.count == reader.count);
    EXPECT_TRUE(owner.traffic == reader.traffic);
    EXPECT_TRUE(owner.parameters.trainable - reader.parameters.trainable == 32 * 4);
}

TEST(AttentionFields, HeadsOfAnOddWidthDivideItEvenIfRotaryCannotBe)
{
    const FieldContext context{9};
    const Attention rotary{.heads = 3, .kvHeads = 3, .rotary = true};
    const auto& fields = Attention::fields();
    const auto legalOf = [&](std::string_view key) {
        const auto field = std::find_if(
            fields.begin(), fields.end(), [key](const auto& each) { return each.text.key == key; });
        return field->legal(rotary, context);
    };

    EXPECT_EQ(legalOf("heads").stops(),
              (std::vector<FieldValue>{std::int64_t{1}, std::int64_t{3}, std::int64_t{9}}));
    EXPECT_FALSE(legalOf("rotary").contains(true));
}

TEST(AttentionFields, RotaryTurnsAnEvenNumberOfFeaturesThatTheHeadHas)
{
    for (int dModel = 1; dModel <= 16; ++dModel) {
        for (const bool partial : {false, true}) {
            Attention rotary{.heads = 1, .kvHeads = 1, .rotary = true};
            rotary.rotaryDim = partial ? 4 : 0;
            const auto legal =
                get<Attention>(test::fitted(MixerSpec(rotary), FieldContext{dModel}));

            if (legal.rotary) {
                EXPECT_EQ(legal.rotaryFeatures(dModel) % 2, 0) << dModel;
                EXPECT_LE(legal.rotaryFeatures(dModel), dModel) << dModel;
            }
            EXPECT_EQ(legal.rotary, partial ? dModel > 1 : dModel % 2 == 0) << dModel;
        }
    }
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
    EXPECT_DOUBLE_EQ(rotaryAngle(3, 1, 4), 0.03); // of four rotated features, whatever the head has
}

} // namespace
} // namespace flopsmith
