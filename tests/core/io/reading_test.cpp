// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reading.h"

#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace flopsmith {
namespace {

using testing::HasSubstr;

TEST(Reading, FindsEveryPreset)
{
    for (const Preset& preset : presets()) {
        const Result<Loaded> loaded = loadModel(std::string(preset.id));
        ASSERT_TRUE(loaded.ok()) << preset.id;
        EXPECT_EQ(loaded->project.scenario.model, preset.make());
        EXPECT_EQ(loaded->from, LoadedFrom::preset);
    }
}

TEST(Reading, AMistypedPresetGetsTheNearestOnes)
{
    EXPECT_THAT(loadModel("gtp2").error().message, HasSubstr("gpt2"));
    EXPECT_THAT(loadModel("llama3-8b").error().message, HasSubstr("llama-3-8b"));
    EXPECT_THAT(loadModel("BERT-base").error().message, HasSubstr("bert-base"));
    EXPECT_THAT(loadModel("").error().message, HasSubstr("neither a preset nor a file"));
    EXPECT_LT(loadModel(std::string(100'000, 'x')).error().message.size(), 500U);
}

struct OtherInput
{
    const char* name; ///< of the file
    std::string_view content;
    const char* says;
};

constexpr std::array kOtherInputs{
    OtherInput{"a.safetensors", {"\x02\0\0\0\0\0\0\0{}", 10}, "weights (safetensors)"},
    OtherInput{"a.gguf", {"GGUF\x03\0\0\0", 8}, "weights (GGUF)"},
    OtherInput{"pytorch_model.bin", {"PK\x03\x04", 4}, "weights (PyTorch or NumPy)"},
    OtherInput{"old.pth", {"\x80\x02}q", 4}, "weights (PyTorch)"},
    OtherInput{
        "adapter_config.json",
        R"({"peft_type": "LORA", "base_model_name_or_path": "some/base", "r": 8})",
        "a LoRA of \"some/base\", which changes a model and is none; open the config.json of "
        "the model that it adapts"},
    OtherInput{"adapter_config.json", R"({"peft_type": "IA3"})", "an adapter (IA3), which changes"},
    OtherInput{"model.safetensors.index.json", R"({"weight_map": {}})", "index of shards"},
    OtherInput{"tokenizer_config.json", R"({"tokenizer_class": "T"})", "config of a tokenizer"},
    OtherInput{"generation_config.json", R"({"_from_model_config": true})", "generation"},
    OtherInput{"tokenizer.json", R"({"version": "1.0", "added_tokens": []})", "a tokenizer"},
    OtherInput{"special_tokens_map.json", R"({"bos_token": "<s>"})", "special tokens"},
    OtherInput{"trainer_state.json", R"({"log_history": []})", "the state of a training"},
    OtherInput{"work.ipynb", R"({"cells": [], "nbformat": 4})", "a notebook"},
    OtherInput{"a.png", {"\x89PNG\r\n\x1A\n", 8}, "an image (PNG); a .flopsmith file"},
    OtherInput{"a.jpg", "\xFF\xD8\xFF\xE0", "an image (JPEG)"},
    OtherInput{"a.svg", "<svg xmlns=\"x\"/>", "an image (SVG)"},
    OtherInput{"paper.pdf", "%PDF-1.7", "a document (PDF)"},
    OtherInput{"config.json", "<!DOCTYPE html><html>", "a web page, perhaps about the file"},
    OtherInput{"config.json",
               "version https://git-lfs.github.com/spec/v1\noid",
               "a pointer of Git LFS"},
    OtherInput{"model.zip", {"PK\x03\x04", 4}, "an archive (ZIP), which has to be unpacked"},
    OtherInput{"model.tar.gz", {"\x1F\x8B\x08\0", 4}, "a packed file"},
    OtherInput{"README.md",
               "# A model\n",
               "a text that is no JSON; a .flopsmith file, a config.json"},
    OtherInput{"params.json", R"({"dim": 4096, "n_layers": 32})", "a model's own code"},
    OtherInput{"x.json",
               R"({"model_type": "gpt2", "n_embd": Infinity})",
               "column 34: Infinity is no"},
    OtherInput{"y.json", R"({"model_type": "gpt2", "n_embd": -Infinity})", "Infinity is no value"},
    OtherInput{"z.json", R"({"model_type": "gpt2", "n_embd": NaN})", "NaN is no value of JSON"},
    OtherInput{"llava.json",
               R"({"model_type": "llava", "text_config": {"model_type": "llama"}})",
               "its text_config (llama) opens when it is saved as a config.json of its own"},
};

class ReadingFiles : public testing::Test
{
protected:
    ReadingFiles()
        : m_folder(std::filesystem::path(testing::TempDir())
                   / testing::UnitTest::GetInstance()->current_test_info()->name())
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    ~ReadingFiles() override { std::filesystem::remove_all(m_folder); }

    std::string file(const std::string& name, std::string_view content) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return (m_folder / name).string();
    }

    std::string folder() const { return m_folder.string(); }

private:
    std::filesystem::path m_folder;
};

TEST_F(ReadingFiles, SayWhatTheyAreWhenTheyAreNoDesign)
{
    for (const OtherInput& other : kOtherInputs) {
        const std::string path = file(other.name, other.content);
        const std::string said = loadModel(path).error().message;
        EXPECT_THAT(said, testing::StartsWith(path));
        EXPECT_THAT(said, HasSubstr(other.says));
        EXPECT_THAT(said, testing::Not(HasSubstr("\n")));
    }
}

TEST_F(ReadingFiles, AFolderWithoutAConfigSaysWhatItHolds)
{
    const std::filesystem::path inside = std::filesystem::path(folder()) / "snapshots" / "abc";
    std::filesystem::create_directories(inside);
    file("snapshots/abc/config.json", R"({"model_type": "gpt2"})");
    EXPECT_THAT(loadModel(folder()).error().message,
                HasSubstr("open " + inside.string() + ", which has one"));

    file("model.safetensors", kOtherInputs[0].content);
    EXPECT_THAT(loadModel(folder()).error().message,
                HasSubstr("a folder of weights (model.safetensors), which hold no design"));
}

TEST_F(ReadingFiles, NameTheConfigBesideThem)
{
    const std::string config = file("config.json", R"({"model_type": "gpt2"})");

    EXPECT_THAT(loadModel(file("model.safetensors", kOtherInputs[0].content)).error().message,
                testing::EndsWith("open " + config));
}

TEST_F(ReadingFiles, AFolderOpensByItsConfig)
{
    EXPECT_THAT(loadModel(folder()).error().message, HasSubstr("a folder without a config.json"));

    file("adapter_config.json", kOtherInputs[4].content);
    EXPECT_THAT(loadModel(folder()).error().message, HasSubstr("a LoRA of"));

    file("config.json", R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]})");
    const Result<Loaded> loaded = loadModel(folder());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->from, LoadedFrom::config);
}

