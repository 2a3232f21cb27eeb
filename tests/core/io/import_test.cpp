// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hugging_face/import.h"

#include "core/io/hugging_face/family.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/model/spec_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

Json gpt2Config(int layers, int width, int heads)
{
    return {{"model_type", "gpt2"},
            {"architectures", {"GPT2LMHeadModel"}},
            {"activation_function", "gelu_new"},
            {"vocab_size", 50257},
            {"n_positions", 1024},
            {"n_embd", width},
            {"n_head", heads},
            {"n_layer", layers}};
}

struct DecoderSizes
{
    const char* type;
    const char* architecture;
    int vocab;
    int layers;
    int width;
    int heads;
    int kvHeads;
    int dFf;
};

Json decoderConfig(const DecoderSizes& sizes)
{
    return {{"model_type", sizes.type},
            {"architectures", {sizes.architecture}},
            {"hidden_act", "silu"},
            {"vocab_size", sizes.vocab},
            {"hidden_size", sizes.width},
            {"intermediate_size", sizes.dFf},
            {"num_hidden_layers", sizes.layers},
            {"num_attention_heads", sizes.heads},
            {"num_key_value_heads", sizes.kvHeads},
            {"tie_word_embeddings", false}};
}

Json llama3Config()
{
    return decoderConfig({"llama", "LlamaForCausalLM", 128256, 32, 4096, 32, 8, 14336});
}

Json mistralConfig()
{
    Json json = decoderConfig({"mistral", "MistralForCausalLM", 32000, 32, 4096, 32, 8, 14336});
    json["sliding_window"] = 4096;
    return json;
}

Json qwen2Config()
{
    return decoderConfig({"qwen2", "Qwen2ForCausalLM", 152064, 28, 3584, 28, 4, 18944});
}

Json bertConfig()
{
    return {{"model_type", "bert"},
            {"architectures", {"BertModel"}},
            {"hidden_act", "gelu"},
            {"vocab_size", 30522},
            {"hidden_size", 768},
            {"intermediate_size", 3072},
            {"num_hidden_layers", 12},
            {"num_attention_heads", 12},
            {"max_position_embeddings", 512},
            {"type_vocab_size", 2}};
}

ImportedConfig imported(const Json& json)
{
    const Result<ImportedConfig> result = importedConfig(json, "config.json");
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *result : ImportedConfig{};
}

std::string refusal(const Json& json)
{
    const Result<ImportedConfig> result = importedConfig(json, "some/config.json");
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.error().message;
}

std::string parameters(const Json& json)
{
    const Scenario scenario{imported(json).model, {}};
    return digits(summary(costTree(scenario), scenario, LensId::exact).parameters);
}

// Published totals: tied matrices once, buffers not counted.
TEST(HuggingFaceImport, GivesThePublishedParameters)
{
    EXPECT_EQ(parameters(gpt2Config(12, 768, 12)), "124439808");
    EXPECT_EQ(parameters(gpt2Config(24, 1024, 16)), "354823168");
    EXPECT_EQ(parameters(gpt2Config(48, 1600, 25)), "1557611200");
    EXPECT_EQ(parameters(llama3Config()), "8030261248");
    EXPECT_EQ(
        parameters(decoderConfig({"llama", "LlamaForCausalLM", 32000, 32, 4096, 32, 32, 11008})),
        "6738415616");
    EXPECT_EQ(
        parameters(decoderConfig({"llama", "LlamaForCausalLM", 32000, 80, 8192, 64, 8, 28672})),
        "68976648192");
    EXPECT_EQ(
        parameters(decoderConfig({"llama", "LlamaForCausalLM", 128256, 126, 16384, 128, 8, 53248})),
        "405853388800");
    EXPECT_EQ(parameters(mistralConfig()), "7241732096");
    EXPECT_EQ(parameters(qwen2Config()), "7615616512");
    EXPECT_EQ(parameters(bertConfig()), "109482240");
}

TEST(HuggingFaceImport, TiedLlamaCountsTheEmbeddingOnce)
{
    Json json = decoderConfig({"llama", "LlamaForCausalLM", 49152, 30, 576, 9, 3, 1536});
    json["tie_word_embeddings"] = true;

    EXPECT_EQ(parameters(json), "134515008"); // SmolLM2-135M
}

TEST(HuggingFaceImport, GivesTheModelsOfThePresets)
{
    const auto unnamed = [](Model model) {
        model.name.clear();
        return model;
    };

    EXPECT_EQ(unnamed(imported(gpt2Config(12, 768, 12)).model), unnamed(*presetNamed("gpt2")));
    EXPECT_EQ(unnamed(imported(llama3Config()).model), unnamed(*presetNamed("llama-3-8b")));
    EXPECT_EQ(unnamed(imported(mistralConfig()).model), unnamed(*presetNamed("mistral-7b")));
    EXPECT_EQ(unnamed(imported(bertConfig()).model), unnamed(*presetNamed("bert-base")));
}

