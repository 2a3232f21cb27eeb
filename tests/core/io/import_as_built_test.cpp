// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::imported;
using test::parameters;
using test::patched;
using test::refusal;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Every figure here is what the library builds from the same file.

// Products of matrices of one sequence, all pairs of queries and keys, 2 per multiply-add.
std::string products(std::string_view json, int tokens = 128)
{
    const Scenario scenario{imported(json).model, {.sequence = tokens}};
    const CostTree<Count> tree = costTree(scenario, PairsRule::full);
    return digits(2 * summary(tree, scenario, LensId::exact).macs);
}

std::string patchedText(const char* json, const char* patch)
{
    return jsonText(patched(json, patch));
}

constexpr const char* kQwenMoe = R"({"model_type": "qwen3_moe",
    "architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 64, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 24, "intermediate_size": 200,
    "moe_intermediate_size": 40, "vocab_size": 501, "num_local_experts": 6,
    "num_experts_per_tok": 2})";

TEST(ImportedAsBuilt, QwenMoeNamesItsExpertsInTwoWays)
{
    EXPECT_EQ(parameters(kQwenMoe), "259408");
    EXPECT_EQ(parameters(patchedText(kQwenMoe, R"({"num_local_experts": null, "num_experts": 6})")),
              "259408");
    EXPECT_THAT(refusal(patched(kQwenMoe, R"({"num_experts": 8})")),
                HasSubstr("two names of one setting"));
}

TEST(ImportedAsBuilt, Qwen3CoderIsWholeAfterBeingSavedByANewerLibrary)
{
    constexpr const char* kCoder = R"({"model_type": "qwen3_moe",
        "architectures": ["Qwen3MoeForCausalLM"], "dtype": "bfloat16", "head_dim": 128,
        "hidden_size": 6144, "intermediate_size": 8192, "moe_intermediate_size": 2560,
        "norm_topk_prob": true, "num_attention_heads": 96, "num_experts_per_tok": 8,
        "num_hidden_layers": 62, "num_key_value_heads": 8, "num_local_experts": 160,
        "rope_parameters": {"rope_theta": 10000000, "rope_type": "default"},
        "tie_word_embeddings": false, "vocab_size": 151936})";

    EXPECT_EQ(parameters(kCoder), "480154875392");
    EXPECT_EQ(products(kCoder), "8892293578752");
}

TEST(ImportedAsBuilt, ClassifiersOfEncodersHaveABias)
{
    const std::string five = patchedText(
        R"({"model_type": "bert", "architectures": ["BertForSequenceClassification"],
            "vocab_size": 30522, "hidden_size": 1024, "num_hidden_layers": 24,
            "num_attention_heads": 16, "intermediate_size": 4096})",
        R"({"id2label": {"0": "a", "1": "b", "2": "c", "3": "d", "4": "e"}})");

    EXPECT_EQ(parameters(five), "335147013");
    EXPECT_EQ(parameters(R"({"model_type": "roberta",
                  "architectures": ["RobertaForSequenceClassification"], "vocab_size": 50265,
                  "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                  "intermediate_size": 4096, "max_position_embeddings": 514, "type_vocab_size": 1,
                  "num_labels": 3})"),
              "355362819");
    for (const auto& [type, name] :
         {std::pair{"xlm-roberta", "XLMRobertaForSequenceClassification"},
          std::pair{"albert", "AlbertForSequenceClassification"},
          std::pair{"fnet", "FNetForSequenceClassification"}}) {
        const Json json{{"model_type", type}, {"architectures", {name}}};
        EXPECT_TRUE(imported(json).model.head.bias) << name;
    }
}

constexpr const char* kGemma3 = R"({"model_type": "gemma3_text", "hidden_size": 64,
    "architectures": ["Gemma3TextModel"], "num_hidden_layers": 7, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 200, "vocab_size": 501,
    "sliding_window": 64})";

// Pairs of queries and keys of all layers, counted by the exponentials of one head.
std::string pairs(std::string_view json, int tokens)
{
    const Scenario scenario{imported(json).model, {.sequence = tokens}};
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);
    Count exponentials = 0;
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.node(i).kind == OpKind::softmax) {
            exponentials += tree.timesUsed(i) * tree.node(i).cost.count.exp;
        }
    }
    constexpr int kHeads = 4;
    return digits(exponentials / kHeads);
}

