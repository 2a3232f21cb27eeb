// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

const Shape kShape{2, 3, 3, 10};

Cost<Count> costOf(const FfnSpec& ffn, const Shape& shape = kShape)
{
    return test::costTree(ffn, shape).total();
}

// Of the operations whose path begins so.
Cost<Count> costOf(const MoeFfn& ffn, std::string_view part, const Shape& shape = kShape)
{
    const CostTree<Count> tree = test::costTree(FfnSpec(ffn), shape);
    Cost<Count> sum;
    for (int i = 1; i < tree.size(); ++i) {
        if (tree.path(i) == part) {
            sum += tree.node(i).kind == OpKind::group ? tree.total(i) : tree.node(i).cost;
        }
    }
    return sum;
}

TEST(MoeCost, MultipliesForTheRouterTheChosenAndTheSharedExperts)
{
    const MoeFfn ffn{.experts = 7, .perToken = 3, .dFf = 5, .sharedExperts = 2, .sharedDFf = 11};
    const Count tokens = 6;
    const Count d = 10;

    EXPECT_EQ(costOf(FfnSpec(ffn)).count.mac,
              tokens * d * 7 + tokens * 3 * (3 * d * 5) + tokens * 2 * (3 * d * 11));
}

TEST(MoeCost, ExpertsCostWhatTheyCostAlone)
{
    for (const ExpertKind kind : {ExpertKind::dense, ExpertKind::gated}) {
        for (const bool bias : {false, true}) {
            const MoeFfn ffn{.experts = 9, .perToken = 4, .expert = kind, .dFf = 5, .bias = bias};
            const Cost<Count> alone = std::visit(
                [](const auto& expert) { return costOf(FfnSpec(expert)); }, ffn.routedExpert());

            const Cost<Count> routed = costOf(ffn, "experts");

            EXPECT_TRUE(routed.count == Count{4} * alone.count);
            EXPECT_EQ(routed.parameters.trainable, 9 * alone.parameters.trainable);
            EXPECT_EQ(routed.parameters.active, 4 * alone.parameters.active);
            EXPECT_EQ(routed.traffic.written, 4 * alone.traffic.written);
        }
    }
}

TEST(MoeCost, GrowsWithTheChosenExpertsAndStoresAll)
{
    const MoeFfn few{.experts = 8, .perToken = 2};
    const MoeFfn many{.experts = 64, .perToken = 2};

    EXPECT_EQ(costOf(few, "experts").count.mac, costOf(many, "experts").count.mac);
    EXPECT_EQ(8 * costOf(few, "experts").parameters.trainable,
              costOf(many, "experts").parameters.trainable);
    EXPECT_EQ(costOf(few, "experts").parameters.active, costOf(many, "experts").parameters.active);
}

TEST(MoeCost, ReadsTheExpertsThatTokensTouchAtMost)
{
    const MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};
    const Count one = 3 * 10 * 5; // elements of an expert
    const auto read = [&](int batch, int sequence) {
        return costOf(ffn, "experts", {batch, sequence, sequence, 10}).traffic.weights;
    };

    EXPECT_EQ(read(1, 1), 3 * one);
    EXPECT_EQ(read(5, 1), 15 * one);
    EXPECT_EQ(read(2, 3), 16 * one);
    EXPECT_EQ(read(100, 100), 16 * one);
}

TEST(MoeCost, RoutingComparesAllScoresAndMovesTheChosenRows)
{
    const MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};

    EXPECT_TRUE((costOf(ffn, "select").count == OpCount<Count>{.cmp = 6 * 16, .move = 6 * 3}));
    EXPECT_TRUE((costOf(ffn, "dispatch").count == OpCount<Count>{.move = 6 * 3 * 10}));
    EXPECT_TRUE((costOf(ffn, "combine").count
                 == OpCount<Count>{.mul = 6 * 3 * 10, .add = 6 * 2 * 10, .move = 6 * 3 * 10}));
}

