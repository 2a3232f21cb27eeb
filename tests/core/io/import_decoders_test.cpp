// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/json/json_text.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "core/model/values.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::configNamed;
using test::imported;
using test::modelOf;
using test::parameters;
using test::patched;
using test::refusal;
using testing::Contains;
using testing::HasSubstr;

const Attention& attentionOf(const Block& block)
{
    return get<Attention>(block.mixer);
}

std::vector<int> windowsOf(const Model& model)
{
    std::vector<int> windows;
    for (const BlockRun& run : model.runs) {
        windows.insert(
            windows.end(), static_cast<std::size_t>(run.repeat), attentionOf(run.block).window);
    }
    return windows;
}

// Presets have the structure of published models, and the usual values.
TEST(ImportedDecoders, AreTheModelsOfThePresets)
{
    const auto unnamed = [](Model model) {
        model.name.clear();
        return withoutValues(model);
    };
    for (const auto& [known, preset] : {std::pair{"gpt2", "gpt2"},
                                        std::pair{"llama-3-8b", "llama-3-8b"},
                                        std::pair{"mistral-7b-v0.1", "mistral-7b"},
                                        std::pair{"mixtral-8x7b-v0.1", "mixtral-8x7b"},
                                        std::pair{"deepseek-v3", "deepseek-v3"},
                                        std::pair{"bert-base-uncased", "bert-base"}}) {
        EXPECT_EQ(unnamed(imported(configNamed(known)).model), unnamed(*presetNamed(preset)));
    }
}

TEST(ImportedDecoders, Gpt2HasOtherSpellings)
{
    EXPECT_EQ(modelOf("gpt2",
                      R"({"n_embd": null, "n_embed": 768, "n_head": null,
                          "num_attention_heads": 12, "n_layer": null, "num_hidden_layers": 12,
                          "n_positions": null, "n_ctx": 1024})"),
              imported(configNamed("gpt2")).model);
    EXPECT_EQ(get<DenseFfn>(modelOf("gpt2", R"({"n_inner": 1000})").runs[0].block.ffn).dFf, 1000);
    EXPECT_EQ(modelOf("gpt2", R"({"architectures": ["GPT2Model"]})").head.kind, HeadKind::none);
}

TEST(ImportedDecoders, GptNeoAttendsLocallyInEveryOtherBlock)
{
    constexpr const char* kNeo = R"({"model_type": "gpt_neo", "num_layers": 4, "num_heads": 4,
        "hidden_size": 64, "window_size": 32, "vocab_size": 100})";
    const Json types = patched(kNeo, R"({"attention_types": [[["global", "local"], 2]]})");
    const Json layers =
        patched(kNeo, R"({"attention_layers": ["global", "global", "local", "local"]})");

    EXPECT_THAT(windowsOf(imported(kNeo).model), testing::ElementsAre(0, 32, 0, 32));
    EXPECT_THAT(windowsOf(imported(types).model), testing::ElementsAre(0, 32, 0, 32));
    EXPECT_THAT(windowsOf(imported(layers).model), testing::ElementsAre(0, 0, 32, 32));
    EXPECT_FALSE(attentionOf(imported(kNeo).model.runs[0].block).scaleScores);
    for (const char* wrong : {R"([[["global", "local"], 3]])",
                              R"([[["global"], 1000000000]])",
                              R"([[["sideways"], 4]])",
                              R"("global")"}) {
        Json json = ownJson(kNeo);
        json["attention_types"] = ownJson(wrong);
        EXPECT_THAT(refusal(json), HasSubstr("attention_types")) << wrong;
    }
}

TEST(ImportedDecoders, OptMayHaveANarrowTokenTableAndNormsBehindItsParts)
{
    const Model model =
        modelOf("opt-125m", R"({"word_embed_proj_dim": 512, "do_layer_norm_before": false})");

    EXPECT_EQ(model.embedding.width, 512);
    EXPECT_EQ(model.embedding.projection, Projection::plain);
    EXPECT_TRUE(model.head.projection);
    EXPECT_EQ(model.runs[0].block.placement, NormPlacement::post);
    EXPECT_EQ(model.finalNorm, Norm::absent());
    EXPECT_EQ(modelOf("opt-125m", R"({"_remove_final_layer_norm": true})").finalNorm,
              Norm::absent());
    EXPECT_EQ(model.embedding.positionRows, 2050);
}

