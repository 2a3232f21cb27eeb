// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/moe.h"

#include "core/kernels/reference/linear.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

const Shape kSixTokens{2, 3, 3, 7};

// Two experts on one feature: expert 0 gives 10·x, expert 1 gives 100·x. The router's logits are
// a·x and b·x.
struct TwoScalings
{
    MoeFfn ffn{.experts = 2,
               .perToken = 1,
               .expert = ExpertKind::dense,
               .dFf = 1,
               .activation = Activation::none,
               .scored = ScoredExperts::all,
               .renormalise = false};

    double at(double x, double a, double b, const Values& correction = {}) const
    {
        Weights<double> weights{{a, b}};
        if (!correction.empty()) {
            weights.push_back(correction);
        }
        weights.insert(weights.end(), {{10}, {1}, {100}, {1}});
        return outputOf(ffn, {1, 1, 1, 1}, weights, {x}).front();
    }
};

TEST(MoeReference, SendsATokenToTheExpertOfLargestLogit)
{
    TwoScalings moe;
    moe.ffn.renormalise = true;

    EXPECT_DOUBLE_EQ(moe.at(1, 0.5, 0.4), 10);
    EXPECT_DOUBLE_EQ(moe.at(1, 0.5, 0.6), 100);
    EXPECT_DOUBLE_EQ(moe.at(-1, 0.5, 0.6), -10);
}

TEST(MoeReference, TiesGoToTheFirstExpert)
{
    TwoScalings moe;
    moe.ffn.renormalise = true;

    EXPECT_DOUBLE_EQ(moe.at(1, 0.5, 0.5), 10);
}

TEST(MoeReference, WeighsByTheScore)
{
    TwoScalings moe;
    const double ofTwo = 1 / (1 + std::exp(-1.0)); // softmax of (1, 2) at 2
    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2), 100 * ofTwo);

    moe.ffn.score = RouterScore::sigmoid;
    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2), 100 / (1 + std::exp(-2.0)));

    moe.ffn.scored = ScoredExperts::chosen;
    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2), 100 / (1 + std::exp(-2.0)));

    moe.ffn.score = RouterScore::softmax; // of a single one
    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2), 100);
}

TEST(MoeReference, ScalesTheWeights)
{
    TwoScalings moe;
    moe.ffn.renormalise = true;
    moe.ffn.scale = 2.5;

    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2), 250);
}

TEST(MoeReference, CorrectionMovesTheChoiceAndNotTheWeight)
{
    TwoScalings moe;
    moe.ffn.score = RouterScore::sigmoid;
    moe.ffn.correctionBias = true;

    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2, {0.2, 0.0}), 10 / (1 + std::exp(-1.0)));
    EXPECT_DOUBLE_EQ(moe.at(1, 1, 2, {0.1, 0.0}), 100 / (1 + std::exp(-2.0)));
}

// Every way of weighing one expert of one gives that expert, exactly.
TEST(MoeReference, OneExpertIsThatFfn)
{
    for (const ExpertKind kind : {ExpertKind::dense, ExpertKind::gated}) {
        for (const RouterScore score : {RouterScore::softmax, RouterScore::sigmoid}) {
            for (const bool bias : {false, true}) {
                const MoeFfn ffn{.experts = 1,
                                 .perToken = 1,
                                 .expert = kind,
                                 .dFf = 5,
                                 .bias = bias,
                                 .score = score};
                const auto weights = randomWeights<double>(flopsmith::weights(ffn, 7), 1);
                const auto x = randomActivations<double>(kSixTokens.activations(), 2);
                const Weights<double> own(weights.begin() + 1, weights.end());
                const FfnSpec plain = std::visit([](const auto& expert) { return FfnSpec(expert); },
                                                 ffn.routedExpert());

                EXPECT_EQ(outputOf(ffn, kSixTokens, weights, x),
                          outputOf(plain, kSixTokens, own, x));
            }
        }
    }
}

TEST(MoeReference, AllExpertsAreAWeightedSum)
{
    const MoeFfn ffn{.experts = 4, .perToken = 4, .dFf = 5};
    const auto weights = randomWeights<double>(flopsmith::weights(ffn, 7), 1);
    const auto x = randomActivations<double>(7, 2);
    Values logits(4);
    linear<double>(1, x, weights[0], nullptr, logits);
    Values sum(7, 0.0);
    double scores = 0;
    for (std::size_t e = 0; e < 4; ++e) {
        const Weights<double> own(weights.begin() + 1 + 3 * static_cast<std::ptrdiff_t>(e),
                                  weights.begin() + 4 + 3 * static_cast<std::ptrdiff_t>(e));
        const Values term = outputOf(GatedFfn{.dFf = 5}, {1, 1, 1, 7}, own, x);
        for (std::size_t j = 0; j < 7; ++j) {
            sum[j] += std::exp(logits[e]) * term[j];
        }
        scores += std::exp(logits[e]);
    }
    for (double& value : sum) {
        value /= scores;
    }

    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 7}, weights, x), Pointwise(DoubleNear(kTiny), sum));
}

