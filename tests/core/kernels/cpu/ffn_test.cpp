// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn.h"

#include "core/ffn/ffn_variants.h"
#include "core/kernels/check.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/cpu/bfloat16_cases.h"
#include "tests/core/kernels/cpu/ffn_variations.h"
#include "tests/support/ffns_with_values.h"

#include <gmock/gmock.h>

namespace flopsmith::cpu {
namespace {

// A kernel with everything it was made from.
struct ReadyFfn
{
    Weights<float> weights;
    std::vector<float> x;
    std::unique_ptr<Kernel> kernel;

    ReadyFfn(const FfnSpec& ffn,
             const Shape& shape,
             Threads threads,
             Precision precision = Precision::float32)
        : weights(randomWeights<float>(flopsmith::weights(ffn, shape.dModel), 21))
        , x(randomActivations<float>(shape.activations(), 12))
        , kernel(std::move(prepare(ffn, shape, weights, x, threads, precision)).value())
    {}

    std::vector<float> output()
    {
        kernel->run();
        const auto y = kernel->output();
        return {y.begin(), y.end()};
    }
};

// With the input moved by `relative` times its size in random directions.
std::vector<double> expected(const FfnSpec& ffn,
                             const Shape& shape,
                             double relative = 0.0,
                             std::uint64_t seed = 0)
{
    const auto weights = randomWeights<double>(flopsmith::weights(ffn, shape.dModel), 21);
    auto x = randomActivations<double>(shape.activations(), 12);
    Random random(seed);
    for (double& value : x) {
        value *= 1.0 + relative * (2.0 * random.uniform() - 1.0);
    }
    std::vector<double> y(x.size());
    reference::forward<double>(ffn, shape, weights, x, y);
    return y;
}

// A choice between values that differ by a rounding error may fall either way (of experts, whose
// logits are sums; of channels behind another stage). Then the kernel agrees with the reference on
// an input that is a rounding error away; a wrong one exceeds it by orders of magnitude.
Agreement agreementNearby(const FfnSpec& ffn,
                          const Shape& shape,
                          const std::vector<float>& fast,
                          Precision precision)
{
    const double rounding = roundingOfTensor(precision, fast.size());
    Agreement agreement = compare(fast, expected(ffn, shape), kTerms, rounding);
    constexpr double kMove = 8.0 * std::numeric_limits<float>::epsilon();
    for (std::uint64_t seed = 1; seed <= 16 && !agreement.agrees; ++seed) {
        agreement = compare(fast, expected(ffn, shape, kMove, seed), kTerms, rounding);
    }
    return agreement;
}

void expectAgreement(const FfnSpec& ffn,
                     const Shape& shape,
                     Precision precision = Precision::float32)
{
    SCOPED_TRACE(describe(ffn, fields(ffn), shape));
    for (const int threads : {1, 3}) {
        ReadyFfn run(ffn, shape, {threads}, precision);
        const std::vector<float> fast = run.output();
        const Agreement agreement = agreementNearby(ffn, shape, fast, precision);
        EXPECT_TRUE(agreement.agrees) << "error " << agreement.largestError << " of "
                                      << agreement.magnitude << ", " << threads << " threads";
        EXPECT_EQ(run.output(), fast) << "the second run differs, " << threads << " threads";
    }
}

class FfnKernels : public testing::TestWithParam<FfnSpec>
{};

TEST_P(FfnKernels, AgreeWithTheReferenceForEveryOption)
{
    Random random(3);
    for (const Shape& shape : awkwardShapes()) {
        for (const FfnSpec& ffn : ffnVariations(GetParam(), shape.dModel, 12, random)) {
            expectAgreement(ffn, shape);
        }
    }
}

TEST_P(FfnKernels, AgreeInBfloat16WithinItsBound)
{
    const test::Bfloat16Anywhere bfloat16;
    Random random(5);
    for (const Shape& shape : shapesToRound()) {
        const FfnSpec ffn = ffnVariations(GetParam(), shape.dModel, 0, random).front();
        expectAgreement(ffn, shape, Precision::bfloat16);
    }
}

TEST_P(FfnKernels, RoundInBfloat16WhatGoesIntoProductsAndNothingElse)
{
    const test::Bfloat16Anywhere bfloat16;
    const Shape shape{.batch = 1, .sequence = 9, .context = 9, .dModel = 48};
    Random random(6);
    const FfnSpec ffn = ffnVariations(GetParam(), shape.dModel, 0, random).front();
    SCOPED_TRACE(describe(ffn, fields(ffn), shape));
    const std::vector<float> exact = ReadyFfn(ffn, shape, {1}).output();
    const std::vector<float> rounded = ReadyFfn(ffn, shape, {1}, Precision::bfloat16).output();

    if (multipliesByWeights(ffn, shape)) {
        const std::vector<double> right(exact.begin(), exact.end());
        EXPECT_FALSE(compare(rounded, right, kTerms).agrees);
    } else {
        EXPECT_EQ(rounded, exact);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, FfnKernels, testing::ValuesIn(ffnPrototypes()), nameOf);

constexpr Shape kSmall{.batch = 2, .sequence = 20, .context = 20, .dModel = 48};

SpectralFfn smallSpectral()
{
    SpectralFfn spectral;
    spectral.kFreq = 5;
    return spectral;
}

TEST(ComposedKernel, NestsCompositionsOfCheapStagesAndOfEveryKind)
{
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        for (const GateKind gate : {GateKind::none, GateKind::scalar, GateKind::channel}) {
            ComposedFfn cheap;
            cheap.mode = mode;
            cheap.gate = gate;
            cheap.stages = {{smallSpectral()}, {PolynomialFfn{}}, {MicroRefineFfn{}}};
            ComposedFfn outer;
            outer.gate = gate;
            outer.stages = {{cheap}, {NoFfn{}}, {PolynomialFfn{}}};
            ComposedFfn heavy = outer;
            heavy.mode = mode;
            heavy.stages = stagesOfEveryKind(kSmall.dModel);
            heavy.stages.push_back(
                {TokenFeedbackFfn{.rank = 20, .feedback = Feedback::previousToken}});

            expectAgreement(cheap, kSmall);
            expectAgreement(outer, kSmall);
            expectAgreement(heavy, kSmall);
        }
    }
}

TEST(ComposedKernel, WithoutStagesIsZero)
{
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        ComposedFfn empty;
        empty.mode = mode;
        empty.gate = GateKind::none;

        ReadyFfn run(empty, kSmall, {2});

        EXPECT_EQ(run.output(), std::vector<float>(kSmall.activations(), 0.0F));
    }
}

// Few tokens as in decoding, and more than a register or a tile has.
TEST(FfnKernel, AgreesWithOtherValues)
{
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        expectAgreement(ffn, kSmall);
        expectAgreement(ffn, {.batch = 1, .sequence = 1, .context = 9, .dModel = 17});
    }
}