TEST(ImportedDecoders, FalconHasTwoGenerationsAndTwoOlderNames)
{
    constexpr const char* kFirst = R"({"model_type": "RefinedWebModel",
        "architectures": ["RWForCausalLM"], "hidden_size": 4544, "n_layer": 32, "n_head": 71,
        "n_head_kv": null, "multi_query": true, "parallel_attn": true, "bias": false,
        "alibi": false, "vocab_size": 65024})";
    const Model first = imported(kFirst).model;
    const Json older = patched(configNamed("falcon-40b"),
                               R"({"model_type": "RefinedWeb", "architectures": ["RWForCausalLM"],
                                   "num_kv_heads": null, "n_head_kv": 8,
                                   "new_decoder_architecture": null})");

    EXPECT_EQ(parameters(kFirst), "6921720704");
    EXPECT_EQ(attentionOf(first.runs[0].block).kvHeads, 1);
    EXPECT_TRUE(first.runs[0].block.oneNorm);
    EXPECT_EQ(imported(older).model.runs, imported(configNamed("falcon-40b")).model.runs);
    EXPECT_EQ(attentionOf(imported(older).model.runs[0].block).kvHeads, 8);
}

TEST(ImportedDecoders, FalconWithAlibiHasNoRotaryPositions)
{
    const Model model = modelOf("falcon-40b",
                                R"({"new_decoder_architecture": false, "multi_query": false,
                                    "parallel_attn": false, "alibi": true, "bias": true})");
    const Block& block = model.runs[0].block;

    EXPECT_FALSE(attentionOf(block).rotary);
    EXPECT_EQ(attentionOf(block).positionBias, PositionBias::alibi);
    EXPECT_EQ(attentionOf(block).kvHeads, attentionOf(block).heads);
    EXPECT_EQ(block.layout, BlockLayout::sequential);
}

TEST(ImportedDecoders, MptHasATableOfPositionsOnlyWithoutAlibi)
{
    const auto positions = [](const char* patch) {
        return modelOf("mpt-7b", patch).embedding.positions;
    };

    EXPECT_EQ(positions("{}"), Positions::none);
    EXPECT_EQ(positions(R"({"attn_config": {"alibi": false}})"), Positions::learned);
    EXPECT_THAT(refusal(patched(configNamed("mpt-7b"), R"({"attn_config": {"qk_ln": true}})")),
                HasSubstr("attn_config: qk_ln"));
    EXPECT_THAT(refusal(patched(configNamed("mpt-7b"), R"({"no_bias": false})")),
                HasSubstr("no_bias"));
    EXPECT_THAT(
        imported(patched(configNamed("mpt-7b"), R"({"attn_config": {"elephants": 3}})")).notes,
        Contains(HasSubstr("attn_config: not understood, and left out of the count: elephants")));
}

TEST(ImportedDecoders, RotaryPositionsMayTurnAPartOfEachHead)
{
    const auto rotaryDim = [](std::string_view known, const char* patch) {
        return attentionOf(modelOf(known, patch).runs[0].block).rotaryDim;
    };

    EXPECT_EQ(rotaryDim("gpt-j-6b", "{}"), 64);
    EXPECT_EQ(rotaryDim("pythia-160m", "{}"), 16);
    EXPECT_EQ(rotaryDim("pythia-160m", R"({"rotary_pct": 1.0})"), 0);
    EXPECT_EQ(rotaryDim("phi-2", "{}"), 32);
    EXPECT_EQ(rotaryDim("stablelm-2-zephyr-1_6b", "{}"), 16);
    EXPECT_EQ(rotaryDim("phi-2",
                        R"({"partial_rotary_factor": null,
                            "rope_parameters": {"partial_rotary_factor": 0.5}})"),
              40);
    EXPECT_THAT(refusal(patched(configNamed("phi-2"), R"({"partial_rotary_factor": 1.5})")),
                HasSubstr("partial_rotary_factor"));
}

TEST(ImportedDecoders, LlamaHasBiasesIfTold)
{
    const Block block =
        modelOf("llama-3.1-405b", R"({"attention_bias": true, "mlp_bias": true})").runs[0].block;

    EXPECT_TRUE(attentionOf(block).qkvBias);
    EXPECT_TRUE(attentionOf(block).outBias);
    EXPECT_TRUE(get<GatedFfn>(block.ffn).bias);
}

TEST(ImportedDecoders, TheHeadDimensionIsKeptOnlyIfItDoesNotFollow)
{
    const auto headDim = [](const char* patch) {
        return attentionOf(modelOf("llama-3-8b", patch).runs[0].block).headDim;
    };

    EXPECT_EQ(headDim(R"({"head_dim": 128})"), 0);
    EXPECT_EQ(headDim(R"({"head_dim": 64})"), 64);
}

TEST(ImportedDecoders, AMissingNumberOfKeyHeadsIsThatOfTheClass)
{
    const auto kvHeads = [](std::string_view known, const char* patch) {
        return attentionOf(modelOf(known, patch).runs[0].block).kvHeads;
    };

    EXPECT_EQ(kvHeads("llama-3-8b", R"({"num_key_value_heads": null})"), 32);
    EXPECT_EQ(kvHeads("mistral-7b-v0.1", R"({"num_key_value_heads": null})"), 8);
    Json null = ownJson(configNamed("mistral-7b-v0.1"));
    null["num_key_value_heads"] = nullptr;
    EXPECT_EQ(attentionOf(imported(null).model.runs[0].block).kvHeads, 32);
}

