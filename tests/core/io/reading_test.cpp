// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reading.h"

#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace
} // namespace flopsmith
