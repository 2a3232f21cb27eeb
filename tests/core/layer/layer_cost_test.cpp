// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

Count elements(const WeightShapes& shapes)
{
    Count sum = 0;
    for (const WeightShape& shape : shapes) {
        sum += shape.size();
    }
    return sum;
}

TEST(LinearCost, CountsProductsBiasAndParameters)
{
    const Cost<Count> cost = linearCost<Count>(2, 3, 5, Bias::present);

    EXPECT_TRUE((cost.count == OpCount<Count>{.mac = 30, .dot = 10, .add = 10}));
    EXPECT_TRUE(
        (cost.traffic == Traffic<Count>{.weights = 20, .vectors = 5, .read = 6, .written = 10}));
    EXPECT_TRUE(
        (cost.parameters == ParameterCount<Count>{.trainable = 20, .active = 20, .vectors = 5}));
    EXPECT_TRUE(linearCost<Count>(2, 3, 5, Bias::absent).parameters.trainable == 15);
}

template <class Spec>
std::vector<Spec> cases(int dModel)
{
    Random random(static_cast<std::uint64_t>(dModel));
    return test::generatedCases(Spec{}, FieldContext{dModel}, test::kRandomDraw, random);
}

TEST(NormCost, ParametersAreItsWeights)
{
    for (const int d : test::awkwardWidths()) {
        for (const Norm& norm : cases<Norm>(d)) {
            EXPECT_TRUE(normCost<Count>(norm, 3, d).parameters.trainable
                        == elements(weights(norm, d)))
                << test::describe(norm);
        }
    }
}

TEST(NormCost, RmsNormHasNoShiftEvenIfAsked)
{
    const Norm norm{.kind = NormKind::rmsNorm, .scale = true, .shift = true};

    EXPECT_EQ(weights(norm, 8).size(), 1U);
    EXPECT_TRUE(normCost<Count>(norm, 1, 8).parameters.trainable == 8);
}

TEST(EmbeddingCost, ParametersAreItsWeights)
{
    for (const int d : test::awkwardWidths()) {
        for (Embedding embedding : cases<Embedding>(d)) {
            for (const Norm& norm : {Norm::absent(), Norm{}, Norm::rms()}) {
                embedding.norm = norm;
                const int tokens = embedding.readsPatches() ? embedding.imageTokens() : 3;
                const Cost<Count> cost = test::costTree(embedding, {2, tokens, tokens, d}).total();

                EXPECT_TRUE(cost.parameters.trainable == elements(weights(embedding, d)))
                    << test::describe(embedding);
            }
        }
    }
}

TEST(EmbeddingCost, Gpt2SmallHasItsPublishedTables)
{
    const Cost<Count> cost = test::costTree(Embedding{}, {1, 1024, 1024, 768}).total();

    EXPECT_EQ(digits(cost.parameters.trainable), "39383808"); // (50257 + 1024)·768
    EXPECT_EQ(digits(cost.count.move), "1572864"); // two rows per token
}

Cost<Count> headCost(const Head& head, const TokenTable& table, const Shape& shape)
{
    const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
        addCost(head, table, pass, tree);
    };
    return test::treeOf(shape, add).total();
}

TEST(HeadCost, ParametersAreItsWeightsUnlessTheyAreTheEmbeddings)
{
    const TokenTable table(11, 3);
    for (const int d : test::awkwardWidths()) {
        for (const Head& head : cases<Head>(d)) {
            const bool shared = head.kind == HeadKind::lm && head.tied;
            const Count expected = elements(weights(head, d, table))
                - (shared ? Count{table.vocab} * table.widthFor(head, d) : Count{0});

            EXPECT_TRUE(headCost(head, table, {2, 3, 3, d}).parameters.trainable == expected)
                << test::describe(head);
        }
    }
}

TEST(HeadCost, TyingSavesParametersButNeitherWorkNorTraffic)
{
    const Shape shape{1, 4, 4, 8};
    const Cost<Count> tied = headCost({.tied = true}, 10, shape);
    const Cost<Count> own = headCost({.tied = false}, 10, shape);

    EXPECT_TRUE(tied.count == own.count);
    EXPECT_TRUE(tied.traffic == own.traffic);
    EXPECT_TRUE(own.parameters.trainable - tied.parameters.trainable == 80);
}

TEST(HeadCost, PoolerWorksOncePerSequence)
{
    const Head pooler{.kind = HeadKind::pooler};

    EXPECT_TRUE(headCost(pooler, 10, {3, 5, 5, 8}).count
                == headCost(pooler, 10, {3, 1, 1, 8}).count);
    EXPECT_TRUE(headCost(pooler, 10, {3, 5, 5, 8}).count.exp == 24);
}

TEST(ActivationCost, NoneIsFree)
{
    EXPECT_TRUE(activationCount<Count>(Activation::none, 100) == OpCount<Count>{});
}

TEST(SinusoidalPosition, PairsTurnEverMoreSlowly)
{
    EXPECT_DOUBLE_EQ(sinusoidalPosition(0, 0, 8), 0);
    EXPECT_DOUBLE_EQ(sinusoidalPosition(0, 1, 8), 1);
    EXPECT_DOUBLE_EQ(sinusoidalPosition(3, 2, 8), std::sin(0.3)); // 10000^(−2/8) = 1/10
    EXPECT_DOUBLE_EQ(sinusoidalPosition(3, 7, 8), std::cos(0.003));
}

} // namespace
} // namespace flopsmith
