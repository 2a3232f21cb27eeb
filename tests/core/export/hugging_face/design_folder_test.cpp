// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/hugging_face/design_folder.h"

#include "core/base/text_file.h"
#include "core/export/hugging_face/custom_code.h"
#include "core/export/native_weights.h"
#include "core/export/torch/design_folder.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/io/hugging_face/import.h"
#include "core/json/json_text.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "tests/support/preset_case.h"
#include "tests/support/small_scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class HuggingFaceExport : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "flopsmith-hf-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }

    void TearDown() override { fs::remove_all(m_folder); }

    std::string path(const std::string& name) const { return (m_folder / name).string(); }

    ImportedConfig imported(const std::string& folder) const
    {
        const auto text = textOfFile(folder + "/config.json");
        EXPECT_TRUE(text.ok());
        return importedConfig(*parsedJson(*text, "config.json"), folder + "/config.json").value();
    }

private:
    fs::path m_folder;
};

Project projectOf(const Scenario& scenario)
{
    return {.scenario = scenario};
}

// Small, and of the family that the preset is of: those without grouped heads stay so.
Scenario smallOfItsFamily(const std::string& id)
{
    Scenario scenario = test::smallPreset(id);
    auto* attention = get_if<Attention>(&scenario.model.runs.front().block.mixer);
    if (attention != nullptr && id != "llama-3-8b") {
        attention->kvHeads = attention->heads;
    }
    return scenario;
}

Model nameless(Model model)
{
    model.name.clear();
    model.patterns.clear();
    return model;
}

class HubPreset
    : public HuggingFaceExport
    , public testing::WithParamInterface<Preset>
{};

// import(export(m)) == m, whether a family has the model or not.
TEST_P(HubPreset, IsImportedAsItWas)
{
    const Scenario scenario{.model = GetParam().make(), .workload = {}};
    const auto made = writeHuggingFaceFolder(path("x"), projectOf(scenario), {.weights = false});
    ASSERT_TRUE(made.ok()) << made.error().message;

    const ImportedConfig back = imported(path("x"));
    EXPECT_EQ(nameless(back.model), nameless(scenario.model));
    EXPECT_EQ(back.modelType, made->fit.fits() ? made->fit.modelType : "flopsmith");
    EXPECT_EQ(fs::exists(path("x/modeling_flopsmith.py")), !made->fit.fits());
    EXPECT_FALSE(fs::exists(path("x/model.safetensors")));
    const std::string readme = textOfFile(path("x/README.md")).value();
    EXPECT_NE(readme.find(".from_config(config"), std::string::npos) << readme;
    for (std::size_t at = readme.find(".from_pretrained("); at != std::string::npos;
         at = readme.find(".from_pretrained(", at + 1)) {
        EXPECT_EQ(readme.substr(at - 10, 10), "AutoConfig") << "there are no weights to load";
    }
}

INSTANTIATE_TEST_SUITE_P(All, HubPreset, testing::ValuesIn(presets()), test::presetCase);

TEST(NativeFits, KnowTheFamiliesOfPresets)
{
    const auto family = [](std::string_view id) {
        for (const Preset& preset : presets()) {
            if (preset.id == id) {
                const NativeFit fit = nativeFit(preset.make());
                return fit.fits() ? fit.modelType : "none, " + fit.differences.front();
            }
        }
        return std::string("no such preset");
    };
    EXPECT_EQ(family("gpt2"), "gpt2");
    EXPECT_EQ(family("llama-3-8b"), "llama");
    EXPECT_EQ(family("bert-base"), "bert");
}

// import(export(m)) == m
TEST_F(HuggingFaceExport, LimitsOfQueriesKeysAndValuesReadBack)
{
    for (const char* text :
         {R"({"model_type": "olmo", "vocab_size": 61, "hidden_size": 24, "intermediate_size": 40,
              "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
              "clip_qkv": 8.0})",
          R"({"model_type": "mpt", "vocab_size": 61, "d_model": 24, "n_heads": 6, "n_layers": 3,
              "attn_config": {"clip_qkv": 6.5, "softmax_scale": 0.3}})"}) {
        const ImportedConfig from = importedConfig(*parsedJson(text, "c"), "config.json").value();
        const auto made = writeHuggingFaceFolder(
            path(from.modelType), projectOf({from.model, {}}), {.weights = false});
        ASSERT_TRUE(made.ok()) << made.error().message;

        const ImportedConfig back = imported(path(from.modelType));

        EXPECT_EQ(back.modelType, from.modelType);
        EXPECT_EQ(nameless(back.model), nameless(from.model));
        EXPECT_GT(get<Attention>(back.model.runs.front().block.mixer).qkvLimit, 6.0);
    }
}

