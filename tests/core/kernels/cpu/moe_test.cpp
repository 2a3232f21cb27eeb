// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/moe.h"

#include "core/kernels/check.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/linear/grouped_products.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/reference/ffn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mutex>

namespace flopsmith::cpu {
namespace {

std::vector<float> outputOf(const FfnSpec& ffn,
                            const Shape& shape,
                            const Weights<float>& weights,
                            const std::vector<float>& x,
                            int threads)
{
    const auto kernel = std::move(prepare(ffn, shape, weights, x, {threads})).value();
    kernel->run();
    return {kernel->output().begin(), kernel->output().end()};
}

// Both kernels on the same numbers.
void expectAgreement(const MoeFfn& ffn,
                     const Shape& shape,
                     const Weights<float>& weights,
                     const std::vector<float>& x)
{
    Weights<double> wide;
    for (const std::vector<float>& tensor : weights) {
        wide.emplace_back(tensor.begin(), tensor.end());
    }
    std::vector<double> y(x.size());
    reference::forward<double>(ffn, shape, wide, std::vector<double>(x.begin(), x.end()), y);
    for (const int threads : {1, 2, 3}) {
        const Agreement agreement = compare(outputOf(ffn, shape, weights, x, threads), y, 64);
        EXPECT_TRUE(agreement.agrees) << "error " << agreement.largestError << " of "
                                      << agreement.magnitude << ", " << threads << " threads";
    }
}

void expectAgreement(const MoeFfn& ffn, const Shape& shape)
{
    expectAgreement(ffn,
                    shape,
                    randomWeights<float>(weights(ffn, shape.dModel), 1),
                    randomActivations<float>(shape.activations(), 2));
}

// Every way of weighing one expert of one gives that expert, to the last bit.
TEST(MoeKernel, OneExpertIsThatFfn)
{
    const Shape shape{.batch = 2, .sequence = 45, .context = 45, .dModel = 33};
    for (const ExpertKind kind : {ExpertKind::dense, ExpertKind::gated}) {
        for (const RouterScore score : {RouterScore::softmax, RouterScore::sigmoid}) {
            for (const int sequence : {1, 45}) {
                Shape some = shape;
                some.sequence = sequence;
                const MoeFfn ffn{.experts = 1,
                                 .perToken = 1,
                                 .expert = kind,
                                 .dFf = 50,
                                 .bias = true,
                                 .score = score};
                const auto weights = randomWeights<float>(flopsmith::weights(ffn, 33), 1);
                const auto x = randomActivations<float>(some.activations(), 2);
                const FfnSpec plain = std::visit([](const auto& expert) { return FfnSpec(expert); },
                                                 ffn.routedExpert());

                EXPECT_EQ(outputOf(ffn, some, weights, x, 1),
                          outputOf(plain, some, {weights.begin() + 1, weights.end()}, x, 1));
            }
        }
    }
}

TEST(MoeKernel, AgreesWhereAllTokensGoToOneExpert)
{
    const Shape shape{.batch = 1, .sequence = 100, .context = 100, .dModel = 24};
    const MoeFfn ffn{.experts = 6, .perToken = 1, .dFf = 70, .routerBias = true};
    auto weights = randomWeights<float>(flopsmith::weights(ffn, 24), 1);
    weights[1][4] = 100.0F;

    expectAgreement(ffn, shape, weights, randomActivations<float>(shape.activations(), 2));
}

TEST(MoeKernel, AgreesForSkewedRoutingAndManyExpertsWithoutTokens)
{
    const Shape shape{.batch = 1, .sequence = 60, .context = 60, .dModel = 24};

    expectAgreement({.experts = 40, .perToken = 3, .dFf = 30, .skew = 2.0}, shape);
    expectAgreement({.experts = 1000, .perToken = 2, .dFf = 8}, shape);
}

TEST(MoeKernel, AgreesForOneToken)
{
    expectAgreement({.experts = 16, .perToken = 4, .dFf = 600, .sharedExperts = 1},
                    {.batch = 1, .sequence = 1, .context = 1, .dModel = 128});
}

TEST(MoeKernel, AddsTheCorrectionToTheChoiceAlone)
{
    const Shape shape{.batch = 1, .sequence = 40, .context = 40, .dModel = 24};
    for (const RouterScore score : {RouterScore::softmax, RouterScore::sigmoid}) {
        for (const ScoredExperts scored : {ScoredExperts::all, ScoredExperts::chosen}) {
            const MoeFfn ffn{.experts = 8,
                             .perToken = 3,
                             .dFf = 10,
                             .score = score,
                             .scored = scored,
                             .scale = 2.5,
                             .correctionBias = true};
            auto weights = randomWeights<float>(flopsmith::weights(ffn, 24), 1);
            weights[1] = {0.25F, -0.5F, 0.0F, 1.0F, -1.0F, 0.125F, 0.0F, -0.25F};

            expectAgreement(ffn, shape, weights, randomActivations<float>(shape.activations(), 2));
        }
    }
}

TEST(MoeKernel, ChoosesFromFewGroupsAsTheReferenceDoes)
{
    const Shape shape{.batch = 1, .sequence = 50, .context = 50, .dModel = 24};
    for (const GroupScore worth : {GroupScore::best, GroupScore::twoBest}) {
        for (const RouterScore score : {RouterScore::softmax, RouterScore::sigmoid}) {
            for (const bool corrected : {false, true}) {
                const MoeFfn ffn{.experts = 32,
                                 .perToken = 5,
                                 .dFf = 10,
                                 .score = score,
                                 .scale = 2.5,
                                 .correctionBias = corrected,
                                 .groups = 8,
                                 .groupsPerToken = 3,
                                 .groupScore = worth};
                auto weights = randomWeights<float>(flopsmith::weights(ffn, 24), 1);
                for (std::size_t e = 0; corrected && e < 32; ++e) {
                    weights[1][e] = 0.05F * static_cast<float>(e % 7) - 0.1F;
                }

                expectAgreement(
                    ffn, shape, weights, randomActivations<float>(shape.activations(), 2));
            }
        }
    }
}

TEST(MoeKernel, SendsTiesToTheFirstExperts)
{
    const MoeFfn ffn{.experts = 5,
                     .perToken = 2,
                     .expert = ExpertKind::dense,
                     .dFf = 1,
                     .activation = Activation::none};
    const Shape one{.batch = 1, .sequence = 1, .context = 1, .dModel = 1};
    Weights<float> weights{{-1.0F, 0.0F, -0.0F, 0.0F, -1.0F}};
    for (int e = 0; e < 5; ++e) {
        weights.push_back({static_cast<float>(1 << (2 * e))});
        weights.push_back({1.0F});
    }

    EXPECT_EQ(outputOf(ffn, one, weights, {1.0F}, 1).front(), 0.5F * 4 + 0.5F * 16);
}

TEST(MoeKernel, ShowsALogitThatIsNotANumber)
{
    const MoeFfn ffn{.experts = 3, .perToken = 1, .dFf = 2, .routerBias = true};
    const Shape one{.batch = 1, .sequence = 1, .context = 1, .dModel = 2};
    auto weights = randomWeights<float>(flopsmith::weights(ffn, 2), 1);
    weights[1][2] = std::numeric_limits<float>::quiet_NaN();

    EXPECT_TRUE(std::isnan(outputOf(ffn, one, weights, {1.0F, 2.0F}, 1).front()));
}

TEST(MoeKernel, GivesTheSameBitsInEveryRun)
{
    const Shape shape{.batch = 1, .sequence = 200, .context = 200, .dModel = 48};
    const MoeFfn ffn{.experts = 8, .perToken = 3, .dFf = 60, .skew = 1.0};
    const auto weights = randomWeights<float>(flopsmith::weights(ffn, 48), 1);
    const auto x = randomActivations<float>(shape.activations(), 2);
    const std::vector<float> first = outputOf(ffn, shape, weights, x, 3);

    for (int run = 0; run < 20; ++run) {
        ASSERT_EQ(outputOf(ffn, shape, weights, x, 3), first);
    }
}

// Every row and column of every group is covered once, by pieces of nearly equal work.
TEST(GroupedProducts, CutsLargeGroupsAndCoversEverythingOnce)
{
    const std::vector<std::int64_t> rows{0, 1, 899, 3, 97};
    startThreads({5}); // each allocates scratch
    for (const std::int64_t inner : {0, 64}) {
        for (const int threads : {1, 2, 5}) {
            constexpr std::int64_t kColumns = 200;
            GroupedProducts products(5, {threads});
            const std::size_t bytes = memoryLedger().bytes();
            std::vector<std::vector<int>> covered;
            for (const std::int64_t count : rows) {
                covered.emplace_back(static_cast<std::size_t>(count * kColumns), 0);
            }
            std::vector<int> pieces(5, 0);
            std::mutex mutex;

            products.forEach(
                [&](int g) {
                    return ProductSize{rows[static_cast<std::size_t>(g)], inner, kColumns};
                },
                [&](int g, const Slice& slice) {
                    const std::lock_guard lock(mutex);
                    ++pieces[static_cast<std::size_t>(g)];
                    for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                        for (std::int64_t c = slice.columns.first; c < slice.columns.last; ++c) {
                            ++covered[static_cast<std::size_t>(g)].at(
                                static_cast<std::size_t>(t * kColumns + c));
                        }
                    }
                });

            for (const std::vector<int>& group : covered) {
                EXPECT_EQ(group, std::vector<int>(group.size(), 1)) << threads;
            }
            EXPECT_EQ(pieces[0], 0);
            EXPECT_EQ(pieces[1], 1);
            if (inner > 0) { // worth all threads
                EXPECT_GE(pieces[2], threads == 1 ? 1 : 2 * threads);
            }
            EXPECT_EQ(memoryLedger().bytes(), bytes) << "it allocated";
        }
    }
}

TEST(GroupedProducts, ShiftsTheRowsOfASlice)
{
    const Slice slice = shiftedBy(10, {{2, 5}, {7, 9}});

    EXPECT_EQ(slice.tokens.first, 12);
    EXPECT_EQ(slice.tokens.last, 15);
    EXPECT_EQ(slice.columns.first, 7);
}

} // namespace
} // namespace flopsmith::cpu