TEST(HuggingFaceImport, MatmulLensGivesThePublishedOperationsOfGpt2)
{
    const Scenario scenario{imported(gpt2Config(12, 768, 12)).model, {.sequence = 1024}};

    const CostTree<Count> tree = costTree(scenario, lens(LensId::matmul).pairs);

    EXPECT_EQ(digits(summary(tree, scenario, LensId::matmul).flops), "291648307200");
}

TEST(HuggingFaceImport, ACompleteConfigNeedsNoNotes)
{
    EXPECT_THAT(imported(gpt2Config(12, 768, 12)).notes, IsEmpty());
    EXPECT_THAT(imported(llama3Config()).notes, IsEmpty());
    EXPECT_THAT(imported(bertConfig()).notes, IsEmpty());
}

TEST(HuggingFaceImport, FindsTheFamilyWithoutModelType)
{
    Json json = gpt2Config(12, 768, 12);
    json.erase("model_type");

    EXPECT_EQ(parameters(json), "124439808");
}

TEST(HuggingFaceImport, ReadsOtherSpellingsOfGpt2)
{
    Json json = gpt2Config(12, 768, 12);
    json.erase("n_embd");
    json["n_embed"] = 768;
    json["n_inner"] = nullptr;

    EXPECT_EQ(parameters(json), "124439808");
}

TEST(HuggingFaceImport, AGpt2OfAnotherInnerWidth)
{
    Json json = gpt2Config(12, 768, 12);
    json["n_inner"] = 1000;

    EXPECT_EQ(std::get<DenseFfn>(imported(json).model.runs[0].block.ffn).dFf, 1000);
}

TEST(HuggingFaceImport, ABareModelHasNoHead)
{
    Json json = gpt2Config(12, 768, 12);
    json["architectures"] = {"GPT2Model"};

    EXPECT_EQ(imported(json).model.head.kind, HeadKind::none);
}

TEST(HuggingFaceImport, MistralsWindowIsAbsentOnlyIfNull)
{
    const auto window = [](const Json& json) {
        return std::get<Attention>(imported(json).model.runs[0].block.mixer).window;
    };
    Json none = mistralConfig();
    none["sliding_window"] = nullptr;
    Json missing = mistralConfig();
    missing.erase("sliding_window");

    EXPECT_EQ(window(mistralConfig()), 4096);
    EXPECT_EQ(window(none), 0);
    EXPECT_EQ(window(missing), 4096);
    EXPECT_THAT(imported(missing).notes, Contains(HasSubstr("sliding_window is missing")));
}

TEST(HuggingFaceImport, Qwen2SlidesOnlyWhenToldAndOnlyInLaterLayers)
{
    Json off = qwen2Config();
    off.update({{"use_sliding_window", false}, {"sliding_window", 131072}});
    Json on = qwen2Config();
    on.update({{"use_sliding_window", true}, {"sliding_window", 512}, {"max_window_layers", 20}});

    const Model sliding = imported(on).model;

    EXPECT_EQ(std::get<Attention>(imported(off).model.runs.at(0).block.mixer).window, 0);
    ASSERT_EQ(sliding.runs.size(), 2U);
    EXPECT_EQ(sliding.runs[0].repeat, 20);
    EXPECT_EQ(std::get<Attention>(sliding.runs[0].block.mixer).window, 0);
    EXPECT_EQ(std::get<Attention>(sliding.runs[1].block.mixer).window, 512);
}

TEST(HuggingFaceImport, Qwen2sLayerTypesMustAgree)
{
    Json json = qwen2Config();
    json["layer_types"] = std::vector<std::string>(28, "full_attention");
    EXPECT_EQ(imported(json).model.layers(), 28);

    json["layer_types"][5] = "sliding_attention";
    EXPECT_THAT(refusal(json), HasSubstr("layer_types"));
}

TEST(HuggingFaceImport, BiasesOfLlama)
{
    Json json = llama3Config();
    json.update({{"attention_bias", true}, {"mlp_bias", true}});

    const Block block = imported(json).model.runs[0].block;

    EXPECT_TRUE(std::get<Attention>(block.mixer).qkvBias);
    EXPECT_TRUE(std::get<Attention>(block.mixer).outBias);
    EXPECT_TRUE(std::get<GatedFfn>(block.ffn).bias);
}

