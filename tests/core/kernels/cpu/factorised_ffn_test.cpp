// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_variants.h"
#include "core/kernels/check.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/threads/team.h"
#include "core/kernels/reference/ffn.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

// Kronecker, low-rank, Monarch and token feedback FFNs at sizes that the tests over all variants do not reach: every way of
// splitting the work, factors of one row or column, sums of several sparse terms.
namespace flopsmith::cpu {
namespace {

constexpr double kFactorTerms = 4096;

void expectForward(const FfnSpec& ffn, const Shape& shape)
{
    SCOPED_TRACE(test::describeFfn(ffn) + "tokens " + std::to_string(shape.tokens()));
    const WeightShapes shapes = weights(ffn, shape.dModel);
    const auto narrow = randomWeights<float>(shapes, 1);
    const auto x = randomActivations<float>(shape.activations(), 2);
    std::vector<double> expected(shape.activations());
    reference::forward<double>(ffn,
                               shape,
                               randomWeights<double>(shapes, 1),
                               randomActivations<double>(shape.activations(), 2),
                               expected);
    for (const int threads : {1, 2}) {
        const auto kernel = std::move(prepare(ffn, shape, narrow, x, {threads})).value();
        kernel->run();
        const Agreement agreement = compare(kernel->output(), expected, kFactorTerms);
        ASSERT_TRUE(agreement.agrees) << "error " << agreement.largestError << " of "
                                      << agreement.magnitude << ", " << threads << " threads";
    }
}

template <class Spec>
void expectBackward(const Spec& ffn, const Shape& shape)
{
    SCOPED_TRACE(test::describeFfn(ffn) + "tokens " + std::to_string(shape.tokens()));
    const WeightShapes shapes = weights(ffn, shape.dModel);
    std::vector<double> expectedDx(shape.activations());
    auto expected = zeros<double>(shapes);
    reference::backward<double>(ffn,
                                shape,
                                randomWeights<double>(shapes, 1),
                                randomActivations<double>(shape.activations(), 2),
                                randomActivations<double>(shape.activations(), 3),
                                expectedDx,
                                expected);
    const auto narrow = randomWeights<float>(shapes, 1);
    const auto x = randomActivations<float>(shape.activations(), 2);
    const auto dy = randomActivations<float>(shape.activations(), 3);
    for (const int threads : {1, 2}) {
        startThreads({threads});
        std::vector<float> dx(x.size());
        auto gradients = zeros<float>(shapes);
        const std::vector<std::span<float>> spans(gradients.begin(), gradients.end());
        const auto stage =
            std::move(makeBackwardStage(ffn, stageSizeOf(shape, {threads}), narrow, spans)).value();
        stage->save(x.data(), dx.data());
        stage->run(dy.data(), dx.data());
        ASSERT_TRUE(compare(dx, expectedDx, kFactorTerms).agrees)
            << "dx, " << threads << " threads";
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            ASSERT_TRUE(compare(gradients[i], expected[i], kFactorTerms).agrees)
                << shapes[i].name << ", " << threads << " threads";
        }
    }
}

Shape tokens(int count, int dModel)
{
    return {.batch = 1, .sequence = count, .context = count, .dModel = dModel};
}

std::vector<KroneckerFfn> factorings(int dModel, int dFf, const std::vector<int>& ranks)
{
    std::vector<KroneckerFfn> all;
    for (int d1 = 1; d1 <= dModel; ++d1) {
        for (int f1 = 1; f1 <= dFf; ++f1) {
            for (const int rank : ranks) {
                for (const double ratio : {0.1, 0.4, 1.0}) {
                    if (dModel % d1 == 0 && dFf % f1 == 0) {
                        all.push_back({.dFf = dFf,
                                       .d1 = d1,
                                       .f1 = f1,
                                       .rank = rank,
                                       .keepRatio = ratio,
                                       .seed = d1 + f1});
                    }
                }
            }
        }
    }
    return all;
}

TEST(KroneckerKernel, AgreesForEveryFactoring)
{
    for (const KroneckerFfn& ffn : factorings(12, 18, {1, 2, 3})) {
        for (const int count : {1, 5, 70}) {
            ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(count, 12)));
            ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(count, 12)));
        }
    }
}