// No family but OLMo and MPT limits them.
TEST(NativeFits, ALimitKeepsLlamaAway)
{
    Model model = presetNamed("llama-3-8b").value();
    get<Attention>(model.runs.front().block.mixer).qkvLimit = 8.0;

    const NativeFit fit = nativeFit(model);

    ASSERT_FALSE(fit.fits());
    EXPECT_EQ(fit.title, "Llama");
    EXPECT_EQ(fit.differences.front(), "model.blocks[0].mixer.qkv_limit is 8.0; Llama has none");
}

TEST(NativeFits, SayWhatKeepsAFamilyFromIt)
{
    const NativeFit fit = nativeFit(test::smallPreset("gpt2-ultra-efficient").model);

    ASSERT_FALSE(fit.fits());
    EXPECT_EQ(fit.title, "GPT-2");
    std::string all;
    for (const std::string& difference : fit.differences) {
        all += difference + "\n";
    }
    EXPECT_NE(all.find("composed"), std::string::npos) << all;
}

// The weights under native names are those of the exported program.
TEST_F(HuggingFaceExport, WritesTheWeightsOfTheProgramUnderNativeNames)
{
    for (const char* id : {"gpt2", "llama-3-8b", "bert-base"}) {
        const Scenario scenario = smallOfItsFamily(id);
        const std::string hub = path(std::string("hub-") + id);
        const std::string own = path(std::string("own-") + id);
        const auto made = writeHuggingFaceFolder(hub, projectOf(scenario), {.seed = 3});
        ASSERT_TRUE(made.ok()) << made.error().message;
        ASSERT_TRUE(made->fit.fits()) << id << ": " << made->fit.differences.front();
        ASSERT_TRUE(
            torch::writeDesignFolder(own, projectOf(scenario), {.source = {.seed = 3}}).ok());

        const auto checkpoint = SafetensorsFolder::open(hub).value();
        const auto program = SafetensorsFolder::open(own).value();
        const ModelPlan plan = planOf(torch::checkedScenario(scenario)).value();
        const auto converted =
            convertedWeights(*nativeFamily(made->fit.modelType), scenario.model, plan, checkpoint);
        ASSERT_TRUE(converted.ok()) << converted.error().message;
        EXPECT_TRUE(converted->problems.empty());
        EXPECT_TRUE(converted->unexpected.empty());
        for (const ConvertedTensor& tensor : converted->tensors) {
            const auto place = program.find(tensor.stored.name);
            ASSERT_TRUE(place.has_value()) << tensor.stored.name;
            std::vector<float> values(static_cast<std::size_t>(place->tensor->elements()));
            ASSERT_TRUE(place->file->read(*place->tensor, 0, std::span<float>(values)).ok());
            EXPECT_EQ(*valuesOf<float>(tensor), values) << tensor.stored.name;
        }
    }
}

TEST_F(HuggingFaceExport, WritesCodeWhereNoFamilyFits)
{
    const Scenario scenario = test::smallPreset("gpt2-ultra-efficient");
    ASSERT_TRUE(writeHuggingFaceFolder(path("x"), projectOf(scenario), {}).ok());

    const std::string code = textOfFile(path("x/modeling_flopsmith.py")).value();
    EXPECT_NE(code.find("class FlopsmithForCausalLM(PreTrainedModel, GenerationMixin):"),
              std::string::npos);
    EXPECT_NE(code.find("class Model(nn.Module):"), std::string::npos);
    const auto file = SafetensorsFolder::open(path("x")).value();
    EXPECT_TRUE(file.find("model.embedding.tokens.weight").has_value());
    EXPECT_EQ(nameless(parsedProject(textOfFile(path("x/design.flopsmith")).value(), "d")
                           .value()
                           .scenario.model),
              nameless(scenario.model));
}

struct OwnClass
{
    const char* preset;
    const char* autoClass;
    bool generates;
    bool withLmHead = false; ///< in place of the pooler that the preset has
};

class OwnCode : public testing::TestWithParam<OwnClass>
{};

