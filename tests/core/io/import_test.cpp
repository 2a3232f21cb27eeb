// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hugging_face/import.h"

#include "core/io/hugging_face/family.h"
#include "core/io/reading.h"
#include "core/json/json_text.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

using test::imported;
using test::parameters;
using test::patched;
using test::refusal;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGpt2 = R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"],
    "activation_function": "gelu_new", "vocab_size": 50257, "n_positions": 1024, "n_embd": 768,
    "n_head": 12, "n_layer": 12})";

constexpr const char* kLlama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
    "hidden_act": "silu", "vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "tie_word_embeddings": false})";

std::vector<std::string> notesOf(const Json& json)
{
    return imported(json).notes;
}

TEST(HuggingFaceImport, ACompleteConfigNeedsNoNotes)
{
    EXPECT_THAT(imported(kGpt2).notes, IsEmpty());
    EXPECT_THAT(imported(kLlama).notes, IsEmpty());
}

// Every family has defaults of its own; what is assumed is listed.
TEST(HuggingFaceImport, EveryFamilyIsReachedByItsNameAndHasDefaults)
{
    for (const Family* family : families()) {
        Json json{{"model_type", family->modelType},
                  {"architectures", {family->architectures.front().name}}};
        if (family->modelType == "deepseek_v2") {
            json["num_experts_per_tok"] = 6; // has none
        }
        const ImportedConfig bare = imported(json);
        EXPECT_FALSE(bare.model.runs.empty()) << family->modelType;
        EXPECT_THAT(bare.notes, Contains(HasSubstr("missing, and assumed"))) << family->modelType;

        json["memory_of_elephants"] = 3;
        EXPECT_EQ(imported(json).model, bare.model) << family->modelType;
        EXPECT_THAT(notesOf(json), Contains(HasSubstr("memory_of_elephants"))) << family->modelType;
    }
}

TEST(HuggingFaceImport, FamiliesHaveDifferentNames)
{
    std::set<std::string_view> names;
    for (const Family* family : families()) {
        names.insert(family->modelType);
        EXPECT_FALSE(family->architectures.empty());
    }
    EXPECT_EQ(names.size(), families().size());
}

TEST(HuggingFaceImport, EveryArchitectureOfEveryFamilyIsImported)
{
    for (const Family* family : families()) {
        for (const Architecture& architecture : family->architectures) {
            const Json json{{"model_type", family->modelType},
                            {"architectures", {architecture.name}},
                            {"num_experts_per_tok", 2}};
            EXPECT_EQ(imported(json).model.head.kind, architecture.head) << architecture.name;
        }
    }
}

TEST(HuggingFaceImport, ReadsTheClassesOfEveryToken)
{
    const auto headOf = [](const char* name) {
        const Json json = patched(kGpt2, R"({"num_labels": 5})");
        Json named = json;
        named["architectures"] = Json::array({name});
        return imported(named).model.head;
    };
    EXPECT_EQ(headOf("GPT2ForTokenClassification").classes, 5);
    EXPECT_TRUE(headOf("GPT2ForTokenClassification").bias);
    EXPECT_EQ(headOf("GPT2ForSequenceClassification").classes, 5);
    EXPECT_FALSE(headOf("GPT2ForSequenceClassification").bias);
    EXPECT_EQ(headOf("GPT2ForQuestionAnswering").classes, 2); // its begin and its end
    EXPECT_THAT(refusal(R"({"model_type": "electra",
                    "architectures": ["ElectraForSequenceClassification"]})"),
                HasSubstr("is not supported for electra"));
}

TEST(HuggingFaceImport, FindsTheFamilyWithoutModelType)
{
    EXPECT_EQ(parameters(jsonText(patched(kGpt2, R"({"model_type": null})"))), "124439808");
    EXPECT_THAT(refusal(R"({"architectures": ["RWForCausalLM"]})"),
                AllOf(HasSubstr("model_type"), HasSubstr("RefinedWeb or RefinedWebModel")));
}

