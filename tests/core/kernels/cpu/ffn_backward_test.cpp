// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "core/kernels/check.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/threads/team.h"
#include "core/kernels/reference/ffn.h"
#include "tests/core/kernels/cpu/backward_run.h"
#include "tests/core/kernels/cpu/ffn_variations.h"
#include "tests/support/ffn_cases.h"
#include "tests/support/ffns_with_values.h"

#include <gtest/gtest.h>

namespace flopsmith::cpu {
namespace {

// dx and then the gradients of the weights.
template <class S>
using Tensors = std::vector<std::vector<S>>;

// With the input moved by `relative` times its size in random directions.
Tensors<double> expectedGradients(const FfnSpec& ffn,
                                  const Shape& shape,
                                  double relative = 0.0,
                                  std::uint64_t seed = 0)
{
    const WeightShapes shapes = flopsmith::weights(ffn, shape.dModel);
    const auto weights = randomWeights<double>(shapes, 11);
    auto x = randomActivations<double>(shape.activations(), 12);
    Random random(seed);
    for (double& value : x) {
        value *= 1.0 + relative * (2.0 * random.uniform() - 1.0);
    }
    const auto dy = randomActivations<double>(shape.activations(), 13);
    Tensors<double> all = zeros<double>(shapes);
    std::vector<double> dx(x.size());
    reference::backward<double>(ffn, shape, weights, x, dy, dx, all);
    all.insert(all.begin(), dx);
    return all;
}

struct ReadyBackward
{
    WeightShapes shapes;
    Weights<float> weights;
    std::vector<float> x;
    std::vector<float> dy;
    Tensors<float> results;
    std::vector<std::span<float>> gradients;
    std::unique_ptr<BackwardStage> stage;

    ReadyBackward(const FfnSpec& ffn,
                  const Shape& shape,
                  Threads threads,
                  Precision precision = Precision::float32)
        : shapes(flopsmith::weights(ffn, shape.dModel))
        , weights(randomWeights<float>(shapes, 11))
        , x(randomActivations<float>(shape.activations(), 12))
        , dy(randomActivations<float>(shape.activations(), 13))
        , results(zeros<float>(shapes))
    {
        startThreads(threads);
        results.insert(results.begin(), std::vector<float>(x.size()));
        for (std::size_t i = 1; i < results.size(); ++i) {
            std::fill(results[i].begin(), results[i].end(), 7.0F); // to be overwritten
            gradients.emplace_back(results[i]);
        }
        stage = std::move(makeBackwardStage(
                              ffn, stageSizeOf(shape, threads, precision), weights, gradients))
                    .value();
        std::vector<float> y(x.size());
        stage->save(x.data(), y.data());
    }

    const Tensors<float>& run()
    {
        stage->run(dy.data(), results[0].data());
        return results;
    }
};

// What disagrees, or nothing.
std::string disagreement(const Tensors<float>& fast,
                         const Tensors<double>& right,
                         const WeightShapes& shapes,
                         Precision precision,
                         double cancelling)
{
    const double left = 8 * operandRounding(precision) * cancelling;
    std::string text;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const Agreement agreement =
            compare(fast[i], right[i], kTerms, roundingOfTensor(precision, fast[i].size()));
        if (!agreement.agrees && !(agreement.largestError <= left)) {
            text += (i == 0 ? "dx" : shapes[i - 1].name) + ": error "
                + std::to_string(agreement.largestError) + " of "
                + std::to_string(agreement.magnitude) + "; ";
        }
    }
    return text;
}

// A choice between values that differ by a rounding error may fall either way: then the kernel
// agrees with the reference on an input that is a rounding error away.
bool agreesNearby(const FfnSpec& ffn,
                  const Shape& shape,
                  const Tensors<float>& fast,
                  const WeightShapes& shapes,
                  Precision precision,
                  double cancelling)
{
    constexpr double kMove = 8.0 * std::numeric_limits<float>::epsilon();
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        const Tensors<double> nearby = expectedGradients(ffn, shape, kMove, seed);
        if (disagreement(fast, nearby, shapes, precision, cancelling).empty()) {
            return true;
        }
    }
    return false;
}

