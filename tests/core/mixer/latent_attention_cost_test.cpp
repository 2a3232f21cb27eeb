// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/mixer_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

// Dimensions as the models' configurations state them.
struct Published
{
    LatentAttention attention;
    int dModel;
    int layers;
};

Published deepSeekV2Lite()
{
    return {LatentAttention{.heads = 16, .form = LatentForm::expanded}, 2048, 27};
}

Published deepSeekV3()
{
    return {
        LatentAttention{.heads = 128, .qLoraRank = 1536, .form = LatentForm::expanded}, 7168, 61};
}

struct Macs
{
    Count projections = 0;
    Count scores = 0;
    Count values = 0;

    bool operator==(const Macs&) const = default;
};

Macs macsOf(const Published& model, const Shape& shape, PairsRule pairs = PairsRule::exact)
{
    Macs macs;
    const CostTree<Count> tree = test::costTree(model.attention, shape, pairs);
    for (const auto& node : tree.nodes()) {
        const Count mac = model.layers * node.cost.count.mac;
        (node.kind == OpKind::scores            ? macs.scores
             : node.kind == OpKind::weightedSum ? macs.values
                                                : macs.projections) += mac;
    }
    return macs;
}

Shape prefill(const Published& model, int tokens)
{
    return {1, tokens, tokens, model.dModel};
}

Shape decode(const Published& model)
{
    return {1, 1, 2048, model.dModel};
}

void expectMacs(const Macs& found, const Macs& expected)
{
    EXPECT_EQ(digits(found.projections), digits(expected.projections));
    EXPECT_EQ(digits(found.scores), digits(expected.scores));
    EXPECT_EQ(digits(found.values), digits(expected.values));
}