// Files of the first days have neither; the library goes by their name.
TEST(HuggingFaceImport, FindsTheFamilyInTheNameOfTheFile)
{
    const Json json = patched(kGpt2, R"({"model_type": null, "architectures": null})");

    const Result<ImportedConfig> named = importedConfig(json, "models/My-GPT2/config.json");

    ASSERT_TRUE(named.ok());
    EXPECT_EQ(named->model.layers(), 12);
    EXPECT_THAT(named->notes, Contains(HasSubstr("because the file is called so")));
    EXPECT_THAT(refusal(json), HasSubstr("model_type: missing"));
    EXPECT_TRUE(modelOfText(jsonText(json), "gpt2.json").ok());
}

TEST(HuggingFaceImport, IsNamedAfterItsFolder)
{
    const Json json = ownJson(kGpt2);

    EXPECT_EQ(importedConfig(json, "models/my-gpt/config.json")->model.name, "my-gpt");
    EXPECT_EQ(importedConfig(json, "my-gpt.json")->model.name, "my-gpt");
    EXPECT_EQ(importedConfig(json, "config.json")->model.name, "GPT-2");
}

TEST(HuggingFaceImport, NamesWhatItDidNotUnderstand)
{
    EXPECT_THAT(
        notesOf(patched(kLlama, R"({"memory_of_elephants": 3, "torch_dtype": "bfloat16"})")),
        testing::ElementsAre(AllOf(HasSubstr("not understood"),
                                   HasSubstr("memory_of_elephants"),
                                   testing::Not(HasSubstr("torch_dtype")))));

    Json many = ownJson(kLlama);
    for (int i = 0; i < 1000; ++i) {
        many["unknown_" + std::to_string(i)] = i;
    }
    EXPECT_THAT(notesOf(many), Contains(HasSubstr("and 980 more")));
}

TEST(HuggingFaceImport, InheritedKeysChangeNothingUnlessTheySaySomething)
{
    EXPECT_THAT(notesOf(patched(kLlama,
                                R"({"is_decoder": false, "add_cross_attention": false,
                                    "pruned_heads": {}, "tie_encoder_decoder": false})")),
                IsEmpty());
    EXPECT_THAT(notesOf(patched(kLlama, R"({"is_decoder": true, "pruned_heads": {"0": [1]}})")),
                Contains(HasSubstr("not understood, and left out of the count: is_decoder, "
                                   "pruned_heads")));
}

TEST(HuggingFaceImport, NotesWhatChangesNumbersAndNoCounts)
{
    const Json json = patched(
        kLlama,
        R"({"rope_scaling": {"factor": 8.0, "rope_type": "llama3"}, "quantization_config": {}})");

    EXPECT_THAT(notesOf(json), Contains(HasSubstr("rope_scaling: changes angles")));
    EXPECT_THAT(notesOf(json), Contains(HasSubstr("quantization_config: not imported")));
    EXPECT_EQ(parameters(jsonText(json)), "8030261248");
    EXPECT_THAT(notesOf(patched(kLlama, R"({"rope_parameters": {"rope_type": "default"}})")),
                IsEmpty());
    const auto ropes = [](const char* full) {
        return notesOf(patched(jsonText(patched(kLlama, R"({"rope_parameters": {"sliding_attention":
            {"rope_theta": 10000.0, "rope_type": "default"}}})")),
                               full));
    };
    EXPECT_THAT(ropes(R"({"rope_parameters": {"full_attention": {"rope_type": "default"}}})"),
                IsEmpty());
    EXPECT_THAT(ropes(R"({"rope_parameters": {"full_attention": {"rope_type": "linear"}}})"),
                Contains(HasSubstr("rope_parameters: changes angles")));
}

TEST(HuggingFaceImport, RefusesOtherFamiliesByName)
{
    EXPECT_THAT(refusal(R"({"model_type": "mamba"})"),
                AllOf(HasSubstr("some/config.json"),
                      HasSubstr("\"mamba\""),
                      HasSubstr("the nearest that are: "),
                      HasSubstr("flopsmith families")));
    EXPECT_THAT(refusal(R"({"model_type": "lama"})"), HasSubstr("the nearest that are: llama"));
    EXPECT_THAT(refusal(R"({"architectures": ["MambaForCausalLM"]})"),
                HasSubstr("flopsmith families"));
    EXPECT_THAT(refusal(R"({"model_type": 7})"), HasSubstr("model_type: expected a name"));
    EXPECT_THAT(refusal("[]"), HasSubstr("expected an object"));
}