TEST(FfnKernel, AgreesWithOtherValuesInBfloat16)
{
    const test::Bfloat16Anywhere bfloat16;
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        expectAgreement(ffn, kSmall, Precision::bfloat16);
        expectAgreement(
            ffn, {.batch = 1, .sequence = 2, .context = 2, .dModel = 64}, Precision::bfloat16);
    }
}

// Several blocks of tokens per thread, transforms in batches with a remainder, a hidden layer in
// more than one part.
TEST(FfnKernel, AgreesBeyondOneBlock)
{
    const Shape many{.batch = 2, .sequence = 401, .context = 401, .dModel = 24};
    Random random(9);
    for (const FfnSpec& prototype : ffnPrototypes()) {
        expectAgreement(ffnVariations(prototype, many.dModel, 0, random).front(), many);
    }
    SpectralFfn topK = smallSpectral();
    topK.selection = BinSelection::topK;
    expectAgreement(topK, many);
    ComposedFfn composed = ultraEfficientSparseFfn();
    composed.stages[0].spec = topK;
    expectAgreement(composed, many);
}

// Widths at which a token fills the registers by itself: few bins, more than those, all, any.
TEST(FfnKernel, AgreesWhereATokenFillsRegistersByItself)
{
    for (const int dModel : {480, 768}) {
        const Shape shape{.batch = 1, .sequence = 5, .context = 5, .dModel = dModel};
        for (const BinSelection selection :
             {BinSelection::lowPass, BinSelection::learned, BinSelection::topK}) {
            for (const int kFreq : {1, 64, 150, SpectralFfn::bins(dModel)}) {
                SpectralFfn spectral;
                spectral.selection = selection;
                spectral.kFreq = kFreq;
                spectral.algorithm = SpectralAlgorithm::fft;
                spectral.activation = Activation::gelu;
                expectAgreement(spectral, shape);
            }
        }
    }
}

// Each thread begins inside the sequence and has to come to what the tokens before its own were.
TEST(TokenFeedbackKernel, LooksAtTokensOfOtherBlocksAndThreads)
{
    const Shape one{.batch = 1, .sequence = 801, .context = 801, .dModel = 24};
    const Shape few{.batch = 1, .sequence = 7, .context = 7, .dModel = 24};
    for (const FeatureWindow window : {FeatureWindow::rotating, FeatureWindow::topK}) {
        for (const int steps : {1, 2, 9}) {
            const TokenFeedbackFfn ffn{
                .steps = steps, .rank = 20, .window = window, .feedback = Feedback::previousToken};
            expectAgreement(ffn, one);
            expectAgreement(ffn, few);
        }
    }
}