TEST(MoeReference, SoftmaxOfTheChosenIsTheRenormalisedSoftmaxOfAll)
{
    MoeFfn ffn{.experts = 6, .perToken = 3, .dFf = 5, .renormalise = true};
    const auto weights = randomWeights<double>(flopsmith::weights(ffn, 7), 1);
    const auto x = randomActivations<double>(kSixTokens.activations(), 2);
    const Values all = outputOf(ffn, kSixTokens, weights, x);

    ffn.scored = ScoredExperts::chosen;

    EXPECT_THAT(outputOf(ffn, kSixTokens, weights, x), Pointwise(DoubleNear(kTiny), all));
}

TEST(MoeReference, AddsTheSharedExpertsBehindTheirGate)
{
    MoeFfn ffn{.experts = 3, .perToken = 2, .dFf = 5};
    MoeFfn both = ffn;
    both.sharedExperts = 2;
    both.sharedDFf = 3;
    auto weights = randomWeights<double>(flopsmith::weights(both, 7), 1);
    const auto x = randomActivations<double>(7, 2);
    const Shape one{1, 1, 1, 7};
    const Values routed = outputOf(ffn, one, {weights.begin(), weights.end() - 3}, x);
    const Values shared = outputOf(GatedFfn{.dFf = 6}, one, {weights.end() - 3, weights.end()}, x);
    const auto sumWith = [&](double gate) {
        Values sum = routed;
        for (std::size_t j = 0; j < sum.size(); ++j) {
            sum[j] += gate * shared[j];
        }
        return sum;
    };
    EXPECT_THAT(outputOf(both, one, weights, x), Pointwise(DoubleNear(kTiny), sumWith(1)));

    both.sharedGate = true;
    weights.emplace_back(7, 0.0);
    weights.back()[3] = 2.0;

    const double gate = 1 / (1 + std::exp(-2.0 * x[3]));
    EXPECT_THAT(outputOf(both, one, weights, x), Pointwise(DoubleNear(kTiny), sumWith(gate)));
}

// Expert e gives 10^e·x; the router's logits are its weights for x = 1, scores are the logits'
// sigmoids.
double chosenOfFour(GroupScore score, const Values& logits, const Values& correction = {})
{
    MoeFfn ffn{.experts = 4,
               .perToken = 1,
               .expert = ExpertKind::dense,
               .dFf = 1,
               .activation = Activation::none,
               .score = RouterScore::sigmoid,
               .renormalise = true,
               .groups = 2,
               .groupsPerToken = 1,
               .groupScore = score};
    Weights<double> weights{logits};
    if (!correction.empty()) {
        ffn.correctionBias = true;
        weights.push_back(correction);
    }
    weights.insert(weights.end(), {{1}, {1}, {10}, {1}, {100}, {1}, {1000}, {1}});
    return outputOf(ffn, {1, 1, 1, 1}, weights, {1}).front();
}

TEST(MoeReference, ChoosesFromTheGroupOfTheBestExpertOrOfTheBestTwo)
{
    const Values logits{3, -5, 2, 1};

    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::best, logits), 1);
    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::twoBest, logits), 100);
}

TEST(MoeReference, SumsScoresOfGroupsAndNotLogits)
{
    // 0.9999 + 0.0009 < 0.5 + 0.6, although 9 − 7 > 0 + 0.4
    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::twoBest, {9, -7, 0, 0.4}), 1000);
}

TEST(MoeReference, GroupsAreChosenByCorrectedScores)
{
    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::best, {3, 0, 2, 1}, {0, 0, 0, 1}), 1000);
}

TEST(MoeReference, TiesGoToTheFirstGroup)
{
    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::best, {1, 2, 2, 1}), 10);
    EXPECT_DOUBLE_EQ(chosenOfFour(GroupScore::twoBest, {1, 2, 2, 1}), 10);
}

