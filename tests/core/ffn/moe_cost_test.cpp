// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/ffn_cost.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

const Shape kShape{2, 3, 3, 10};

Cost<Count> wholeCost(const FfnSpec& ffn, const Shape& shape = kShape)
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

    EXPECT_EQ(wholeCost(FfnSpec(ffn)).count.mac,
              tokens * d * 7 + tokens * 3 * (3 * d * 5) + tokens * 2 * (3 * d * 11));
}

TEST(MoeCost, ExpertsCostWhatTheyCostAlone)
{
    for (const ExpertKind kind : {ExpertKind::dense, ExpertKind::gated}) {
        for (const bool bias : {false, true}) {
            const MoeFfn ffn{.experts = 9, .perToken = 4, .expert = kind, .dFf = 5, .bias = bias};
            const Cost<Count> alone = std::visit(
                [](const auto& expert) { return wholeCost(FfnSpec(expert)); }, ffn.routedExpert());

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

// All tokens may go to the same ones, so that more would be no lower bound.
TEST(MoeCost, ReadsTheFewestExpertsThatTokensCanTouch)
{
    const MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};
    const Count one = 3 * 10 * 5; // elements of an expert
    const auto read = [&](int batch, int sequence) {
        return costOf(ffn, "experts", {batch, sequence, sequence, 10}).traffic.weights;
    };

    for (const auto& [batch, sequence] : {std::pair{1, 1}, {5, 1}, {2, 3}, {100, 100}}) {
        EXPECT_EQ(read(batch, sequence), 3 * one);
    }
}

TEST(MoeCost, RoutingComparesAllScoresAndMovesTheChosenRows)
{
    const MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};

    EXPECT_TRUE((costOf(ffn, "select").count == OpCount<Count>{.cmp = 6 * 16, .move = 6 * 3}));
    EXPECT_TRUE((costOf(ffn, "dispatch").count == OpCount<Count>{.move = 6 * 3 * 10}));
    EXPECT_TRUE((costOf(ffn, "combine").count
                 == OpCount<Count>{.mul = 6 * 3 * 10, .add = 6 * 2 * 10, .move = 6 * 3 * 10}));
}

CostTree<Count> backwardTree(const MoeFfn& ffn, const Shape& shape = kShape)
{
    return test::treeOf(shape, [&ffn](const Pass<Count>& pass, CostTree<Count>& tree) {
        addBackwardCost(ffn, pass, tree);
    });
}

// Every product of matrices has two gradients, and nothing else is one: sums of products of single
// rows are elementwise work in both directions.
TEST(MoeCost, TheBackwardPassHasTwiceTheMultiplyAdds)
{
    for (const FfnSpec& each : test::ffnCases(7, 3)) {
        if (const auto* moe = get_if<MoeFfn>(&each)) {
            ASSERT_EQ(backwardTree(*moe).total().count.mac, 2 * wholeCost(each).count.mac)
                << test::describe(each);
        }
    }
}

// Those of the weights (k·d), their renormalisation (k) and the router's softmax (E) per token.
TEST(MoeCost, GradientsOfTheRoutingWeightsAreElementwiseWork)
{
    const MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5};
    const Count tokens = 6;
    const CostTree<Count> tree = backwardTree(ffn);
    const auto countOf = [&tree](std::string_view part) {
        for (int i = 1; i < tree.size(); ++i) {
            if (tree.path(i) == part) {
                return tree.node(i).cost.count;
            }
        }
        return OpCount<Count>{};
    };

    EXPECT_TRUE((countOf("combine")
                 == OpCount<Count>{.mul = tokens * 2 * 3 * 10,
                                   .add = tokens * 3 * (10 - 1),
                                   .move = tokens * 3 * 10}));
    EXPECT_TRUE(
        (countOf("weigh")
         == OpCount<Count>{.mul = tokens * 3, .add = tokens * (2 * 3 - 1), .div = tokens * 3}));
    EXPECT_TRUE(
        (countOf("score") == OpCount<Count>{.mul = tokens * 2 * 16, .add = tokens * (2 * 16 - 1)}));
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
        if (const auto* moe = get_if<MoeFfn>(&each)) {
            MoeFfn skewed = *moe;
            skewed.skew = 3.0;
            ASSERT_TRUE(wholeCost(FfnSpec(skewed)) == wholeCost(FfnSpec(*moe)))
                << test::describe(each);
        }
    }
}

TEST(MoeCost, FewGroupsCompareFewerExperts)
{
    MoeFfn ffn{.experts = 16, .perToken = 3, .dFf = 5, .groups = 4, .groupsPerToken = 2};
    EXPECT_TRUE((costOf(ffn, "select_groups").count
                 == OpCount<Count>{.add = 6 * 4, .cmp = 6 * 16 + 6 * 4}));
    EXPECT_TRUE((costOf(ffn, "select").count == OpCount<Count>{.cmp = 6 * 8, .move = 6 * 3}));

    ffn.groupScore = GroupScore::best;
    EXPECT_TRUE((costOf(ffn, "select_groups").count == OpCount<Count>{.cmp = 6 * 16 + 6 * 4}));

    ffn.groupsPerToken = 4;
    MoeFfn free = ffn;
    free.groups = 1;
    free.groupsPerToken = 1;
    EXPECT_TRUE(wholeCost(FfnSpec(ffn)) == wholeCost(FfnSpec(free)));
}

// A layer of a published model: its width, how its router works, and what its checkpoint holds in the
// FFN of such a layer, buffers left out.
struct PublishedLayer
{
    const char* model;
    int dModel;
    MoeFfn ffn;
    Count trainable;
    Count fixed = 0;
};