// So large that all threads work on the columns of one product.
TEST(TokenFeedbackKernel, SharesLargeMatricesAmongFewTokens)
{
    const Shape shape{.batch = 2, .sequence = 3, .context = 3, .dModel = 700};
    for (const FeatureWindow window : {FeatureWindow::rotating, FeatureWindow::topK}) {
        for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
            expectAgreement(TokenFeedbackFfn{.steps = 3,
                                             .keepRatio = 0.9,
                                             .rank = 450,
                                             .window = window,
                                             .feedback = feedback},
                            shape);
        }
    }
}

// Groups of five, two and two steps, the last of which may be smaller.
TEST(TokenFeedbackKernel, MultipliesStepsOfDifferentFeaturesTogether)
{
    const Shape shape{.batch = 2, .sequence = 4, .context = 4, .dModel = 30};
    for (const double keepRatio : {0.2, 0.34, 0.5}) {
        for (const int steps : {2, 7}) {
            for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
                expectAgreement(
                    TokenFeedbackFfn{
                        .steps = steps, .keepRatio = keepRatio, .rank = 9, .feedback = feedback},
                    shape);
            }
        }
    }
}

// Lists of channels that are gathered and spread, and some that are masked.
TEST(MicroRefineKernel, RefinesListsOfEveryLength)
{
    for (const int dModel : {100, 512, 773}) {
        const Shape shape{.batch = 1, .sequence = 3, .context = 3, .dModel = dModel};
        for (const double keepRatio : {0.01, 0.1, 0.25, 0.74, 0.76, 1.0}) {
            for (const MicroRefineMode mode :
                 {MicroRefineMode::groups, MicroRefineMode::iterative}) {
                expectAgreement(MicroRefineFfn{.keepRatio = keepRatio,
                                               .mode = mode,
                                               .selection = ChannelSelection::fixed},
                                shape);
            }
        }
    }
}

TEST(FfnKernel, SplitsAHiddenLayerThatIsTooLargeForOneBuffer)
{
    const Shape shape{.batch = 1, .sequence = 600, .context = 600, .dModel = 4};
    const DenseFfn wide{.dFf = 60'000};
    memoryLedger().allow();
    ReadyFfn run(wide, shape, {2});

    EXPECT_LT(memoryLedger().maxBytes(), std::size_t{600} * 60'000 * sizeof(float));
    const std::vector<float> all = run.output();
    Shape last = shape;
    last.sequence = 1;
    last.context = 1;
    const std::vector<float> x(run.x.end() - 4, run.x.end());
    const auto alone = std::move(prepare(wide, last, run.weights, x, {1})).value();
    alone->run();
    for (int j = 0; j < 4; ++j) {
        EXPECT_NEAR(all[all.size() - 4 + j], alone->output()[j], 2e-4);
    }
}

TEST(FfnKernel, KeepsTheLowerOfEquallyLargeChannels)
{
    PolynomialFfn ffn;
    ffn.degree = 1;
    ffn.keepRatio = 0.5;
    ffn.selection = ChannelSelection::topK;
    const Shape shape{.batch = 1, .sequence = 1, .context = 1, .dModel = 6};
    const Weights<float> weights{{0.0F, 1.0F}}; // y = x
    const std::vector<float> x{1.0F, -2.0F, 2.0F, -1.0F, 2.0F, -2.0F};

    const auto kernel = std::move(prepare(ffn, shape, weights, x, {1})).value();
    kernel->run();

    const std::vector<float> y(kernel->output().begin(), kernel->output().end());
    EXPECT_EQ(y, (std::vector<float>{0.0F, -2.0F, 2.0F, 0.0F, 2.0F, 0.0F}));
}

TEST(FfnKernel, ReadsItsInputAnewInEachRun)
{
    ReadyFfn run(DenseFfn{.dFf = 10}, kSmall, {1});
    const std::vector<float> before = run.output();
    for (float& value : run.x) {
        value *= 2.0F;
    }

    EXPECT_NE(run.output(), before);
}

TEST(FfnKernel, IsRefusedWhereMemoryIsTooLittle)
{
    const ReadyFfn startsThreads(DenseFfn{.dFf = 5}, kSmall, {2});
    const FfnSpec wide = DenseFfn{.dFf = 20'000};
    const auto weights = randomWeights<float>(flopsmith::weights(wide, kSmall.dModel), 21);
    const auto& x = startsThreads.x;

    memoryLedger().allow(std::size_t{1} << 20);
    const auto refused = prepare(wide, kSmall, weights, x, {2});
    const bool wasRefused = memoryLedger().refused();
    memoryLedger().allow();

    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, testing::HasSubstr("memory"));
    EXPECT_TRUE(wasRefused);
    EXPECT_TRUE(prepare(wide, kSmall, weights, x, {2}).ok());
}

} // namespace
} // namespace flopsmith::cpu