TEST(LatentAttentionCost, IsThePublishedOneOfDeepSeekV2LiteInPrefill)
{
    const Published model = deepSeekV2Lite();
    const auto full = [&](int n) { return macsOf(model, prefill(model, n), PairsRule::full); };

    expectMacs(full(128), {47'563'407'360, 1'358'954'496, 905'969'664});
    expectMacs(full(2048), {761'014'517'760, 347'892'350'976, 231'928'233'984});
    expectMacs(macsOf(model, prefill(model, 128)), {47'563'407'360, 684'785'664, 456'523'776});
    expectMacs(macsOf(model, prefill(model, 2048)),
               {761'014'517'760, 174'031'110'144, 116'020'740'096});
}

TEST(LatentAttentionCost, IsThePublishedOneOfDeepSeekV3InPrefill)
{
    const Published model = deepSeekV3();
    const auto full = [&](int n) { return macsOf(model, prefill(model, n), PairsRule::full); };

    expectMacs(full(128), {1'460'918'026'240, 24'561'844'224, 16'374'562'816});
    expectMacs(full(2048), {23'374'688'419'840, 6'287'832'121'344, 4'191'888'080'896});
    expectMacs(macsOf(model, prefill(model, 128)),
               {1'460'918'026'240, 12'376'866'816, 8'251'244'544});
    expectMacs(macsOf(model, prefill(model, 2048)),
               {23'374'688'419'840, 3'145'451'175'936, 2'096'967'450'624});
}

TEST(LatentAttentionCost, IsThePublishedOneInDecodeWithExpandedKeysAndValues)
{
    for (const auto& [model, expected] :
         {std::pair{deepSeekV2Lite(), Macs{371'589'120, 169'869'312, 113'246'208}},
          std::pair{deepSeekV3(), Macs{11'413'422'080, 3'070'230'528, 2'046'820'352}}}) {
        Published cached = model;
        cached.attention.cache = LatentCache::keysAndValues;

        expectMacs(macsOf(cached, decode(model)), expected);
    }
}

TEST(LatentAttentionCost, IsThePublishedOneInDecodeWithAbsorbedWeights)
{
    for (const auto& [model, expected] :
         {std::pair{deepSeekV2Lite(), Macs{371'589'120, 509'607'936, 452'984'832}},
          std::pair{deepSeekV3(), Macs{11'413'422'080, 9'210'691'584, 8'187'281'408}}}) {
        Published absorbed = model;
        absorbed.attention.form = LatentForm::absorbed;

        expectMacs(macsOf(absorbed, decode(model)), expected);
    }
}

// A step that reads a sequence expands, one that decodes absorbs, unless the form says otherwise.
TEST(LatentAttentionCost, OfTheAutomaticFormIsAbsorbedInDecodeAlone)
{
    for (Published model : {deepSeekV2Lite(), deepSeekV3()}) {
        const Macs expanded = macsOf(model, prefill(model, 77));
        model.attention.form = LatentForm::absorbed;
        const Macs absorbed = macsOf(model, decode(model));
        model.attention.form = LatentForm::automatic;

        expectMacs(macsOf(model, prefill(model, 77)), expanded);
        expectMacs(macsOf(model, decode(model)), absorbed);
    }
}

// A step of the expanded form that finds only latents expands all of them: 2047 tokens more.
TEST(LatentAttentionCost, ExpandsCachedLatentsAgainInEveryDecodeStep)
{
    Published model = deepSeekV2Lite();
    model.attention.cache = LatentCache::latents;
    const Macs again = macsOf(model, decode(model));
    model.attention.cache = LatentCache::keysAndValues;
    const Macs once = macsOf(model, decode(model));

    EXPECT_EQ(digits(again.projections - once.projections),
              digits(Count{27} * 2047 * 512 * 16 * (128 + 128)));
    EXPECT_TRUE(again.scores == once.scores && again.values == once.values);
}

TEST(LatentAttentionCost, HasThePublishedParameters)
{
    const auto parameters = [](const Published& model) {
        const Cost<Count> cost = test::costTree(model.attention, prefill(model, 4)).total();
        return digits(cost.parameters.trainable);
    };
    // q + kv_a + kv_norm + kv_b + out
    EXPECT_EQ(parameters(deepSeekV2Lite()),
              digits(Count{2048} * 3072 + 2048 * 576 + 512 + 512 * 4096 + 2048 * 2048));
    EXPECT_EQ(parameters(deepSeekV3()),
              digits(Count{7168} * 1536 + 1536 + Count{1536} * 24'576 + Count{7168} * 576 + 512
                     + Count{512} * 32'768 + Count{16'384} * 7168));
}

// 31 104 and 70 272 bytes per token in 16 bits: what the models publish.
TEST(LatentAttentionCost, CachesOneLatentPerTokenForAllHeads)
{
    for (const auto& [model, bytes] :
         {std::pair{deepSeekV2Lite(), 31'104}, std::pair{deepSeekV3(), 70'272}}) {
        for (const LatentForm form : {LatentForm::expanded, LatentForm::absorbed}) {
            LatentAttention attention = model.attention;
            attention.form = form;
            const Cost<Count> cost = test::costTree(attention, prefill(model, 100)).total();

            EXPECT_EQ(digits(cost.traffic.kvWritten * model.layers * 2),
                      digits(Count{100} * bytes));
        }
    }
}

TEST(LatentAttentionCost, ReadsWhatItCached)
{
    LatentAttention attention{.heads = 3, .kvLoraRank = 10, .qkNopeDim = 5, .qkRopeDim = 4};
    attention.vHeadDim = 7;
    attention.form = LatentForm::expanded;
    attention.cache = LatentCache::latents;
    const Shape shape{2, 1, 50, 24};
    const auto kvRead = [&] {
        return digits(test::costTree(attention, shape).total().traffic.kvRead);
    };

    EXPECT_EQ(kvRead(), digits(100 * (2 * 10 + 4))); // by both expansions, and k_rope
    attention.cache = LatentCache::keysAndValues;
    EXPECT_EQ(kvRead(), digits(100 * 4)); // k_rope; what is expanded stays in working memory
    attention.form = LatentForm::absorbed;
    EXPECT_EQ(kvRead(), digits(100 * (10 + 4 + 10))); // by the scores and by the weighted sum
}

TEST(LatentAttentionCost, AnEncoderHasNoCache)
{
    for (const LatentForm form : {LatentForm::expanded, LatentForm::absorbed}) {
        LatentAttention attention{.causal = false, .form = form};
        const Cost<Count> encoder = test::costTree(attention, {1, 5, 5, 12}).total();
        attention.causal = true;
        const Cost<Count> decoder = test::costTree(attention, {1, 5, 5, 12}).total();

        EXPECT_TRUE(encoder.traffic.kvRead == 0 && encoder.traffic.kvWritten == 0);
        EXPECT_TRUE(encoder.traffic.written == decoder.traffic.written + decoder.traffic.kvWritten);
    }
}

TEST(LatentAttentionCost, FormsCostTheSameInPrefillButForTheCore)
{
    Published model = deepSeekV3();
    const Macs expanded = macsOf(model, prefill(model, 77));
    model.attention.form = LatentForm::absorbed;
    const Macs absorbed = macsOf(model, prefill(model, 77));

    EXPECT_TRUE(expanded.projections == absorbed.projections);
    EXPECT_EQ(digits(absorbed.scores * 192), digits(expanded.scores * 576));
    EXPECT_EQ(digits(absorbed.values * 128), digits(expanded.values * 512));
}

} // namespace
} // namespace flopsmith