// As if the choice were among all experts: if all groups may be chosen from, if the limit cannot
// bind, and of groups of one expert.
TEST(MoeReference, GroupsThatDoNotBindAreNoGroups)
{
    for (const bool corrected : {false, true}) {
        for (const GroupScore score : {GroupScore::best, GroupScore::twoBest}) {
            MoeFfn ffn{.experts = 6,
                       .perToken = 2,
                       .dFf = 5,
                       .score = RouterScore::sigmoid,
                       .correctionBias = corrected,
                       .groupScore = score};
            const auto weights = randomWeights<double>(flopsmith::weights(ffn, 7), 1);
            const auto x = randomActivations<double>(kSixTokens.activations(), 2);
            const Values free = outputOf(ffn, kSixTokens, weights, x);

            for (const auto& [groups, perToken] :
                 {std::pair{3, 3}, std::pair{1, 1}, std::pair{6, 2}, std::pair{6, 6}}) {
                ffn.groups = groups;
                ffn.groupsPerToken = perToken;
                EXPECT_EQ(outputOf(ffn, kSixTokens, weights, x), free) << groups;
            }
        }
    }
}

TEST(MoeReference, ExpertsWithoutTokensAndTheCorrectionHaveNoGradient)
{
    const MoeFfn ffn{.experts = 6,
                     .perToken = 2,
                     .dFf = 5,
                     .score = RouterScore::sigmoid,
                     .correctionBias = true};
    const WeightShapes shapes = flopsmith::weights(ffn, 7);
    auto weights = randomWeights<double>(shapes, 1);
    weights[1] = {10, 0, 0, 0, 20, 0}; // all tokens to experts 0 and 4
    const auto x = randomActivations<double>(kSixTokens.activations(), 2);
    const auto dy = randomActivations<double>(kSixTokens.activations(), 3);
    Values dx(x.size());
    auto gradients = randomWeights<double>(shapes, 4); // to be overwritten
    backward<double>(ffn, kSixTokens, weights, x, dy, dx, gradients);

    const MoeTensors at(ffn, 7);
    EXPECT_EQ(gradients[at.correctionBias], Values(6, 0.0));
    for (int e = 0; e < 6; ++e) {
        for (std::size_t i = at.expert(e); i < at.expert(e + 1); ++i) {
            const bool isZero = gradients[i] == Values(gradients[i].size(), 0.0);
            EXPECT_EQ(isZero, e != 0 && e != 4) << shapes[i].name;
        }
    }
    for (std::size_t e = 0; e < 6; ++e) { // sigmoids of the others lead nowhere
        EXPECT_EQ(gradients[0][e] == 0.0, e != 0 && e != 4) << e;
    }
}

TEST(MoeReference, OneExpertHasTheGradientsOfThatFfn)
{
    const MoeFfn ffn{.experts = 1, .perToken = 1, .dFf = 5, .bias = true};
    const GatedFfn plain{.dFf = 5, .bias = true};
    const WeightShapes shapes = flopsmith::weights(ffn, 7);
    const auto weights = randomWeights<double>(shapes, 1);
    const auto x = randomActivations<double>(kSixTokens.activations(), 2);
    const auto dy = randomActivations<double>(kSixTokens.activations(), 3);
    Values dx(x.size());
    auto gradients = zeros<double>(shapes);
    backward<double>(ffn, kSixTokens, weights, x, dy, dx, gradients);
    const Weights<double> own(weights.begin() + 1, weights.end());
    Values dxOfPlain(x.size());
    Weights<double> ofPlain(gradients.size() - 1);
    for (std::size_t i = 0; i < ofPlain.size(); ++i) {
        ofPlain[i].resize(gradients[i + 1].size());
    }
    backward<double>(plain, kSixTokens, own, x, dy, dxOfPlain, ofPlain);

    EXPECT_EQ(dx, dxOfPlain);
    EXPECT_EQ(gradients[0], Values(7, 0.0)); // a weight of 1 whatever the router says
    EXPECT_EQ(Weights<double>(gradients.begin() + 1, gradients.end()), ofPlain);
}

TEST(MoeReference, SkewSendsMoreTokensToTheFirstExperts)
{
    const Shape shape{1, 400, 400, 16};
    const auto shareOfFirst = [&](double skew) {
        const MoeFfn ffn{.experts = 8, .perToken = 1, .dFf = 1, .skew = skew};
        const auto weights = randomWeights<double>(flopsmith::weights(ffn, 16), 1);
        const auto x = randomActivations<double>(shape.activations(), 2);
        Values logits(400 * 8);
        linear<double>(400, x, weights[0], nullptr, logits);
        int first = 0;
        for (std::size_t t = 0; t < 400; ++t) {
            const auto row = logits.begin() + static_cast<std::ptrdiff_t>(8 * t);
            first += std::max_element(row, row + 8) == row ? 1 : 0;
        }
        return first / 400.0;
    };

    EXPECT_NEAR(shareOfFirst(0), 1.0 / 8, 0.06);
    EXPECT_GT(shareOfFirst(1), 0.25);
    EXPECT_GT(shareOfFirst(3), shareOfFirst(1));
}

} // namespace
} // namespace flopsmith::reference