TEST_P(OwnCode, IsOfferedForTheTaskOfItsModel)
{
    Scenario scenario{.model = presetNamed(GetParam().preset).value(), .workload = {}};
    if (GetParam().withLmHead) {
        scenario.model.head = {.kind = HeadKind::lm, .tied = true};
    }

    const Json config = customConfig(projectOf(scenario));
    const std::string code = customModeling(scenario).value();

    const std::string autoClass = GetParam().autoClass;
    EXPECT_EQ(customUse(scenario.model).autoClass, autoClass);
    ASSERT_TRUE(config["auto_map"].contains(autoClass));
    const auto reference = config["auto_map"][autoClass].get<std::string>();
    const std::string name = reference.substr(reference.find('.') + 1);
    const std::string bases =
        GetParam().generates ? "(PreTrainedModel, GenerationMixin):" : "(PreTrainedModel):";
    EXPECT_NE(code.find("class " + name + bases), std::string::npos) << name;
    EXPECT_EQ(config["use_cache"].get<bool>(), GetParam().generates);
    EXPECT_EQ(code.find("**others"), std::string::npos); // nothing is swallowed
}

INSTANTIATE_TEST_SUITE_P(
    Presets,
    OwnCode,
    testing::Values(OwnClass{"mixtral-8x7b", "AutoModelForCausalLM", true},
                    OwnClass{"gpt2-ultra-efficient", "AutoModelForCausalLM", true},
                    OwnClass{"deepseek-v3", "AutoModelForCausalLM", true},
                    OwnClass{"albert-base", "AutoModel", false},
                    OwnClass{"albert-base", "AutoModelForMaskedLM", false, true},
                    OwnClass{"fnet-base", "AutoModelForMaskedLM", false, true},
                    OwnClass{"t5-small", "AutoModelForSeq2SeqLM", true},
                    OwnClass{"vit-base-patch16-224", "AutoModelForImageClassification", false}),
    [](const auto& param) {
        std::string name = param.param.preset + std::string(param.param.withLmHead ? "_lm" : "");
        std::ranges::replace(name, '-', '_');
        return name;
    });

// What a config says of numbers that are not there is how the design stores them.
TEST_F(HuggingFaceExport, NamesThePrecisionOfItsWeights)
{
    const auto dtype = [&](const char* preset, int bits, bool weights) {
        Scenario scenario = test::smallPreset(preset);
        scenario.workload.precision = Precision::of(bits);
        const std::string folder =
            path(std::string(preset) + std::to_string(bits) + (weights ? "with" : "without"));
        EXPECT_TRUE(writeHuggingFaceFolder(folder, projectOf(scenario), {.weights = weights}).ok());
        const Json config = parsedJson(*textOfFile(folder + "/config.json"), "config").value();
        return config["torch_dtype"].get<std::string>();
    };
    for (const char* preset : {"llama-3-8b", "gpt2-ultra-efficient"}) {
        EXPECT_EQ(dtype(preset, 16, false), "bfloat16") << preset;
        EXPECT_EQ(dtype(preset, 4, false), "bfloat16") << preset;
        EXPECT_EQ(dtype(preset, 32, false), "float32") << preset;
        EXPECT_EQ(dtype(preset, 16, true), "float32") << preset; // as they are written
    }
}

TEST(NativeFits, KnowTheClassOfTheirHead)
{
    Model bert = presetNamed("bert-base").value();
    EXPECT_EQ(nativeAutoClass("bert", bert), "AutoModel");
    bert.head.kind = HeadKind::lm;
    EXPECT_EQ(nativeAutoClass("bert", bert), "AutoModelForMaskedLM");
    bert.head.kind = HeadKind::classifier;
    EXPECT_EQ(nativeAutoClass("bert", bert), "AutoModelForSequenceClassification");
    EXPECT_EQ(nativeAutoClass("llama", presetNamed("llama-3-8b").value()), "AutoModelForCausalLM");
}

TEST_F(HuggingFaceExport, SaysHowItIsLoaded)
{
    const auto readme = [&](const char* preset, bool weights) {
        const std::string folder = path(std::string(preset) + (weights ? "with" : "without"));
        const auto made = writeHuggingFaceFolder(
            folder, projectOf(smallOfItsFamily(preset)), {.weights = weights});
        EXPECT_TRUE(made.ok());
        return textOfFile(folder + "/README.md").value();
    };
    EXPECT_THAT(readme("bert-base", true), HasSubstr("model = AutoModel.from_pretrained(\".\")\n"));
    EXPECT_THAT(readme("gpt2", false),
                AllOf(HasSubstr("model = AutoModelForCausalLM.from_config(config)\n"),
                      Not(HasSubstr("AutoModelForCausalLM.from_pretrained"))));
    EXPECT_THAT(readme("albert-base", false),
                AllOf(HasSubstr(".from_config(config, trust_remote_code=True)\n"),
                      Not(HasSubstr("generate()"))));
    EXPECT_THAT(readme("mixtral-8x7b", true), HasSubstr("`generate()` reads each token once"));
}

