// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/token_feedback.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;

Weights<double> weightsOf(const TokenFeedbackFfn& ffn, int d)
{
    return randomWeights<double>(flopsmith::weights(ffn, d), 1);
}

Values activationsOf(const Shape& shape)
{
    return randomActivations<double>(shape.activations(), 2);
}

// y of one token where every step works on all features and gates look at the token itself.
Values onAllFeatures(int steps, int rank, const Weights<double>& w, const Values& x)
{
    const std::size_t d = x.size();
    const auto r = static_cast<std::size_t>(rank);
    Values now = x;
    for (int step = 0; step < steps; ++step) {
        Values u(r);
        for (std::size_t k = 0; k < r; ++k) {
            u[k] = w[1][k];
            for (std::size_t j = 0; j < d; ++j) {
                u[k] += now[j] * w[0][j * r + k];
            }
            u[k] = std::max(u[k], 0.0);
        }
        for (std::size_t j = 0; j < d; ++j) {
            double v = 0;
            for (std::size_t k = 0; k < r; ++k) {
                v += u[k] * w[2][k * d + j];
            }
            now[j] += v / (1 + std::exp(-(w[3][j] * now[j] + w[4][j])));
        }
    }
    for (std::size_t j = 0; j < d; ++j) {
        now[j] -= x[j];
    }
    return now;
}

TEST(TokenFeedbackReference, OnAllFeaturesIsTheFormulaWrittenOut)
{
    for (const int d : {1, 7, 12}) {
        for (const int steps : {1, 3}) {
            TokenFeedbackFfn ffn{
                .steps = steps, .keepRatio = 1.0, .rank = 5, .activation = Activation::relu};
            const Weights<double> w = weightsOf(ffn, d);
            const Shape shape{1, 1, 1, d};
            const Values x = activationsOf(shape);
            const Values written = onAllFeatures(steps, 5, w, x);

            for (const FeatureWindow window : {FeatureWindow::rotating, FeatureWindow::topK}) {
                ffn.window = window;
                EXPECT_THAT(outputOf(ffn, shape, w, x), Pointwise(DoubleNear(kTiny), written))
                    << d << ", " << steps << ", " << enumName(window);
            }
        }
    }
}

TEST(TokenFeedbackReference, EqualWeightsOfTheirOwnAreSharedWeights)
{
    for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
        for (const FeatureWindow window : {FeatureWindow::rotating, FeatureWindow::topK}) {
            TokenFeedbackFfn ffn{
                .steps = 4, .keepRatio = 0.4, .rank = 3, .window = window, .feedback = feedback};
            const Shape shape{2, 3, 3, 7};
            const Weights<double> one = weightsOf(ffn, 7);
            Weights<double> all;
            for (int step = 0; step < ffn.steps; ++step) {
                all.insert(all.end(), one.begin(), one.end());
            }
            const Values x = activationsOf(shape);
            const Values shared = outputOf(ffn, shape, one, x);

            ffn.stepWeights = StepWeights::perStep;
            EXPECT_THAT(outputOf(ffn, shape, all, x), Pointwise(DoubleNear(kTiny), shared));
        }
    }
}

TEST(TokenFeedbackReference, GradientsOfSharedWeightsAreSumsOverTheSteps)
{
    TokenFeedbackFfn ffn{.steps = 3, .keepRatio = 0.4, .rank = 3};
    const Shape shape{2, 3, 3, 7};
    const Weights<double> one = weightsOf(ffn, 7);
    Weights<double> all;
    for (int step = 0; step < ffn.steps; ++step) {
        all.insert(all.end(), one.begin(), one.end());
    }
    const Values x = activationsOf(shape);
    Values dx(x.size());
    Weights<double> shared = zeros<double>(flopsmith::weights(ffn, 7));
    backward<double>(ffn, shape, one, x, x, dx, shared);
    ffn.stepWeights = StepWeights::perStep;
    Weights<double> own = zeros<double>(flopsmith::weights(ffn, 7));
    backward<double>(ffn, shape, all, x, x, dx, own);

    for (std::size_t tensor = 0; tensor < shared.size(); ++tensor) {
        Values sum(shared[tensor].size());
        for (std::size_t i = 0; i < 3 * sum.size(); ++i) {
            sum[i % sum.size()] += own[i / sum.size() * kFeedbackTensors + tensor][i % sum.size()];
        }
        EXPECT_THAT(shared[tensor], Pointwise(DoubleNear(kTiny), sum)) << tensor;
    }
}