// Whole registers, several of them, and what is left.
TEST(KroneckerKernel, AgreesForFactorsWiderThanRegisters)
{
    for (const double ratio : {0.1, 1.0}) {
        for (const int rank : {1, 3}) {
            const KroneckerFfn ffn{
                .dFf = 80 * 66, .d1 = 33, .f1 = 80, .rank = rank, .keepRatio = ratio};
            ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(1, 33 * 70)));
            ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(1, 33 * 70)));
            ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(9, 33 * 70)));
            ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(9, 33 * 70)));
        }
    }
}

// More entries than the cache holds: all threads on one product at a time, however many tokens.
TEST(KroneckerKernel, AgreesForFactorsTooLargeForTheCache)
{
    for (const int d1 : {1, 300, 150}) {
        const KroneckerFfn ffn{.dFf = 500, .d1 = d1, .f1 = d1 == 1 ? 1 : 500, .keepRatio = 1.0};
        ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(9, 300)));
        ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(9, 300)));
    }
}

TEST(KroneckerKernel, IsAStageLikeAnyOther)
{
    const KroneckerFfn kronecker{.dFf = 60, .d1 = 6, .f1 = 10, .rank = 2, .keepRatio = 0.5};
    const LowRankFfn lowRank{.dFf = 30, .rank = 4};
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        ComposedFfn inner;
        inner.mode = mode;
        inner.stages = {{kronecker}, {PolynomialFfn{}}};
        ComposedFfn outer;
        outer.mode = mode;
        outer.stages = {{lowRank}, {inner}};
        for (const int count : {1, 40}) {
            ASSERT_NO_FATAL_FAILURE(expectForward(outer, tokens(count, 48)));
        }
    }
}

TEST(LowRankKernel, AgreesFromRankOneToFullRank)
{
    for (const int rank : {1, 7, 33}) {
        const LowRankFfn ffn{.dFf = 50, .rank = rank};
        for (const int count : {1, 5, 70}) {
            ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(count, 33)));
            ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(count, 33)));
        }
    }
}

// Few tokens row by row, then one tile of them, a tile with columns to spare, several tiles.
TEST(MonarchKernel, AgreesForEveryNumberOfBlocks)
{
    for (const int blocks : {1, 2, 4, 12}) {
        for (const bool bias : {true, false}) {
            const MonarchFfn ffn{.dFf = 60, .blocks = blocks, .bias = bias};
            for (const int count : {1, 5, 11, 12, 16, 33, 150, 300}) {
                ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(count, 24)));
                ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(count, 24)));
            }
        }
    }
}

TEST(MonarchKernel, AgreesForBlocksWiderThanRegistersAndForAHiddenLayerThatIsNarrow)
{
    for (const MonarchFfn& ffn : {MonarchFfn{.dFf = 33 * 70, .blocks = 3},
                                  MonarchFfn{.dFf = 33 * 70, .blocks = 33},
                                  MonarchFfn{.dFf = 30, .blocks = 3},
                                  MonarchFfn{.dFf = 330, .blocks = 330}}) {
        for (const int count : {1, 9, 40}) {
            ASSERT_NO_FATAL_FAILURE(expectForward(ffn, tokens(count, 330)));
            ASSERT_NO_FATAL_FAILURE(expectBackward(ffn, tokens(count, 330)));
        }
    }
}

TEST(MonarchKernel, IsAStageLikeAnyOther)
{
    ComposedFfn composed;
    composed.mode = CompositionMode::sequential;
    composed.stages = {{MonarchFfn{.dFf = 60, .blocks = 6}}, {PolynomialFfn{}}};
    for (const int count : {1, 40}) {
        ASSERT_NO_FATAL_FAILURE(expectForward(composed, tokens(count, 48)));
    }
}

// So large that the gradients are summed over the tokens of all steps at once, or step by step.
TEST(TokenFeedbackBackwardKernel, SumsGradientsOfLargeMatricesOverAllSteps)
{
    for (const StepWeights weights : {StepWeights::shared, StepWeights::perStep}) {
        for (const Feedback feedback : {Feedback::self, Feedback::previousToken}) {
            const TokenFeedbackFfn ffn{.steps = 3,
                                       .keepRatio = 0.9,
                                       .rank = 450,
                                       .feedback = feedback,
                                       .stepWeights = weights};
            expectBackward(ffn, tokens(5, 700));
        }
    }
}

} // namespace
} // namespace flopsmith::cpu
