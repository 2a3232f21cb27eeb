// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/moe.h"
#include "core/mixer/latent_attention.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::configNamed;
using test::imported;
using test::modelOf;
using test::patched;
using test::refusal;
using testing::Contains;
using testing::HasSubstr;

// Whether each block has experts, as a row of 0 and 1.
std::string routedBlocks(const Model& model)
{
    std::string row;
    for (const BlockRun& run : model.runs) {
        const bool routed = holds_alternative<MoeFfn>(run.block.ffn);
        row += std::string(static_cast<std::size_t>(run.repeat), routed ? '1' : '0');
    }
    return row;
}

const MoeFfn& lastExperts(const Model& model)
{
    return get<MoeFfn>(model.runs.back().block.ffn);
}

TEST(ImportedExperts, QwenNamesTheBlocksThatAreNotRouted)
{
    constexpr const char* kQwen = "qwen3-30b-a3b";

    EXPECT_EQ(routedBlocks(modelOf(kQwen, R"({"num_hidden_layers": 4})")), "1111");
    EXPECT_EQ(
        routedBlocks(modelOf(kQwen, R"({"num_hidden_layers": 4, "mlp_only_layers": [0, 2]})")),
        "0101");
    EXPECT_EQ(routedBlocks(modelOf(kQwen, R"({"num_hidden_layers": 5, "decoder_sparse_step": 2})")),
              "01010");
    EXPECT_THAT(refusal(patched(configNamed(kQwen), R"({"mlp_only_layers": ["0"]})")),
                HasSubstr("mlp_only_layers"));
}

TEST(ImportedExperts, DeepseekStartsWithPlainBlocks)
{
    EXPECT_EQ(routedBlocks(modelOf("deepseek-v2-lite", R"({"num_hidden_layers": 4})")), "0111");
    EXPECT_EQ(routedBlocks(
                  modelOf("deepseek-v2-lite", R"({"num_hidden_layers": 6, "moe_layer_freq": 2})")),
              "001010");
    EXPECT_EQ(lastExperts(modelOf("deepseek-v2-lite", "{}")).sharedExperts, 2);
}

TEST(ImportedExperts, AModelWithoutRoutedExpertsIsPlain)
{
    constexpr const char* kDense = R"({"model_type": "deepseek", "num_hidden_layers": 3,
        "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
        "num_key_value_heads": 4, "vocab_size": 100, "n_routed_experts": null})";

    EXPECT_EQ(routedBlocks(imported(kDense).model), "000");
    EXPECT_THAT(refusal(patched(kDense, R"({"n_routed_experts": 8})")),
                HasSubstr("num_experts_per_tok"));
}

TEST(ImportedExperts, DeepseeksChoiceIsLimitedToGroups)
{
    const MoeFfn v3 = lastExperts(imported(configNamed("deepseek-v3")).model);
    const MoeFfn v2 = lastExperts(modelOf("deepseek-v2-lite",
                                          R"({"topk_method": "group_limited_greedy", "n_group": 8,
                                              "topk_group": 3})"));

    EXPECT_EQ(v3.groups, 8);
    EXPECT_EQ(v3.groupsPerToken, 4);
    EXPECT_EQ(v3.groupScore, GroupScore::twoBest);
    EXPECT_TRUE(v3.correctionBias);
    EXPECT_EQ(v3.score, RouterScore::sigmoid);
    EXPECT_EQ(v3.scale, 2.5);
    EXPECT_EQ(v2.groupsPerToken, 3);
    EXPECT_EQ(v2.groupScore, GroupScore::best);
    EXPECT_FALSE(v2.correctionBias);
    EXPECT_FALSE(lastExperts(modelOf("deepseek-v2-lite", "{}")).limitsGroups());
    EXPECT_THAT(refusal(patched(configNamed("deepseek-v3"), R"({"topk_method": "dice"})")),
                HasSubstr("dice"));
    EXPECT_THAT(refusal(patched(configNamed("deepseek-v3"), R"({"scoring_func": "tanh"})")),
                HasSubstr("scoring_func"));
}

TEST(ImportedExperts, DeepseekV2WithoutAQueryRankProjectsQueriesDirectly)
{
    const auto rank = [](const Model& model) {
        return get<LatentAttention>(model.runs[0].block.mixer).qLoraRank;
    };

    EXPECT_EQ(rank(modelOf("deepseek-v2-lite", "{}")), 0);
    EXPECT_THAT(imported(configNamed("deepseek-v2-lite")).notes,
                Contains(HasSubstr("q_lora_rank is missing")));
    EXPECT_EQ(rank(modelOf("deepseek-v2-lite", R"({"q_lora_rank": 256})")), 256);
    EXPECT_EQ(rank(modelOf("deepseek-v3", R"({"q_lora_rank": null})")), 1536);
}

TEST(ImportedExperts, KimiIsADeepseekOfOtherSizes)
{
    const Model kimi = modelOf("deepseek-v3", R"({"model_type": "kimi_k2", "n_group": 1})");

    EXPECT_EQ(kimi.layers(), 61);
    EXPECT_FALSE(lastExperts(kimi).limitsGroups());
    EXPECT_TRUE(lastExperts(kimi).correctionBias);
}

TEST(ImportedExperts, LayersForFurtherTokensAreNotPartOfThePass)
{
    EXPECT_THAT(
        imported(patched(configNamed("deepseek-v3"), R"({"num_nextn_predict_layers": 1})")).notes,
        Contains(HasSubstr("num_nextn_predict_layers")));
}

TEST(ImportedExperts, TheirWeightsAreRenormalisedWhereTheFamilyDoes)
{
    EXPECT_TRUE(lastExperts(modelOf("mixtral-8x7b-v0.1", "{}")).renormalises());
    EXPECT_TRUE(lastExperts(modelOf("qwen3-30b-a3b", "{}")).renormalises());
    EXPECT_FALSE(
        lastExperts(modelOf("qwen3-30b-a3b", R"({"norm_topk_prob": false})")).renormalises());
    EXPECT_EQ(lastExperts(modelOf("gpt-oss-20b", "{}")).scored, ScoredExperts::chosen);
    EXPECT_EQ(lastExperts(modelOf("granite-3.1-1b-a400m-instruct", "{}")).scored,
              ScoredExperts::chosen);
}

TEST(ImportedExperts, GptOssHasBiasesAndSinks)
{
    const Block block = imported(configNamed("gpt-oss-20b")).model.runs[0].block;
    const auto& attention = get<Attention>(block.mixer);
    const auto& experts = get<MoeFfn>(block.ffn);

    EXPECT_TRUE(attention.sinks);
    EXPECT_TRUE(attention.qkvBias && attention.outBias);
    EXPECT_TRUE(experts.bias && experts.routerBias);
    EXPECT_EQ(attention.window, 128);
}

TEST(ImportedExperts, GraniteMultipliesOnlyWithWhatIsNotOne)
{
    const Model model = imported(configNamed("granite-3.1-1b-a400m-instruct")).model;
    const Model plain = modelOf("granite-3.1-1b-a400m-instruct",
                                R"({"embedding_multiplier": 1.0, "logits_scaling": 1.0,
                                    "residual_multiplier": 1, "attention_multiplier": 1.0})");

    EXPECT_TRUE(model.embedding.scale && model.head.scale && model.runs[0].block.residualScale);
    EXPECT_FALSE(plain.embedding.scale || plain.head.scale || plain.runs[0].block.residualScale);
    EXPECT_FALSE(get<Attention>(plain.runs[0].block.mixer).scaleScores);
}

} // namespace
} // namespace flopsmith
