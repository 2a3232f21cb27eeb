// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr int kWidth = 8;
const Shape kThreeTokens{1, 3, 3, kWidth};

TokenFeedbackFfn quarter() // s = 2
{
    return {.steps = 5, .keepRatio = 0.25, .rank = 3};
}

Cost<Count> costOf(const TokenFeedbackFfn& ffn)
{
    return test::costTree(ffn, kThreeTokens).total();
}

TEST(TokenFeedback, WindowMovesOnByItsLengthAndAroundTheEnd)
{
    const TokenFeedbackFfn ffn{.steps = 4, .keepRatio = 0.4}; // s = 3

    EXPECT_EQ(ffn.windowStart(0, kWidth), 0);
    EXPECT_EQ(ffn.windowStart(1, kWidth), 3);
    EXPECT_EQ(ffn.windowStart(2, kWidth), 6);
    EXPECT_EQ(ffn.windowStart(3, kWidth), 1);
}

TEST(TokenFeedbackCost, IsTwoSmallProductsInEachStep)
{
    EXPECT_TRUE(costOf(quarter()).count.mac == 5 * 2 * 3 * 2 * 3);
}

TEST(TokenFeedbackCost, OwnWeightsCostParametersButNoOperations)
{
    TokenFeedbackFfn own = quarter();
    own.stepWeights = StepWeights::perStep;

    EXPECT_TRUE(costOf(own).count == costOf(quarter()).count);
    EXPECT_TRUE(costOf(own).parameters.trainable == 5 * costOf(quarter()).parameters.trainable);
}

TEST(TokenFeedbackCost, GatesOfChannelsThatNoStepReachesAreStoredButNotActive)
{
    TokenFeedbackFfn ffn = quarter();
    ffn.steps = 3; // reach 6 of 8 channels
    const ParameterCount<Count> shared = costOf(ffn).parameters;
    ffn.stepWeights = StepWeights::perStep;
    const ParameterCount<Count> own = costOf(ffn).parameters;

    EXPECT_TRUE(shared.trainable - shared.active == 2 * (8 - 6));
    EXPECT_TRUE(own.trainable - own.active == 3 * 2 * (8 - 2));
}

TEST(TokenFeedbackCost, OnlyChosenFeaturesAreMovedByIndex)
{
    TokenFeedbackFfn ffn = quarter();
    ffn.feedback = Feedback::previousToken;
    const Cost<Count> rotating = costOf(ffn);
    ffn.window = FeatureWindow::topK;
    const Cost<Count> topK = costOf(ffn);

    EXPECT_TRUE(rotating.count.move == 0 && rotating.count.cmp == 0);
    EXPECT_TRUE(topK.count.move == 5 * 3 * 3 * 2);
    EXPECT_TRUE(topK.count.cmp == 5 * 3 * 8);
}

TEST(TokensSeenBefore, AreOneMoreInEachStepAndAddUpInASequence)
{
    TokenFeedbackFfn three{.steps = 3};
    EXPECT_EQ(tokensSeenBefore(three), 0);
    three.feedback = Feedback::previousToken;
    TokenFeedbackFfn two = three;
    two.steps = 2;
    ComposedFfn composed;
    composed.stages = {{three}, {DenseFfn{}}, {two}};

    EXPECT_EQ(tokensSeenBefore(three), 3);
    composed.mode = CompositionMode::parallel;
    EXPECT_EQ(tokensSeenBefore(composed), 3);
    composed.mode = CompositionMode::sequential;
    EXPECT_EQ(tokensSeenBefore(composed), 5);
    const ComposedFfn outer{.mode = CompositionMode::sequential, .stages = {{composed}, {two}}};
    EXPECT_EQ(tokensSeenBefore(outer), 7);
}

} // namespace
} // namespace flopsmith