std::vector<PublishedLayer> publishedLayers()
{
    const auto deepSeek = [](int experts, int shared, int perToken, int dFf) {
        return MoeFfn{.experts = experts,
                      .perToken = perToken,
                      .dFf = dFf,
                      .renormalise = false,
                      .sharedExperts = shared,
                      .sharedDFf = dFf};
    };
    MoeFfn v2 = deepSeek(160, 2, 6, 1536);
    v2.scale = 16.0;
    v2.groups = 8;
    v2.groupsPerToken = 3;
    v2.groupScore = GroupScore::best;
    MoeFfn v3 = deepSeek(256, 1, 8, 2048);
    v3.score = RouterScore::sigmoid;
    v3.renormalise = true;
    v3.scale = 2.5;
    v3.correctionBias = true;
    v3.groups = 8;
    v3.groupsPerToken = 4;
    MoeFfn kimi = v3;
    kimi.experts = 384;
    kimi.scale = 2.827;
    kimi.groups = kimi.groupsPerToken = 1;
    const MoeFfn mixtral{
        .experts = 8, .perToken = 2, .dFf = 14336, .scored = ScoredExperts::chosen};
    MoeFfn qwen2 = deepSeek(60, 1, 4, 1408);
    qwen2.sharedDFf = 5632;
    qwen2.sharedGate = true;
    return {
        {"Switch base, 8 experts",
         768,
         {.experts = 8,
          .perToken = 1,
          .expert = ExpertKind::dense,
          .dFf = 3072,
          .activation = Activation::relu,
          .renormalise = false},
         Count{8} * 2 * 768 * 3072 + 768 * 8},
        // (46,702,792,704 − embeddings − final norm)/32 − attention − norms
        {"Mixtral 8x7B", 4096, mixtral, 1'409'318'912},
        {"Qwen1.5-MoE-A2.7B", 2048, qwen2, Count{60 + 4} * 3 * 2048 * 1408 + 2048 * 60 + 2048},
        {"Qwen3-30B-A3B",
         2048,
         {.experts = 128, .perToken = 8, .dFf = 768, .renormalise = true},
         Count{128} * 3 * 2048 * 768 + 2048 * 128},
        {"OLMoE-1B-7B",
         2048,
         {.experts = 64, .perToken = 8, .dFf = 1024, .renormalise = false},
         Count{64} * 3 * 2048 * 1024 + 2048 * 64},
        {"Granite 3.0 1B-A400M",
         1024,
         {.experts = 32, .perToken = 8, .dFf = 512, .scored = ScoredExperts::chosen},
         Count{32} * 3 * 1024 * 512 + 1024 * 32},
        {"gpt-oss-20b",
         2880,
         {.experts = 32,
          .perToken = 4,
          .dFf = 2880,
          .bias = true,
          .scored = ScoredExperts::chosen,
          .routerBias = true},
         Count{32} * (3 * 2880 * 2880 + 3 * 2880) + 2880 * 32 + 32},
        {"DeepSeekMoE 16B",
         2048,
         deepSeek(64, 2, 6, 1408),
         Count{66} * 3 * 2048 * 1408 + 2048 * 64},
        {"DeepSeek-V2", 5120, v2, Count{162} * 3 * 5120 * 1536 + 5120 * 160},
        {"DeepSeek-V3", 7168, v3, Count{257} * 3 * 7168 * 2048 + 7168 * 256, 256},
        {"Kimi K2", 7168, kimi, Count{385} * 3 * 7168 * 2048 + 7168 * 384, 384},
    };
}

TEST(MoeCost, HasTheParametersOfPublishedLayers)
{
    for (const PublishedLayer& layer : publishedLayers()) {
        const auto parameters = wholeCost(FfnSpec(layer.ffn), {1, 1, 1, layer.dModel}).parameters;

        EXPECT_EQ(digits(parameters.trainable), digits(layer.trainable)) << layer.model;
        EXPECT_EQ(digits(parameters.fixed), digits(layer.fixed)) << layer.model;
    }
}

TEST(MoeCost, SettingsOfPublishedLayersAreLegal)
{
    for (const PublishedLayer& layer : publishedLayers()) {
        for (const Field<MoeFfn>& field : MoeFfn::fields()) {
            EXPECT_TRUE(field.legal(layer.ffn, {layer.dModel}).contains(field.value(layer.ffn)))
                << layer.model << ": " << field.text.key;
        }
    }
}

// The correction is a buffer: DeepSeek-V3's published total leaves it out, 58 layers of 256.
TEST(MoeCost, CorrectionOfDeepSeekV3IsNoPartOfItsTotal)
{
    for (const PublishedLayer& layer : publishedLayers()) {
        if (std::string_view(layer.model) == "DeepSeek-V3") {
            const auto parameters =
                wholeCost(FfnSpec(layer.ffn), {1, 1, 1, layer.dModel}).parameters;
            EXPECT_EQ(58 * parameters.fixed, 14'848);
            EXPECT_EQ(parameters.active, Count{9} * 3 * 7168 * 2048 + 256 * 7168);
        }
    }
}

TEST(Moe, AllowsGroupsThatHoldTheExpertsOfAToken)
{
    const MoeFfn ffn{.experts = 12, .perToken = 5, .groups = 4};
    for (const Field<MoeFfn>& field : MoeFfn::fields()) {
        if (field.text.key == "groups") {
            EXPECT_FALSE(field.legal(ffn, {}).contains(std::int64_t{5}));
            EXPECT_TRUE(field.legal(ffn, {}).contains(std::int64_t{6}));
        }
        if (field.text.key == "groups_per_token") {
            EXPECT_EQ(field.legal(ffn, {}).text(), "2 \xE2\x80\xA6 4");
        }
    }
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
        const auto* moe = get_if<MoeFfn>(&each);
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