TEST(MoeCost, ScoresOfTheChosenAreFewer)
{
    MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};
    EXPECT_EQ(costOf(ffn, "score").count.exp, 6 * 16);
    EXPECT_EQ(costOf(ffn, "weigh").count.div, 6 * 3);

    ffn.scored = ScoredExperts::chosen;
    EXPECT_EQ(costOf(ffn, "score").count.exp, 6 * 3);
    EXPECT_TRUE(costOf(ffn, "weigh") == Cost<Count>{}); // they sum to 1 already

    ffn.score = RouterScore::sigmoid;
    EXPECT_EQ(costOf(ffn, "weigh").count.div, 6 * 3);
}

TEST(MoeCost, DoesNotDependOnTheSkewOfMeasuredRuns)
{
    for (const FfnSpec& each : test::ffnCases(7, 3)) {
        if (const auto* moe = std::get_if<MoeFfn>(&each)) {
            MoeFfn skewed = *moe;
            skewed.skew = 3.0;
            ASSERT_TRUE(costOf(FfnSpec(skewed)) == costOf(FfnSpec(*moe))) << test::describe(each);
        }
    }
}

// DeepSeek-V3's layer: 256 experts of 2048, 8 of them per token, one shared, d = 7168.
TEST(MoeCost, HasThePublishedParametersOfDeepSeekV3sLayer)
{
    const MoeFfn ffn{.experts = 256,
                     .perToken = 8,
                     .dFf = 2048,
                     .score = RouterScore::sigmoid,
                     .scale = 2.5,
                     .correctionBias = true,
                     .sharedExperts = 1,
                     .sharedDFf = 2048};
    const Count expert = Count{3} * 7168 * 2048;
    const ParameterCount<Count> parameters = costOf(FfnSpec(ffn), {1, 1, 1, 7168}).parameters;

    EXPECT_EQ(parameters.trainable, 257 * expert + 256 * 7168 + 256);
    EXPECT_EQ(parameters.active, 9 * expert + 256 * 7168 + 256);
}

TEST(Moe, AllowsAsManyExpertsPerTokenAsThereAre)
{
    const MoeFfn ffn{.experts = 5};
    for (const Field<MoeFfn>& field : MoeFfn::fields()) {
        if (field.text.key == "experts_per_token") {
            const LegalValues legal = field.legal(ffn, {});
            EXPECT_TRUE(legal.contains(std::int64_t{1}) && legal.contains(std::int64_t{5}));
            EXPECT_FALSE(legal.contains(std::int64_t{0}) || legal.contains(std::int64_t{6}));
            EXPECT_EQ(legal.text(), "1 \xE2\x80\xA6 5");
            return;
        }
    }
    FAIL() << "no field for k";
}

TEST(Moe, KnowsWhereItsTensorsStand)
{
    for (const FfnSpec& each : test::ffnCases(7, 3)) {
        const auto* moe = std::get_if<MoeFfn>(&each);
        if (moe == nullptr) {
            continue;
        }
        const WeightShapes shapes = weights(*moe, 7);
        const MoeTensors at(*moe, 7);

        ASSERT_EQ(at.routerBias > 0, moe->routerBias);
        ASSERT_EQ(shapes[at.routerBias].name, moe->routerBias ? "router.bias" : "router.weight");
        ASSERT_EQ(shapes[at.correctionBias].name,
                  moe->correctionBias ? "correction_bias" : "router.weight");
        for (int e = 0; e < moe->experts; ++e) {
            const std::string prefix = "experts[" + std::to_string(e) + "]/";
            ASSERT_EQ(shapes[at.expert(e)].name.rfind(prefix, 0), 0U);
            ASSERT_EQ(shapes[at.expert(e + 1) - 1].name.rfind(prefix, 0), 0U);
        }
        if (moe->sharedExperts > 0) {
            ASSERT_EQ(shapes[at.shared].name.rfind("shared/", 0), 0U);
            ASSERT_EQ(shapes[at.shared].size(),
                      std::int64_t{7} * moe->sharedExperts * moe->sharedDFf);
        }
        ASSERT_EQ(shapes[at.sharedGate].name,
                  moe->hasSharedGate() ? "shared_gate.weight" : "router.weight");
        ASSERT_EQ(shapes.size(),
                  moe->hasSharedGate() ? at.sharedGate + 1
                                       : at.shared + (moe->sharedExperts > 0 ? at.perExpert : 0));
    }
}

} // namespace
} // namespace flopsmith