TEST(HuggingFaceImport, RefusesOtherClassesOfAFamilyByName)
{
    EXPECT_THAT(refusal(patched(kGpt2, R"({"architectures": ["GPT2DoubleHeadsModel"]})")),
                AllOf(HasSubstr("\"GPT2DoubleHeadsModel\""), HasSubstr("GPT2LMHeadModel")));
    for (const char* wrong : {"\"GPT2Model\"", "[1]", "[\"GPT2Model\", \"GPT2LMHeadModel\"]"}) {
        Json json = ownJson(kGpt2);
        json["architectures"] = ownJson(wrong);
        EXPECT_THAT(refusal(json), HasSubstr("architectures")) << wrong;
    }
    EXPECT_THAT(refusal(patched(kGpt2, R"({"add_cross_attention": true})")),
                HasSubstr("add_cross_attention"));
    EXPECT_THAT(refusal(patched(kLlama, R"({"is_encoder_decoder": true})")),
                HasSubstr("is_encoder_decoder"));
}

TEST(HuggingFaceImport, RefusesWrongValuesWithTheirKey)
{
    struct Case
    {
        const char* key;
        const char* value;
        const char* named; ///< in the sentence
    };
    const Case cases[]{{"n_embd", "\"768\"", "found the text \"768\""},
                       {"n_embd", "0", "n_embd"},
                       {"n_embd", "-768", "-768"},
                       {"n_embd", "768.5", "found 768.5"},
                       {"n_embd", "1e30", "1e+30"},
                       {"n_embd", "1000000000000000000000000000000", "1e+30"},
                       {"n_embd", "18446744073709551615", "18446744073709551615"},
                       {"n_head", "null", "found null"},
                       {"n_head", "7", "heads"},
                       {"n_layer", "[]", "found a list"},
                       {"n_layer", "1000000000", "n_layer"},
                       {"n_layer", "{}", "found an object"},
                       {"vocab_size", "true", "found true"},
                       {"activation_function", "\"quick_gelu\"", "quick_gelu"},
                       {"activation_function", "1", "activation_function"},
                       {"tie_word_embeddings", "\"yes\"", "tie_word_embeddings"},
                       {"tie_word_embeddings", "1", "expected true or false"}};
    for (const Case& wrong : cases) {
        Json json = ownJson(kGpt2);
        json[wrong.key] = ownJson(wrong.value);
        EXPECT_THAT(refusal(json), HasSubstr(wrong.named)) << jsonText(json);
    }
}

TEST(HuggingFaceImport, RefusesSpellingsThatContradictEachOther)
{
    EXPECT_EQ(parameters(jsonText(patched(kGpt2, R"({"hidden_size": 768})"))), "124439808");
    EXPECT_THAT(refusal(patched(kGpt2, R"({"hidden_size": 1024})")),
                AllOf(HasSubstr("hidden_size: 1024 contradicts n_embd: 768")));
}

// Equal mistakes in every block are one sentence.
TEST(HuggingFaceImport, SaysOnceWhatNoModelCanHave)
{
    const std::string said =
        refusal(R"({"model_type": "gemma2", "num_attention_heads": 7, "num_key_value_heads": 2})");

    EXPECT_THAT(said, HasSubstr("kv_heads: 2 is not legal; legal is a divisor of 7"));
    EXPECT_LT(said.size(), 200U);
}

TEST(HuggingFaceImport, ShowsOnlyTheStartOfALongText)
{
    Json json = ownJson(kGpt2);
    json["n_embd"] = std::string(100'000, 'x');
    EXPECT_LT(refusal(json).size(), 200U);
    json = {{"model_type", std::string(100'000, 'x')}};
    EXPECT_LT(refusal(json).size(), 1'000U);
}

} // namespace
} // namespace flopsmith