TEST(TokenFeedbackReference, FeaturesOutsideTheWindowStayAsTheyAre)
{
    const TokenFeedbackFfn ffn{.steps = 2, .keepRatio = 0.25, .rank = 3}; // windows 0–1 and 2–3
    const Shape shape{1, 1, 1, 8};

    const Values y = outputOf(ffn, shape, weightsOf(ffn, 8), activationsOf(shape));

    EXPECT_THAT(Values(y.begin() + 4, y.end()), Each(0.0));
    EXPECT_NE(y[3], 0.0);
}

// Both sequences of a batch begin anew.
TEST(TokenFeedbackReference, NoTokenLooksIntoAnotherSequence)
{
    const TokenFeedbackFfn ffn{
        .steps = 3, .keepRatio = 0.5, .rank = 3, .feedback = Feedback::previousToken};
    const Shape both{2, 4, 4, 7};
    const Shape one{1, 4, 4, 7};
    const Weights<double> w = weightsOf(ffn, 7);
    const Values x = activationsOf(both);
    const auto middle = static_cast<std::ptrdiff_t>(one.activations());
    const Values y = outputOf(ffn, both, w, x);

    EXPECT_THAT(outputOf(ffn, one, w, Values(x.begin(), x.begin() + middle)),
                Pointwise(DoubleNear(kTiny), Values(y.begin(), y.begin() + middle)));
    EXPECT_THAT(outputOf(ffn, one, w, Values(x.begin() + middle, x.end())),
                Pointwise(DoubleNear(kTiny), Values(y.begin() + middle, y.end())));
}

TEST(TokenFeedbackReference, ATokenReachesAsManyLaterOnesAsThereAreSteps)
{
    const TokenFeedbackFfn ffn{
        .steps = 3, .keepRatio = 1.0, .rank = 3, .feedback = Feedback::previousToken};
    const std::size_t d = 7;
    const Shape shape{1, 8, 8, 7};
    const Weights<double> w = weightsOf(ffn, 7);
    Values x = activationsOf(shape);
    const Values before = outputOf(ffn, shape, w, x);
    x[2 * d] += 0.5; // a feature of token 2
    const Values after = outputOf(ffn, shape, w, x);

    for (std::size_t t = 0; t < 8; ++t) {
        const bool same = std::equal(before.begin() + static_cast<std::ptrdiff_t>(t * d),
                                     before.begin() + static_cast<std::ptrdiff_t>((t + 1) * d),
                                     after.begin() + static_cast<std::ptrdiff_t>(t * d));
        EXPECT_EQ(same, t < 2 || t > 2 + 3) << t;
    }
    EXPECT_EQ(tokensSeenBefore(ffn), 3);
}

// With closed gates for zeros, φ of the first token is told from φ of the others.
TEST(TokenFeedbackReference, GatesOfTheFirstTokenSeeZeros)
{
    const TokenFeedbackFfn ffn{.steps = 1,
                               .keepRatio = 1.0,
                               .rank = 1,
                               .activation = Activation::none,
                               .feedback = Feedback::previousToken};
    const Weights<double> w{{1}, {0}, {1}, {1e4}, {-5e3}}; // the gate is 0 for 0 and 1 for 1

    EXPECT_THAT(outputOf(ffn, {1, 3, 3, 1}, w, {1, 1, 1}),
                Pointwise(DoubleNear(kTiny), Values{0, 1, 1}));
}

} // namespace
} // namespace flopsmith::reference