TEST(ImportedAsBuilt, EmbeddingGemmaSeesBothSides)
{
    const std::string embedding = patchedText(kGemma3, R"({"use_bidirectional_attention": true})");
    const Model model = imported(std::string_view(embedding)).model;
    const Scenario scenario{model, {.sequence = 200}};

    EXPECT_EQ(pairs(embedding, 200), "111664"); // 6 layers of 11,944 and one of 40,000
    EXPECT_EQ(pairs(kGemma3, 200), "84804");
    EXPECT_EQ(summary(costTree(scenario), scenario, LensId::exact).kvCacheBytesPerToken, 0);
    EXPECT_EQ(parameters(embedding), parameters(kGemma3));
}

TEST(ImportedAsBuilt, OtherGemmasMaskWhatComesLaterAllTheSame)
{
    for (const char* type : {"gemma", "gemma2", "gemma3"}) {
        Json json = ownJson(kGemma3);
        json["model_type"] = type;
        json.erase("architectures");
        const Model causal = imported(json).model;
        json["use_bidirectional_attention"] = true;

        EXPECT_EQ(imported(json).model, causal) << type;
        EXPECT_THAT(imported(json).notes, Contains(HasSubstr("use_bidirectional_attention")));
    }
}

constexpr const char* kFNet = R"({"model_type": "fnet", "architectures": ["FNetForMaskedLM"],
    "vocab_size": 32000, "hidden_size": 768, "num_hidden_layers": 12, "intermediate_size": 3072,
    "hidden_act": "gelu_new", "max_position_embeddings": 512, "type_vocab_size": 4})";

TEST(ImportedAsBuilt, FNetsMaskedLanguageModelKeepsItsPooler)
{
    EXPECT_EQ(parameters(kFNet), "83485184");
    EXPECT_EQ(products(kFNet), "21090140160");
    EXPECT_THAT(imported(kFNet).notes, Contains(HasSubstr("pooler beside it")));
}

TEST(ImportedAsBuilt, AlbertIsTheClassThatItsFileNames)
{
    constexpr const char* kAlbert = R"({"model_type": "albert",
        "architectures": ["AlbertForMaskedLM"], "embedding_size": 128, "hidden_act": "gelu_new",
        "hidden_size": 768, "inner_group_num": 1, "intermediate_size": 3072,
        "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_groups": 1,
        "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30000})";

    EXPECT_EQ(parameters(kAlbert), "11221680");
    EXPECT_EQ(products(kAlbert), "23380623360");
}

TEST(ImportedAsBuilt, PhiMayHaveAHeadDimensionOfItsOwn)
{
    constexpr const char* kPhi = R"({"model_type": "phi", "hidden_size": 64, "vocab_size": 501,
        "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
        "intermediate_size": 200})";
    const std::string wide = patchedText(kPhi, R"({"head_dim": 32})");

    EXPECT_EQ(parameters(kPhi), "180173");
    EXPECT_EQ(parameters(wide), "217421");
    EXPECT_EQ(products(kPhi), "49889280");
    EXPECT_EQ(products(wide), "71909376");
    EXPECT_EQ(get<Attention>(imported(std::string_view(wide)).model.runs[0].block.mixer).rotaryDim,
              16);
}

TEST(ImportedAsBuilt, VisionModelsMayHaveAHeadDimensionOfTheirOwn)
{
    constexpr const char* kVit = R"({"model_type": "vit", "hidden_size": 64, "image_size": 64,
        "architectures": ["ViTForImageClassification"], "patch_size": 8, "num_channels": 3,
        "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 200,
        "num_labels": 2})";
    const std::string wide = patchedText(kVit, R"({"head_dim": 24})");
    const std::string deit =
        patchedText(kVit,
                    R"({"model_type": "deit", "architectures": ["DeiTForImageClassification"],
            "head_dim": 24})");

    EXPECT_EQ(parameters(kVit), "145114");
    EXPECT_EQ(parameters(wide), "169978");
    EXPECT_EQ(products(kVit), "21191680");
    EXPECT_EQ(products(wide), "26008960");
    EXPECT_EQ(parameters(deit), "170106"); // a second extra token and its position
}

constexpr const char* kSwitch = R"({"model_type": "switch_transformers", "d_model": 64,
    "architectures": ["SwitchTransformersForConditionalGeneration"], "d_kv": 24, "d_ff": 200,
    "num_heads": 4, "num_layers": 6, "num_decoder_layers": 6, "num_sparse_encoder_layers": 3,
    "num_sparse_decoder_layers": 3, "num_experts": 4, "vocab_size": 501})";