TEST(ImportedDecoders, MistralsWindowIsAbsentOnlyIfNull)
{
    Json none = ownJson(configNamed("mistral-7b-v0.1"));
    none["sliding_window"] = nullptr;
    Json missing = none;
    missing.erase("sliding_window");

    EXPECT_EQ(windowsOf(imported(configNamed("mistral-7b-v0.1")).model)[0], 4096);
    EXPECT_EQ(windowsOf(imported(none).model)[0], 0);
    EXPECT_EQ(windowsOf(imported(missing).model)[0], 4096);
    EXPECT_THAT(imported(missing).notes, Contains(HasSubstr("sliding_window = 4096")));
}

TEST(ImportedDecoders, QwenSlidesOnlyWhenToldAndOnlyInLaterBlocks)
{
    constexpr const char* kQwen = "qwen2.5-7b-instruct";
    const std::vector<int> sliding = windowsOf(modelOf(
        kQwen, R"({"use_sliding_window": true, "sliding_window": 512, "max_window_layers": 20})"));
    Json types = ownJson(configNamed(kQwen));
    types["layer_types"] = std::vector<std::string>(28, "full_attention");

    EXPECT_EQ(windowsOf(modelOf(kQwen, "{}")), std::vector<int>(28, 0));
    EXPECT_EQ(sliding[19], 0);
    EXPECT_EQ(sliding[20], 512);
    EXPECT_EQ(windowsOf(imported(types).model), std::vector<int>(28, 0));
    types["layer_types"][5] = "sliding_attention";
    EXPECT_THAT(refusal(types), HasSubstr("layer_types"));
    types["layer_types"].erase(0);
    EXPECT_THAT(refusal(types), HasSubstr("a list of 28 names"));
}

TEST(ImportedDecoders, LayerTypesSayWhichBlocksSlide)
{
    Json json = ownJson(configNamed("gemma-2-9b"));
    json["num_hidden_layers"] = 3;
    json["layer_types"] = {"full_attention", "sliding_attention", "sliding_attention"};
    EXPECT_THAT(windowsOf(imported(json).model), testing::ElementsAre(0, 4096, 4096));

    json["layer_types"][0] = "linear_attention";
    EXPECT_THAT(refusal(json), HasSubstr("linear_attention"));
}

TEST(ImportedDecoders, Gemma3SlidesInAllButEverySixthBlock)
{
    const std::vector<int> windows = windowsOf(imported(configNamed("gemma-3-1b-it")).model);

    for (std::size_t layer = 0; layer < windows.size(); ++layer) {
        EXPECT_EQ(windows[layer], (layer + 1) % 6 == 0 ? 0 : 512) << layer;
    }
}

// A file that describes an image part too holds the language model in a section, which leaves out
// what the class assumes.
TEST(ImportedDecoders, Gemma3MayStandInASection)
{
    constexpr const char* kNested = R"({"model_type": "gemma3",
        "architectures": ["Gemma3ForConditionalGeneration"], "boi_token_index": 255999,
        "mm_tokens_per_image": 256, "text_config": {"model_type": "gemma3_text",
        "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
        "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})";
    const ImportedConfig nested = imported(kNested);

    EXPECT_EQ(parameters(kNested), "3880263168");
    EXPECT_TRUE(nested.model.head.tied);
    EXPECT_THAT(nested.notes, Contains(HasSubstr("vision_config: not imported")));
    EXPECT_THAT(imported(patched(kNested, R"({"vision_config": null})")).notes,
                Contains(HasSubstr("the image part: not imported")));
    EXPECT_THAT(nested.notes, Contains(HasSubstr("num_attention_heads = 8")));
    EXPECT_FALSE(imported(patched(kNested, R"({"tie_word_embeddings": false})")).model.head.tied);
    EXPECT_THAT(imported(patched(kNested, R"({"text_config": {"elephants": 1}})")).notes,
                Contains(HasSubstr("elephants")));
    EXPECT_THAT(imported(patched(kNested, R"({"elephants": 1})")).notes,
                Contains(HasSubstr("elephants")));
    EXPECT_THAT(refusal(patched(kNested, R"({"text_config": 3})")), HasSubstr("text_config"));
}

TEST(ImportedDecoders, WhatAFamilyCannotHoldIsRefused)
{
    for (const auto& [known, patch] :
         {std::pair{"stablelm-2-zephyr-1_6b", R"({"qk_layernorm": true})"},
          std::pair{"bloom-560m", R"({"apply_residual_connection_post_layernorm": true})"},
          std::pair{"gpt-j-6b", R"({"rotary": false})"},
          std::pair{"mpt-7b", R"({"norm_type": "rmsnorm"})"}}) {
        const std::string key = ownJson(patch).items().front().key();
        EXPECT_THAT(refusal(patched(configNamed(known), patch)), HasSubstr(key)) << known;
    }
}

} // namespace
} // namespace flopsmith