// Corrections of routers are no parameters, and are stored all the same.
TEST(HuggingFacePlan, CountsTheParametersOfTheCost)
{
    const auto planned =
        plannedHuggingFaceFolder({presetNamed("deepseek-v3").value(), {}}, {}).value();

    EXPECT_EQ(planned.parameters, 671'026'404'352);
    EXPECT_EQ(planned.bytes, 4 * (671'026'404'352 + 58 * 256));
}

TEST_F(HuggingFaceExport, IsPlannedAsItIsWritten)
{
    for (const char* id : {"llama-3-8b", "gpt2-ultra-efficient", "bert-base"}) {
        Scenario scenario = smallOfItsFamily(id);
        scenario.model.head.tied = false; // BERT has two biases then
        const auto planned = plannedHuggingFaceFolder(scenario, {});
        ASSERT_TRUE(planned.ok()) << planned.error().message;
        const auto made = writeHuggingFaceFolder(path(id), projectOf(scenario), {});
        ASSERT_TRUE(made.ok()) << made.error().message;
        std::uint64_t bytes = 0;
        const SafetensorsFolder folder = SafetensorsFolder::open(path(id)).value();
        for (const SafetensorsTensor& tensor : folder.files().front().tensors()) {
            bytes += tensor.end - tensor.begin;
        }

        EXPECT_EQ(planned->bytes, static_cast<std::int64_t>(bytes)) << id;
        EXPECT_EQ(planned->parameters, made->parameters) << id;
        EXPECT_EQ(planned->fit.modelType, made->fit.modelType) << id;
        EXPECT_EQ(plannedHuggingFaceFolder(scenario, {.weights = false})->bytes, 0) << id;
    }
}

TEST_F(HuggingFaceExport, HasAProgramThatSaysWhatTheModelIs)
{
    for (const auto& [id, file] : {std::pair("llama-3-8b", "config.json"),
                                   std::pair("gpt2-ultra-efficient", "modeling_flopsmith.py")}) {
        const Scenario scenario = test::smallPreset(id); // llama-3-8b is in bfloat16
        for (const HuggingFaceOptions& options :
             {HuggingFaceOptions{.weights = false}, HuggingFaceOptions{.weights = true}}) {
            const std::string folder = path(id) + (options.weights ? "-weights" : "");
            ASSERT_TRUE(writeHuggingFaceFolder(folder, projectOf(scenario), options).ok());

            EXPECT_EQ(huggingFaceProgram(scenario, options).value(),
                      textOfFile(folder + "/" + file).value());
        }
    }
}

TEST_F(HuggingFaceExport, LeavesNothingWhereItIsStopped)
{
    std::stop_source stop;
    stop.request_stop();
    for (const char* id : {"llama-3-8b", "gpt2-ultra-efficient"}) {
        const auto made = writeHuggingFaceFolder(
            path(id), projectOf(test::smallPreset(id)), {.stop = stop.get_token()});

        ASSERT_FALSE(made.ok());
        EXPECT_EQ(made.error().message, "stopped");
        EXPECT_FALSE(fs::exists(path(id)));
    }
}

TEST_F(HuggingFaceExport, LeavesAFolderThatIsThere)
{
    const Scenario scenario = test::smallPreset("gpt2");
    ASSERT_TRUE(writeHuggingFaceFolder(path("x"), projectOf(scenario), {.weights = false}).ok());
    const std::string before = textOfFile(path("x/config.json")).value();

    const auto again =
        writeHuggingFaceFolder(path("x"), projectOf(test::smallPreset("bert-base")), {});
    EXPECT_FALSE(again.ok());
    EXPECT_EQ(textOfFile(path("x/config.json")).value(), before);
    EXPECT_TRUE(writeHuggingFaceFolder(
                    path("x"), projectOf(scenario), {.weights = false, .overwrite = true})
                    .ok());
}

TEST(OwnConfig, IsRefusedWithoutItsDesign)
{
    const auto refused = [](const char* text) {
        const auto config = importedConfig(*parsedJson(text, "c"), "config.json");
        return config.ok() ? std::string("none") : config.error().message;
    };
    EXPECT_NE(refused(R"({"model_type": "flopsmith"})").find("flopsmith is missing"),
              std::string::npos);
    EXPECT_NE(refused(R"({"model_type": "flopsmith", "flopsmith": {"flopsmith": 99}})").find("99"),
              std::string::npos);
}

} // namespace
} // namespace flopsmith