TEST(ImportedAsBuilt, SwitchRoutesABlockWhereNoneAreWanted)
{
    const Json none = patched(kSwitch, R"({"num_sparse_encoder_layers": 0})");

    EXPECT_EQ(parameters(kSwitch), "1246272");
    EXPECT_EQ(parameters(jsonText(none)), "1092160");
    EXPECT_THAT(imported(none).notes,
                Contains(HasSubstr("num_sparse_encoder_layers: with 0 the library's class still")));
    EXPECT_THAT(imported(kSwitch).notes, Not(Contains(HasSubstr("num_sparse"))));
}

TEST(ImportedAsBuilt, SwitchGoesByItsDerivedKeys)
{
    const Json all = patched(kSwitch, R"({"encoder_sparse_step": 1, "decoder_sparse_step": 2})");

    EXPECT_EQ(parameters(jsonText(all)), "1477440");
    EXPECT_THAT(
        imported(all).notes,
        Contains(HasSubstr("encoder_sparse_step: 1 contradicts num_sparse_encoder_layers")));
    EXPECT_THAT(imported(all).notes, Not(Contains(HasSubstr("decoder_sparse_step"))));
}

constexpr const char* kDeepseek = R"({"model_type": "deepseek_v3", "hidden_size": 64,
    "architectures": ["DeepseekV3ForCausalLM"], "num_hidden_layers": 3, "num_attention_heads": 4,
    "q_lora_rank": 32, "kv_lora_rank": 48, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8,
    "v_head_dim": 24, "intermediate_size": 200, "moe_intermediate_size": 40,
    "n_routed_experts": 8, "n_shared_experts": 2, "num_experts_per_tok": 2, "n_group": 1,
    "topk_group": 1, "first_k_dense_replace": 1, "vocab_size": 501})";

TEST(ImportedAsBuilt, DeepseekWithoutRoutedExpertsKeepsTheSharedOnes)
{
    const Json none = patched(kDeepseek, R"({"n_routed_experts": 0})");

    EXPECT_EQ(parameters(jsonText(none)), "201520");
    EXPECT_THAT(imported(none).notes, Contains(HasSubstr("n_routed_experts: 0")));
    EXPECT_THAT(refusal(patched(kDeepseek, R"({"n_routed_experts": 0, "n_shared_experts": 0})")),
                HasSubstr("n_routed_experts"));
}

// A tied head saved by a newer library says apart whether its input is scaled.
TEST(ImportedAsBuilt, T5ScalesItsHeadsInputUnlessToldNotTo)
{
    constexpr const char* kFlan = R"({"model_type": "t5", "d_model": 2048, "d_kv": 64,
        "d_ff": 5120, "num_heads": 32, "num_layers": 24, "num_decoder_layers": 24,
        "feed_forward_proj": "gated-gelu", "tie_word_embeddings": true, "vocab_size": 32128})";
    const auto multiplications = [](const Model& model) {
        const Scenario scenario{model, {.sequence = 128, .source = 128}};
        return costTree(scenario).total().count.mul;
    };
    const Model scaled = imported(kFlan).model;
    const Model plain = imported(patched(kFlan, R"({"scale_decoder_outputs": false})")).model;

    EXPECT_EQ(digits(multiplications(scaled) - multiplications(plain)), "262144");
    EXPECT_FALSE(
        imported(R"({"model_type": "mt5", "tie_word_embeddings": true})").model.head.scale);
}

// Where the library departs from checkpoints and from the models' own code, these count.
TEST(ImportedAsBuilt, SaysWhereTheLibraryIsNotFollowed)
{
    for (const auto& [known, patch] :
         {std::pair{"t5-small", R"({"tie_word_embeddings": false})"},
          std::pair{"switch-base-8", R"({"tie_word_embeddings": false})"},
          std::pair{"bert-base-uncased",
                    R"({"tie_word_embeddings": false, "architectures": ["BertForMaskedLM"]})"},
          std::pair{"deepseek-v3", R"({"moe_layer_freq": 2})"},
          std::pair{"mpt-7b", R"({"expansion_ratio": 3})"},
          std::pair{"mpt-7b", R"({"alibi": false, "attn_config": {"alibi": false}})"}}) {
        const std::string key = ownJson(patch).items().front().key();
        const auto tellsOf =
            testing::AllOf(HasSubstr(key), HasSubstr("the library"), Not(HasSubstr("understood")));

        EXPECT_THAT(imported(patched(test::configNamed(known), patch)).notes, Contains(tellsOf));
        EXPECT_THAT(imported(test::configNamed(known)).notes, Not(Contains(tellsOf)));
    }
}

} // namespace
} // namespace flopsmith
