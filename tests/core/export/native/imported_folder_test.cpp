// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/imported_folder.h"

#include "core/export/torch/tensors/stored_weights.h"
#include "core/io/reading.h"
#include "core/json/json_text.h"
#include "tests/core/export/native/small_checkpoint.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <algorithm>
#include <limits>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using test::SmallCheckpoint;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ImportedFolderTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_place = fs::temp_directory_path()
            / ("flopsmith_import_"
               + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "_"
               + std::to_string(::getpid()));
        fs::create_directories(m_place);
    }
    void TearDown() override { fs::remove_all(m_place); }

    std::string from() const { return (m_place / "native").string(); }
    std::string to() const { return (m_place / "x").string(); }

    Result<ImportedFolder> import(FolderImportOptions options = {.weights = true}) const
    {
        return importFolder(from(), to(), options);
    }

    // Imports what must fit.
    ImportedFolder fitting(const SmallCheckpoint& checkpoint) const
    {
        checkpoint.write(from());
        const auto imported = import();
        EXPECT_TRUE(imported.ok()) << (imported.ok() ? "" : imported.error().message);
        EXPECT_TRUE(!imported.ok() || imported->problems.empty())
            << (imported.ok() && !imported->problems.empty() ? imported->problems.front() : "");
        return imported.ok() ? *imported : ImportedFolder{};
    }

    ImportedFolder failing(const SmallCheckpoint& checkpoint) const
    {
        checkpoint.write(from());
        const auto imported = import();
        EXPECT_TRUE(imported.ok()) << (imported.ok() ? "" : imported.error().message);
        EXPECT_FALSE(fs::exists(to()));
        EXPECT_FALSE(fs::exists(to() + ".partial"));
        return imported.ok() ? *imported : ImportedFolder{};
    }

    std::string refused(FolderImportOptions options = {.weights = true}) const
    {
        const auto imported = import(options);
        EXPECT_FALSE(imported.ok());
        return imported.ok() ? "" : imported.error().message;
    }

    // A tensor of the imported model in the order of its plan, [in, out] for matrices.
    std::vector<double> tensor(const std::string& path) const
    {
        const auto loaded = loadModel(to() + "/design.flopsmith", Illegal::refuse);
        const auto file = SafetensorsFolder::open(to());
        EXPECT_TRUE(loaded.ok() && file.ok());
        const Model& model = loaded->project.scenario.model;
        const ModelPlan plan = test::smallPlan(model);
        const auto weights = torch::readStoredWeights<double>(*file, model, plan);
        EXPECT_TRUE(weights.ok()) << (weights.ok() ? "" : weights.error().message);
        for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
            if (plan.tensors[i].path == path) {
                return (*weights)[i];
            }
        }
        ADD_FAILURE() << "there is no tensor " << path;
        return {};
    }

    fs::path m_place;
};

std::vector<double> doubles(const std::vector<float>& values)
{
    return {values.begin(), values.end()};
}

TEST_F(ImportedFolderTest, EveryFamilyGivesAllItsTensors)
{
    for (const std::string& config : test::smallConfigs()) {
        const SmallCheckpoint checkpoint(config);

        const ImportedFolder imported = fitting(checkpoint);

        EXPECT_EQ(static_cast<std::size_t>(imported.parameters), checkpoint.elements()) << config;
        EXPECT_THAT(imported.notes, Each(Not(HasSubstr("left out")))) << config;
        EXPECT_FALSE(tensor("embedding/tokens").empty()) << config;
        fs::remove_all(from());
        fs::remove_all(to());
    }
}

TEST_F(ImportedFolderTest, TheDesignKeepsItsValues)
{
    const SmallCheckpoint checkpoint(test::kSmallLlama);
    fitting(checkpoint);

    const auto loaded = loadModel(to() + "/design.flopsmith", Illegal::refuse);

    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    Model model = loaded->project.scenario.model;
    EXPECT_EQ(model.finalNorm.epsilon, 1e-6);
    model.name = checkpoint.model.name;
    EXPECT_EQ(model, checkpoint.model);
}

// Conv1D stores [in, out], as this program does in memory.
TEST_F(ImportedFolderTest, MatricesOfGpt2AreTransposed)
{
    const SmallCheckpoint checkpoint(test::kSmallGpt2);
    fitting(checkpoint);

    EXPECT_EQ(tensor("blocks[1]/attention/qkv.weight"),
              doubles(checkpoint.tensors.at("transformer.h.1.attn.c_attn.weight").values));
    EXPECT_EQ(tensor("blocks[0]/ffn/c_proj.weight"),
              doubles(checkpoint.tensors.at("transformer.h.0.mlp.c_proj.weight").values));
    EXPECT_EQ(tensor("embedding/positions"),
              doubles(checkpoint.tensors.at("transformer.wpe.weight").values));
}

