// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/ffn_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::reference {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

TEST(DenseReference, MultipliesActivatesAndMultiplies)
{
    const DenseFfn ffn{.dFf = 2, .activation = Activation::relu, .bias = true};
    const Weights<double> weights{{1, 2, 3, 4}, {-5, 0}, {1, 0, 2, 1}, {100, 200}};

    const Values y = outputOf(ffn, {1, 1, 1, 2}, weights, {1, 1}); // hidden: relu(4 − 5), 6

    EXPECT_THAT(y, ElementsAre(100 + 12, 200 + 6));
}

TEST(GatedReference, GateClosesWhatTheActivationSendsToZero)
{
    const GatedFfn ffn{.dFf = 2, .activation = Activation::relu, .bias = false};
    const Weights<double> weights{{1, 0, 0, 1}, {10, 0, 0, 10}, {1, 1, 1, 0}};

    // gate (2, 0), up (20, −30), product (40, 0)
    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 2}, weights, {2, -3}), ElementsAre(40, 40));
}

TEST(NoFfnReference, AddsNothing)
{
    EXPECT_THAT(outputOf(NoFfn{}, {1, 1, 1, 2}, {}, {2, -3}), ElementsAre(0, 0));
}

TEST(SpectralReference, KeepingEveryBinWithAFilterOfOnesIsTheIdentity)
{
    for (const int d : test::awkwardWidths()) {
        const int bins = SpectralFfn::bins(d);
        for (const BinSelection selection :
             {BinSelection::lowPass, BinSelection::learned, BinSelection::topK}) {
            for (const SpectralAlgorithm algorithm :
                 {SpectralAlgorithm::fft, SpectralAlgorithm::direct}) {
                const SpectralFfn ffn{
                    .kFreq = bins, .selection = selection, .algorithm = algorithm};
                Weights<double> ones(1);
                for (int i = 0; i < bins; ++i) {
                    ones[0].insert(ones[0].end(), {1.0, 0.0});
                }
                const Shape shape{1, 2, 2, d};
                const auto x = randomActivations<double>(shape.activations(), 3);

                EXPECT_THAT(outputOf(ffn, shape, ones, x), Pointwise(DoubleNear(kTiny), x))
                    << "d " << d << ", " << enumName(selection) << ", " << enumName(algorithm);
            }
        }
    }
}

TEST(SpectralReference, LowestBinAloneIsTheMean)
{
    const SpectralFfn ffn{.kFreq = 1, .algorithm = SpectralAlgorithm::fft};

    const Values y = outputOf(ffn, {1, 1, 1, 4}, {{1, 7}}, {1, 2, 3, 6}); // 7: ignored at bin 0

    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values{3, 3, 3, 3}));
}

TEST(SpectralReference, ImaginaryUnitTurnsACosineIntoMinusASine)
{
    const SpectralFfn ffn{.kFreq = 2, .algorithm = SpectralAlgorithm::fft};
    const Weights<double> filter{{0, 0, 0, 1}}; // bin 0 off, bin 1 times i

    const Values y = outputOf(ffn, {1, 1, 1, 4}, filter, {1, 0, -1, 0}); // cos(2πn/4)

    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values{0, -1, 0, 1}));
}

TEST(SpectralReference, DirectProductsGiveWhatTheTransformGives)
{
    for (const int d : test::awkwardWidths()) {
        for (int k = 1; k <= SpectralFfn::bins(d); ++k) {
            for (const BinSelection selection : {BinSelection::lowPass, BinSelection::learned}) {
                SpectralFfn ffn{
                    .kFreq = k, .selection = selection, .activation = Activation::gelu, .seed = 5};
                const Shape shape{2, 1, 1, d};
                const auto weights = randomWeights<double>(flopsmith::weights(ffn, d), 1);
                const auto x = randomActivations<double>(shape.activations(), 2);

                ffn.algorithm = SpectralAlgorithm::fft;
                const Values transformed = outputOf(ffn, shape, weights, x);
                ffn.algorithm = SpectralAlgorithm::direct;
                const Values direct = outputOf(ffn, shape, weights, x);

                EXPECT_THAT(direct, Pointwise(DoubleNear(kTiny), transformed)) << d << ", " << k;
            }
        }
    }
}