void expectGradients(const FfnSpec& ffn,
                     const Shape& shape,
                     Precision precision = Precision::float32)
{
    SCOPED_TRACE(test::describeFfn(ffn) + "d=" + std::to_string(shape.dModel));
    const Tensors<double> right = expectedGradients(ffn, shape);
    // The gradient of a router is one of differences, between experts and in its softmax, whose
    // terms keep the rounding of their operands.
    const double cancelling = holds_alternative<MoeFfn>(ffn) ? largestIn(right) : 0.0;
    for (const int threads : {1, 3}) {
        ReadyBackward ready(ffn, shape, {threads}, precision);
        const Tensors<float> fast = ready.run();
        const std::string wrong = disagreement(fast, right, ready.shapes, precision, cancelling);
        EXPECT_TRUE(wrong.empty()
                    || agreesNearby(ffn, shape, fast, ready.shapes, precision, cancelling))
            << wrong << threads << " threads";
        EXPECT_EQ(ready.run(), fast) << "the second run differs, " << threads << " threads";
    }
}

class FfnBackwardKernels : public testing::TestWithParam<FfnSpec>
{};

// Widths at which a token fills the registers by itself.
TEST(FfnBackward, AgreesWhereATokenFillsRegistersByItself)
{
    const Shape shape{.batch = 1, .sequence = 5, .context = 5, .dModel = 480};
    for (const BinSelection selection :
         {BinSelection::lowPass, BinSelection::learned, BinSelection::topK}) {
        for (const int kFreq : {1, 64, 241}) {
            SpectralFfn spectral;
            spectral.selection = selection;
            spectral.kFreq = kFreq;
            spectral.algorithm = SpectralAlgorithm::fft;
            spectral.activation = Activation::gelu;
            expectGradients(spectral, shape);
        }
    }
}

// Groups of five, two and two steps, the last of which may be smaller.
TEST(FfnBackward, AgreesWhereStepsOfDifferentFeaturesAreMultipliedTogether)
{
    const Shape shape{.batch = 2, .sequence = 4, .context = 4, .dModel = 30};
    for (const double keepRatio : {0.2, 0.34, 0.5}) {
        for (const int steps : {2, 7}) {
            for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
                expectGradients(
                    TokenFeedbackFfn{
                        .steps = steps, .keepRatio = keepRatio, .rank = 9, .feedback = feedback},
                    shape);
            }
        }
    }
}

// Several blocks of tokens for each thread, the last of which are smaller, and sums of each
// thread's own.
TEST(FfnBackward, AgreesWhereTokensGoBackInBlocks)
{
    const Shape shape{.batch = 1, .sequence = 331, .context = 331, .dModel = 30};
    for (const FeatureWindow window : {FeatureWindow::rotating, FeatureWindow::topK}) {
        for (const StepWeights weights : {StepWeights::shared, StepWeights::perStep}) {
            for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
                expectGradients(TokenFeedbackFfn{.steps = 3,
                                                 .keepRatio = 0.4,
                                                 .rank = 9,
                                                 .window = window,
                                                 .feedback = feedback,
                                                 .stepWeights = weights},
                                shape);
            }
        }
    }
}

TEST_P(FfnBackwardKernels, AgreeWithTheReferenceForEveryOption)
{
    Random random(3);
    for (const Shape& shape : awkwardShapes()) {
        for (const FfnSpec& ffn : ffnVariations(GetParam(), shape.dModel, 8, random)) {
            expectGradients(ffn, shape);
        }
    }
}

TEST_P(FfnBackwardKernels, AgreeInBfloat16WithinItsBound)
{
    const test::Bfloat16Anywhere bfloat16;
    Random random(6);
    for (const Shape& shape : shapesToRound()) {
        const FfnSpec ffn = ffnVariations(GetParam(), shape.dModel, 0, random).front();
        expectGradients(ffn, shape, Precision::bfloat16);
    }
}