TEST(Reading, ANameOfAHubIsNotDownloaded)
{
    EXPECT_THAT(loadModel("meta-llama/Meta-Llama-3-8B").error().message,
                HasSubstr("save its config.json and open that"));
    EXPECT_THAT(loadModel("https://huggingface.co/a/b").error().message,
                HasSubstr("an address on the web, and nothing is downloaded"));
    for (const char* path : {"configs/llama.json", "../llama", "a/b/c", "/etc/nowhere"}) {
        EXPECT_THAT(loadModel(path).error().message, testing::EndsWith("there is no such file"));
    }
}

TEST(Reading, TellsFilesApartByTheirContent)
{
    const Project project{.scenario = {*presetNamed("tiny"), {}}};
    const std::string config = R"({"model_type": "gpt2", "vocab_size": 10, "n_positions": 8,
        "n_embd": 4, "n_head": 2, "n_layer": 1, "architectures": ["GPT2LMHeadModel"]})";

    EXPECT_EQ(modelOfText(projectText(project), "x").value().from, LoadedFrom::project);
    EXPECT_EQ(modelOfText(config, "x").value().from, LoadedFrom::config);
    EXPECT_THAT(modelOfText("{\"a\": 1}", "x").error().message, HasSubstr("model_type"));
    EXPECT_THAT(modelOfText("3", "x").error().message, HasSubstr("neither a Flopsmith file"));
    EXPECT_THAT(modelOfText("{", "x").error().message, HasSubstr("line 1"));
}

// Its key "flopsmith" holds a whole design, not the version of a format.
TEST(Reading, OpensAConfigOfAModelWithCodeOfItsOwn)
{
    const Project project{.scenario = {*presetNamed("gpt2-ultra-efficient"), {}}};
    const std::string config =
        R"({"model_type": "flopsmith", "architectures": ["FlopsmithForCausalLM"],
        "flopsmith": )"
        + projectText(project) + "}";

    const Result<Loaded> loaded = modelOfText(config, "config.json");

    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->from, LoadedFrom::config); // which is never saved into this file
    EXPECT_EQ(loaded->project.scenario.model, project.scenario.model);
}

} // namespace
} // namespace flopsmith