TEST(SpectralReference, TopKKeepsTheStrongestFrequency)
{
    const SpectralFfn ffn{.kFreq = 1, .selection = BinSelection::topK};
    const Weights<double> filter{{1, 0, 1, 0, 1, 0}};

    // mean 1 (|X_0| = 4) and 3·(−1)^n (|X_2| = 12): only the second stays.
    const Values y = outputOf(ffn, {1, 1, 1, 4}, filter, {4, -2, 4, -2});

    EXPECT_THAT(y, Pointwise(DoubleNear(kTiny), Values{3, -3, 3, -3}));
}

double polynomialAt(double x, const PolynomialFfn& options, const Values& alpha)
{
    PolynomialFfn ffn = options;
    ffn.keepRatio = 1.0;
    ffn.degree = ffn.terms == PolynomialTerms::odd ? 2 * static_cast<int>(alpha.size()) - 1
        : ffn.terms == PolynomialTerms::even       ? 2 * static_cast<int>(alpha.size()) - 2
                                                   : static_cast<int>(alpha.size()) - 1;
    return outputOf(ffn, {1, 1, 1, 1}, {alpha}, {x}).front();
}

TEST(PolynomialReference, MonomialsAreEvaluatedAtX)
{
    EXPECT_DOUBLE_EQ(polynomialAt(2, {}, {1, 10, 100}), 1 + 20 + 400);
    EXPECT_DOUBLE_EQ(polynomialAt(2, {.terms = PolynomialTerms::odd}, {1, 10, 100}), 2 + 80 + 3200);
    EXPECT_DOUBLE_EQ(polynomialAt(2, {.terms = PolynomialTerms::even}, {1, 10, 100}),
                     1 + 40 + 1600);
}

TEST(PolynomialReference, ChebyshevPolynomialsAreCosinesOfMultiples)
{
    const double x = 0.4;
    const double angle = std::acos(std::tanh(x)); // T_m(cos a) = cos(m a)
    const Values alpha{0.3, -0.7, 1.1, 0.2, 0.9};
    for (std::size_t n = 1; n <= alpha.size(); ++n) {
        const Values first(alpha.begin(), alpha.begin() + static_cast<std::ptrdiff_t>(n));
        double all = 0;
        double odd = 0;
        double even = 0;
        for (std::size_t m = 0; m < n; ++m) {
            const auto order = static_cast<double>(m);
            all += alpha[m] * std::cos(order * angle);
            odd += alpha[m] * std::cos((2 * order + 1) * angle);
            even += alpha[m] * std::cos(2 * order * angle);
        }
        PolynomialFfn ffn{.basis = PolynomialBasis::chebyshev};
        if (n > 1) { // the degree is at least 1
            EXPECT_NEAR(polynomialAt(x, ffn, first), all, kTiny) << n;
            ffn.terms = PolynomialTerms::even;
            EXPECT_NEAR(polynomialAt(x, ffn, first), even, kTiny) << n;
        }
        ffn.terms = PolynomialTerms::odd;
        EXPECT_NEAR(polynomialAt(x, ffn, first), odd, kTiny) << n;
    }
}

TEST(PolynomialReference, ChannelsThatAreNotKeptGiveZero)
{
    const PolynomialFfn ffn{.degree = 1, .keepRatio = 0.5, .selection = ChannelSelection::topK};

    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 4}, {{0, 1}}, {1, -3, 2, 0}), ElementsAre(0, -3, 2, 0));
}

TEST(PolynomialReference, TiesGoToTheLowerChannel)
{
    const PolynomialFfn ffn{.degree = 1, .keepRatio = 0.5, .selection = ChannelSelection::topK};

    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 4}, {{0, 1}}, {2, -2, 2, 2}), ElementsAre(2, -2, 0, 0));
}

TEST(PolynomialReference, ChannelsMayHaveCoefficientsOfTheirOwn)
{
    const PolynomialFfn ffn{
        .degree = 1, .keepRatio = 1.0, .coefficients = CoefficientSharing::perChannel};

    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 2}, {{5, 1, 7, 2}}, {1, 1}), ElementsAre(6, 9));
}

TEST(MicroRefineReference, BendsTheStrongestChannelOfEachGroup)
{
    const MicroRefineFfn ffn{.steps = 2, .keepRatio = 0.5};
    const Weights<double> weights{{1, 1, 1, 10}, {1, 1, 1, 2}, {0, 0, 0, 1}};

    const Values y = outputOf(ffn, {1, 1, 1, 4}, weights, {1, -3, 0.1, 0.5});

    EXPECT_THAT(y, ElementsAre(0, DoubleEq(std::tanh(-3.0)), 0, DoubleEq(10 * std::tanh(2.0))));
}