TEST_P(FfnBackwardKernels, RunAgainAfterAnotherForwardPass)
{
    const Shape shape{.batch = 2, .sequence = 40, .context = 40, .dModel = 48};
    Random random(4);
    for (const FfnSpec& ffn : ffnVariations(GetParam(), shape.dModel, 4, random)) {
        SCOPED_TRACE(test::describeFfn(ffn));
        ReadyBackward ready(ffn, shape, {2});
        const Tensors<float> first = ready.run();
        const auto other = randomActivations<float>(shape.activations(), 99);
        std::vector<float> y(other.size());
        ready.stage->save(other.data(), y.data());
        ready.run();
        ready.stage->save(ready.x.data(), y.data());

        EXPECT_EQ(ready.run(), first);
    }
}

// The output of the prepared kernel: dx and the gradients behind one another.
TEST_P(FfnBackwardKernels, ArePreparedWithAllGradientsInOneOutput)
{
    Random random(5);
    for (const Shape& shape : awkwardShapes()) {
        for (const FfnSpec& ffn : ffnVariations(GetParam(), shape.dModel, 2, random)) {
            SCOPED_TRACE(test::describeFfn(ffn) + "d=" + std::to_string(shape.dModel));
            ReadyBackward ready(ffn, shape, {2});
            std::vector<float> all;
            for (const std::vector<float>& tensor : ready.run()) {
                all.insert(all.end(), tensor.begin(), tensor.end());
            }
            const auto kernel =
                std::move(prepareBackward(ffn, shape, ready.weights, ready.x, ready.dy, {2}))
                    .value();
            kernel->run();
            const std::span<const float> output = kernel->output();

            EXPECT_EQ(std::vector<float>(output.begin(), output.end()), all);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, FfnBackwardKernels, testing::ValuesIn(ffnPrototypes()), nameOf);

TEST(FfnBackwardKernel, AgreesWithOtherValues)
{
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        expectGradients(ffn, {.batch = 2, .sequence = 20, .context = 20, .dModel = 48});
        expectGradients(ffn, {.batch = 1, .sequence = 1, .context = 1, .dModel = 17});
    }
}

// A composition of every kind of stage, and of such compositions.
TEST(ComposedBackwardKernel, NestsStagesOfEveryKind)
{
    const Shape shape{.batch = 2, .sequence = 20, .context = 20, .dModel = 24};
    ComposedFfn every;
    every.stages = stagesOfEveryKind(shape.dModel);
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        for (const GateKind gate : {GateKind::none, GateKind::scalar, GateKind::channel}) {
            every.mode = mode;
            every.gate = gate;
            ComposedFfn outer = every;
            outer.stages = {
                {every}, {NoFfn{}}, {PolynomialFfn{.basis = PolynomialBasis::chebyshev}}};

            expectGradients(every, shape);
            expectGradients(outer, shape);
        }
    }
}

TEST(ComposedBackwardKernel, SavesAForwardPassOfTraining)
{
    const Shape shape{.batch = 2, .sequence = 20, .context = 20, .dModel = 37, .training = true};
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        ComposedFfn ffn = ultraEfficientSparseFfn();
        ffn.stages.front().spec = SpectralFfn{.kFreq = 9};
        ffn.mode = mode;
        ffn.dropout = 0.4;
        ffn.stages.push_back({ffn});
        ffn.dropoutSeed = 5;
        ReadyBackward ready(ffn, shape, {2});
        std::vector<float> y(ready.x.size());
        ready.stage->save(ready.x.data(), y.data());
        const auto weights = randomWeights<double>(ready.shapes, 11);
        std::vector<double> right(y.size());
        reference::forward<double>(
            ffn, shape, weights, std::vector<double>(ready.x.begin(), ready.x.end()), right);

        EXPECT_TRUE(compare(y, right, kTerms).agrees);
        for (std::size_t i = 0; i < y.size(); ++i) {
            ASSERT_EQ(y[i] == 0.0F, right[i] == 0.0) << i;
        }
    }
}

TEST(ComposedBackwardKernel, WithoutStagesHasNoGradient)
{
    const Shape shape{.batch = 1, .sequence = 3, .context = 3, .dModel = 5};
    ReadyBackward ready(ComposedFfn{.gate = GateKind::none}, shape, {1});

    EXPECT_EQ(ready.run(), Tensors<float>{std::vector<float>(15)});
}

} // namespace
} // namespace flopsmith::cpu