TEST_F(ImportedFolderTest, QueriesKeysAndValuesAreJoined)
{
    const SmallCheckpoint checkpoint(test::kSmallLlama); // 4 + 2 + 2 heads of 2 features, d = 8
    fitting(checkpoint);
    const std::vector<double> joined = tensor("blocks[0]/attention/qkv.weight"); // [8, 16]
    const auto native = [&](const std::string& name) {
        return checkpoint.tensors.at("model.layers.0.self_attn." + name + "_proj.weight").values;
    };

    ASSERT_EQ(joined.size(), 8U * 16U);
    for (std::size_t in = 0; in < 8; ++in) {
        EXPECT_EQ(joined[in * 16 + 0], native("q")[0 * 8 + in]);
        EXPECT_EQ(joined[in * 16 + 7], native("q")[7 * 8 + in]);
        EXPECT_EQ(joined[in * 16 + 8], native("k")[0 * 8 + in]);
        EXPECT_EQ(joined[in * 16 + 12], native("v")[0 * 8 + in]);
        EXPECT_EQ(joined[in * 16 + 15], native("v")[3 * 8 + in]);
    }
    const std::vector<double> bias = tensor("blocks[0]/attention/qkv.bias");
    EXPECT_EQ(bias.at(8), checkpoint.tensors.at("model.layers.0.self_attn.k_proj.bias").values[0]);
}

TEST_F(ImportedFolderTest, NormsOfGemmaGetTheirOne)
{
    const SmallCheckpoint checkpoint(test::kSmallGemma);
    fitting(checkpoint);

    std::vector<double> expected = doubles(checkpoint.tensors.at("model.norm.weight").values);
    for (double& value : expected) {
        value += 1;
    }
    EXPECT_EQ(tensor("final_norm/gamma"), expected);
}

// 1 + γ takes more bits than γ.
TEST_F(ImportedFolderTest, TheOneOfGemmaRoundsNothing)
{
    SmallCheckpoint gemma(test::kSmallGemma);
    gemma.tensors.at("model.norm.weight").values.front() = 1e-9F;
    fitting(gemma);

    EXPECT_EQ(tensor("final_norm/gamma").front(), 1.0 + static_cast<double>(1e-9F));
}

TEST_F(ImportedFolderTest, NamesOfOldAndOfPlainModelsAreRead)
{
    SmallCheckpoint bert(test::kSmallBert);
    bert.rename("bert.embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.gamma");
    bert.rename("bert.embeddings.LayerNorm.bias", "embeddings.LayerNorm.beta");
    bert.rename("bert.encoder.layer.0.output.dense.bias", "encoder.layer.0.output.dense.bias");

    const ImportedFolder imported = fitting(bert);

    EXPECT_EQ(static_cast<std::size_t>(imported.parameters), bert.elements());
}

TEST_F(ImportedFolderTest, EachTensorThatDoesNotFitGetsASentence)
{
    SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.tensors.erase("transformer.ln_f.weight");
    gpt2.tensors["transformer.h.0.attn.c_attn.bias"] = {{6}, std::vector<float>(6)};

    EXPECT_THAT(failing(gpt2).problems,
                ElementsAre("transformer.h.0.attn.c_attn.bias is [6]; the model has it as [12]",
                            "transformer.ln_f.weight is missing; the model has it as [4]"));
}

TEST_F(ImportedFolderTest, WhatTheModelDoesNotHaveIsTold)
{
    SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.tensors["transformer.h.0.attn.bias"] = {{1, 1, 5, 5}, std::vector<float>(25)};
    gpt2.tensors["lm_head.weight"] = gpt2.tensors.at("transformer.wte.weight");
    gpt2.tensors["score.weight"] = {{2, 4}, std::vector<float>(8)};

    const ImportedFolder imported = fitting(gpt2);

    EXPECT_THAT(imported.notes,
                Contains("score.weight [2, 4] is left out; the model has no such tensor"));
    EXPECT_THAT(imported.notes, Not(Contains(HasSubstr("attn.bias"))));
    EXPECT_THAT(imported.notes, Not(Contains(HasSubstr("lm_head"))));
}

// As in the library, which uses it and warns.
TEST_F(ImportedFolderTest, AnotherMatrixThanTheTableUntiesTheHead)
{
    SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.tensors["lm_head.weight"] = gpt2.tensors.at("transformer.wte.weight");
    gpt2.tensors["lm_head.weight"].values.back() = 0.5F;

    const ImportedFolder imported = fitting(gpt2);

    EXPECT_THAT(imported.notes,
                Contains("lm_head.weight is not the table of tokens, to which the config ties the "
                         "head: it is used, and the head is untied"));
    EXPECT_EQ(static_cast<std::size_t>(imported.parameters), gpt2.elements());
    EXPECT_EQ(tensor("head/logits.weight").back(), 0.5);
    EXPECT_EQ(tensor("embedding/tokens").back(), 28.0);
}

TEST_F(ImportedFolderTest, TheOneMatrixOfATiedHeadMayHaveEitherName)
{
    SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.rename("transformer.wte.weight", "lm_head.weight");

    EXPECT_EQ(static_cast<std::size_t>(fitting(gpt2).parameters), gpt2.elements());
}