TEST(MicroRefineReference, IterationsFeedOnTheirOwnResult)
{
    const MicroRefineFfn ffn{.steps = 2, .keepRatio = 1.0, .mode = MicroRefineMode::iterative};
    const double once = 1 + 2 * std::tanh(3.0 + 0.5);
    const double twice = once + 2 * std::tanh(3.0 * once + 0.5);

    const Values y = outputOf(ffn, {1, 1, 1, 1}, {{2}, {3}, {0.5}}, {1});

    EXPECT_DOUBLE_EQ(y.front(), twice - 1);
}

TEST(ComposedReference, OneUngatedStageIsThatStage)
{
    const FieldContext context{9};
    const Shape shape{1, 3, 3, context.dModel};
    for (const FfnSpec& prototype : ffnPrototypes()) {
        const FfnSpec stage = test::fitted(prototype, context);
        if (holds_alternative<ComposedFfn>(stage)) {
            continue;
        }
        const auto weights = randomWeights<double>(flopsmith::weights(stage, 9), 1);
        const auto x = randomActivations<double>(shape.activations(), 2);
        const Values alone = outputOf(stage, shape, weights, x);
        for (const auto mode : {CompositionMode::parallel, CompositionMode::sequential}) {
            const ComposedFfn composed{
                .mode = mode, .gate = GateKind::none, .stages = {FfnStage{stage}}};

            EXPECT_THAT(outputOf(composed, shape, weights, x), Pointwise(DoubleNear(kTiny), alone))
                << info(stage).id << ", " << enumName(mode);
        }
    }
}

// A stage that multiplies each feature by `factor`.
FfnStage scaling()
{
    return {PolynomialFfn{.degree = 1, .keepRatio = 1.0}};
}

TEST(ComposedReference, GatesScaleStagesAndParallelStagesAdd)
{
    const ComposedFfn ffn{.gate = GateKind::scalar, .stages = {scaling(), scaling()}};
    const double open = 1 / (1 + std::exp(-2.0));

    const Values y = outputOf(ffn, {1, 1, 1, 1}, {{0, 2}, {0, 10}, {0, 100}}, {1});

    EXPECT_DOUBLE_EQ(y.front(), 0.5 * 10 + open * 100);
}

TEST(ComposedReference, ChannelGatesBelongToStageAndChannel)
{
    const ComposedFfn ffn{.gate = GateKind::channel, .stages = {scaling(), scaling()}};
    const double wide = 1e3; // σ is 1, or 0 for −wide

    const Values y =
        outputOf(ffn, {1, 1, 1, 2}, {{wide, -wide, -wide, wide}, {0, 10}, {0, 100}}, {1, 1});

    EXPECT_THAT(y, ElementsAre(10, 100));
}

TEST(ComposedReference, SequentialStagesSeeWhatEarlierOnesAdded)
{
    const ComposedFfn ffn{.mode = CompositionMode::sequential,
                          .gate = GateKind::none,
                          .stages = {scaling(), scaling()}};

    // z = 1 + 2·1 = 3, then 3 + 5·3 = 18
    EXPECT_THAT(outputOf(ffn, {1, 1, 1, 1}, {{0, 2}, {0, 5}}, {1}), ElementsAre(17));
}

// Each token alone: what a batch gives is what its tokens give one by one, unless a token looks at
// those before it.
TEST(FfnReference, TreatsTokensAlone)
{
    const int d = 9;
    const Shape shape{2, 2, 2, d};
    for (const FfnSpec& ffn : test::ffnCases(d, 1)) {
        if (tokensSeenBefore(ffn) > 0) {
            continue;
        }
        const auto weights = randomWeights<double>(flopsmith::weights(ffn, d), 1);
        const auto x = randomActivations<double>(shape.activations(), 2);
        const Values together = outputOf(ffn, shape, weights, x);
        for (std::size_t t = 0; t < shape.tokens(); ++t) {
            const auto from = static_cast<std::ptrdiff_t>(t) * d;
            const Values token(x.begin() + from, x.begin() + from + d);
            const Values row(together.begin() + from, together.begin() + from + d);

            ASSERT_THAT(outputOf(ffn, {1, 1, 1, d}, weights, token),
                        Pointwise(DoubleNear(kTiny), row))
                << test::describeFfn(ffn);
        }
    }
}

} // namespace
} // namespace flopsmith::reference