TEST(HuggingFaceImport, HeadDimIsKeptOnlyIfItDoesNotFollow)
{
    const auto headDim = [](int asked) {
        Json json = llama3Config();
        json["head_dim"] = asked;
        return std::get<Attention>(imported(json).model.runs[0].block.mixer).headDim;
    };

    EXPECT_EQ(headDim(128), 0);
    EXPECT_EQ(headDim(64), 64);
}

TEST(HuggingFaceImport, RopeScalingIsNotedAsCostingNothing)
{
    Json json = llama3Config();
    json["rope_scaling"] = {{"factor", 8.0}, {"rope_type", "llama3"}};

    EXPECT_THAT(imported(json).notes, Contains(HasSubstr("rope_scaling")));
    EXPECT_EQ(parameters(json), "8030261248");
}

TEST(HuggingFaceImport, NamesWhatItDidNotUnderstand)
{
    Json json = llama3Config();
    json["memory_of_elephants"] = 3;
    json["torch_dtype"] = "bfloat16";

    EXPECT_THAT(imported(json).notes,
                testing::ElementsAre(AllOf(HasSubstr("not understood"),
                                           HasSubstr("memory_of_elephants"),
                                           testing::Not(HasSubstr("torch_dtype")))));
}

TEST(HuggingFaceImport, IsNamedAfterItsFolder)
{
    const Json json = gpt2Config(12, 768, 12);

    EXPECT_EQ(importedConfig(json, "models/my-gpt/config.json")->model.name, "my-gpt");
    EXPECT_EQ(importedConfig(json, "my-gpt.json")->model.name, "my-gpt");
    EXPECT_EQ(importedConfig(json, "config.json")->model.name, "GPT-2");
}

TEST(HuggingFaceImport, RefusesOtherFamiliesByName)
{
    EXPECT_THAT(refusal({{"model_type", "mixtral"}}),
                AllOf(HasSubstr("some/config.json"),
                      HasSubstr("\"mixtral\""),
                      HasSubstr("gpt2, llama, mistral, qwen2, bert")));
    EXPECT_THAT(refusal({{"architectures", {"T5ForConditionalGeneration"}}}),
                HasSubstr("supported are"));
    EXPECT_THAT(refusal(Json::array()), HasSubstr("expected an object"));
}

TEST(HuggingFaceImport, RefusesMembersOfAFamilyThatItCannotCount)
{
    Json masked = bertConfig();
    masked["architectures"] = {"BertForMaskedLM"};
    Json relative = bertConfig();
    relative["position_embedding_type"] = "relative_key";
    Json decoder = bertConfig();
    decoder["is_decoder"] = true;
    Json crossing = gpt2Config(12, 768, 12);
    crossing["add_cross_attention"] = true;

    EXPECT_THAT(refusal(masked), AllOf(HasSubstr("\"BertForMaskedLM\""), HasSubstr("BertModel")));
    EXPECT_THAT(refusal(relative), HasSubstr("position_embedding_type"));
    EXPECT_THAT(refusal(decoder), HasSubstr("is_decoder"));
    EXPECT_THAT(refusal(crossing), HasSubstr("add_cross_attention"));
}

TEST(HuggingFaceImport, RefusesWrongValuesWithTheirKey)
{
    struct Case
    {
        const char* key;
        Json value;
    };
    const Case cases[]{{"n_embd", "wide"},
                       {"n_embd", 0},
                       {"n_embd", -768},
                       {"n_embd", 768.5},
                       {"n_embd", 1e30},
                       {"n_head", nullptr},
                       {"n_head", 7},
                       {"n_layer", Json::array()},
                       {"vocab_size", true},
                       {"activation_function", "quick_gelu"},
                       {"tie_word_embeddings", "yes"}};
    for (const Case& wrong : cases) {
        Json json = gpt2Config(12, 768, 12);
        json[wrong.key] = wrong.value;
        const std::string key =
            std::string(wrong.key) == "n_head" && wrong.value == 7 ? "heads" : wrong.key;
        EXPECT_THAT(refusal(json), HasSubstr(key)) << json.dump();
    }
}

// Every family is reached by its name and imports something from the sizes alone.
TEST(HuggingFaceImport, FamiliesHaveDifferentNamesAndArchitectures)
{
    std::set<std::string_view> names;
    std::size_t architectures = 0;
    for (const Family* family : families()) {
        names.insert(family->modelType);
        for (const Architecture& each : family->architectures) {
            names.insert(each.name);
            ++architectures;
        }
    }
    EXPECT_EQ(names.size(), families().size() + architectures);
}

} // namespace
} // namespace flopsmith