// The library computes with the decoder's bias, tied or not.
TEST_F(ImportedFolderTest, TheBiasOfBertsLogitsIsTheDecoders)
{
    for (const char* tied : {"true", "false"}) {
        Json config = ownJson(test::kSmallBert);
        config["tie_word_embeddings"] = std::string(tied) == "true";
        SmallCheckpoint bert(jsonText(config));
        bert.tensors["cls.predictions.bias"] = {{7}, std::vector<float>(7, 0.25F)};
        const std::vector<double> decoder =
            doubles(bert.tensors.at("cls.predictions.decoder.bias").values);
        fitting(bert);
        EXPECT_EQ(tensor("head/logits.bias"), decoder) << tied;
        fs::remove_all(to());

        bert.tensors.erase("cls.predictions.decoder.bias");
        fitting(bert);
        EXPECT_EQ(tensor("head/logits.bias"), std::vector<double>(7, 0.25)) << tied;
        fs::remove_all(to());
    }
}

TEST_F(ImportedFolderTest, FilesThatNoIndexNamesAreTold)
{
    const SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.write(from());
    fs::copy_file(from() + "/model.safetensors", from() + "/more.safetensors");

    const auto imported = import();

    ASSERT_TRUE(imported.ok()) << imported.error().message;
    EXPECT_THAT(imported->notes,
                Contains("more.safetensors is not read: the weights are those of "
                         "model.safetensors, and no index names another file"));
}

TEST_F(ImportedFolderTest, SaysWhichWeightsAreNoNumbers)
{
    SmallCheckpoint llama(test::kSmallLlama);
    std::vector<float>& values = llama.tensors.at("model.layers.1.mlp.up_proj.weight").values;
    values[9] = std::numeric_limits<float>::quiet_NaN(); // [6, 8]
    values[20] = -std::numeric_limits<float>::infinity();

    EXPECT_THAT(
        fitting(llama).notes,
        Contains("model.layers.1.mlp.up_proj.weight holds 2 values that are no numbers (NaN "
                 "or infinity), the first at [1, 1]"));
}

TEST_F(ImportedFolderTest, WholeNumbersAreNoWeights)
{
    const SmallCheckpoint gpt2(test::kSmallGpt2);
    gpt2.write(from());
    std::vector<std::int64_t> whole(4, 1);
    std::vector<TensorToWrite> all;
    for (const auto& [name, tensor] : gpt2.tensors) {
        const bool isLast = name == "transformer.ln_f.bias";
        all.push_back({name,
                       isLast ? TensorType::i64 : TensorType::f32,
                       tensor.shape,
                       isLast ? TensorSource(std::span<const std::int64_t>(whole))
                              : TensorSource(std::span<const float>(tensor.values))});
    }
    ASSERT_TRUE(writeSafetensorsFolder(from(), all).ok());

    const auto imported = import();

    ASSERT_TRUE(imported.ok()) << imported.error().message;
    EXPECT_THAT(imported->problems,
                ElementsAre("transformer.ln_f.bias is of type I64; weights are F64, F32, F16 or "
                            "BF16"));
}

TEST_F(ImportedFolderTest, WithoutWeightsTheConfigIsEnough)
{
    fs::create_directories(from());
    ASSERT_TRUE(writeFile(from() + "/config.json", test::kSmallLlama).ok());

    const auto imported = import({.weights = false});

    ASSERT_TRUE(imported.ok()) << imported.error().message;
    EXPECT_TRUE(fs::exists(to() + "/design.flopsmith"));
    EXPECT_FALSE(fs::exists(to() + "/model.safetensors"));
}

TEST_F(ImportedFolderTest, RefusesWithASentence)
{
    EXPECT_THAT(refused(), HasSubstr("native"));

    fs::create_directories(from());
    ASSERT_TRUE(writeFile(from() + "/config.json", test::kSmallLlama).ok());
    EXPECT_THAT(refused(), HasSubstr("neither model.safetensors nor"));
    ASSERT_TRUE(writeFile(from() + "/pytorch_model.bin", "x").ok());
    EXPECT_THAT(refused(), HasSubstr("pickle"));

    ASSERT_TRUE(writeFile(from() + "/config.json", R"({"model_type": "falcon"})").ok());
    EXPECT_THAT(refused(), AllOf(HasSubstr("weights of falcon"), HasSubstr("gpt2, llama")));

    Json json = ownJson(test::kSmallLlama);
    json["rope_scaling"] = {{"type", "longrope"}};
    ASSERT_TRUE(writeFile(from() + "/config.json", jsonText(json)).ok());
    EXPECT_THAT(refused(), HasSubstr("other outputs here: rope_scaling"));
    EXPECT_FALSE(fs::exists(to()));

    fs::create_directories(to());
    EXPECT_THAT(refused({.weights = false}), HasSubstr("exists; name a new folder"));
    EXPECT_TRUE(import({.weights = false, .overwrite = true}).ok());
}

} // namespace
} // namespace flopsmith
