// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/block_clip.h"

#include "core/json/json_pointer.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

BlockClip clipOfPreset(std::string_view preset)
{
    const Model model = *presetNamed(preset);
    return {model.dModel, model.runs};
}

std::string clipRefusal(const std::string& text)
{
    const Result<BlockClip> clip = parsedClip(text);
    EXPECT_FALSE(clip.ok()) << text;
    return clip.ok() ? "" : clip.error().message;
}

// The text of a copied preset with something else at a place.
std::string changedClip(const std::string& pointer, const Json& value)
{
    Json json = ownJson(clipText(clipOfPreset("gpt2-half-swapped")));
    madeAt(json, pointer) = value;
    return jsonText(json);
}

TEST(BlockClip, EveryPresetSurvivesTheText)
{
    for (const Preset& preset : presets()) {
        const BlockClip clip = clipOfPreset(preset.id);

        const Result<BlockClip> read = parsedClip(clipText(clip));

        ASSERT_TRUE(read.ok()) << preset.id << ": " << read.error().message;
        EXPECT_EQ(*read, clip) << preset.id;
    }
}

TEST(BlockClip, TheTextSaysWhatItIs)
{
    const Json json = ownJson(clipText(clipOfPreset("gpt2-half-swapped")));

    EXPECT_EQ(json.items().front().key(), "flopsmith_blocks");
    EXPECT_EQ(json["flopsmith_blocks"], kClipFormat);
    EXPECT_EQ(json["d_model"], 768);
    EXPECT_EQ(json["blocks"].size(), 2U);
    EXPECT_EQ(json["blocks"][0]["repeat"], 6);
    EXPECT_EQ(json.size(), 3U);
}

TEST(BlockClip, OtherTextsHoldNoBlocks)
{
    for (const char* text : {"", "  \n", "hello", "[1, 2]", "{}", "{\"flopsmith\": 1}", "12"}) {
        EXPECT_EQ(clipRefusal(text).rfind("The clipboard holds no blocks", 0), 0U) << text;
    }
    EXPECT_EQ(clipRefusal("{\"flopsmith_blocks\": 1,").rfind("clipboard: line 1", 0), 0U);
}

TEST(BlockClip, ANewerFormatIsRefused)
{
    EXPECT_NE(clipRefusal(changedClip("/flopsmith_blocks", 2)).find("newer Flopsmith"),
              std::string::npos);
    EXPECT_NE(clipRefusal(changedClip("/flopsmith_blocks", "1")).find("expected the version"),
              std::string::npos);
}

TEST(BlockClip, WhatIsWrongIsNamedWithItsPlace)
{
    const auto begins = [](const std::string& text, const std::string& place) {
        EXPECT_EQ(clipRefusal(text).rfind(place, 0), 0U) << clipRefusal(text);
    };
    begins(changedClip("/blocks/1/ffn/kind", "nonsense"), "clipboard.blocks[1].ffn");
    begins(changedClip("/blocks/0/mixer/heads", "many"), "clipboard.blocks[0].mixer.heads");
    begins(changedClip("/blocks", 3), "clipboard.blocks");
    begins(changedClip("/d_model", 0), "clipboard.d_model");
    begins(changedClip("/d_model", 1e9), "clipboard.d_model");
    begins(changedClip("/embedding", Json::object()), "clipboard.embedding: no such key");
    begins("{\"flopsmith_blocks\": 1, \"blocks\": []}", "clipboard.d_model: missing");
    begins("{\"flopsmith_blocks\": 1, \"d_model\": 12}", "clipboard.blocks: missing");
}

TEST(BlockClip, ThereIsAtLeastOneBlockAndAtMostAModelOfThem)
{
    EXPECT_NE(clipRefusal(changedClip("/blocks", Json::array())).find("empty"), std::string::npos);
    for (const int repeat : {0, -1}) {
        EXPECT_NE(clipRefusal(changedClip("/blocks/0/repeat", repeat)).find("at least one"),
                  std::string::npos);
    }
    for (const int repeat : {4'096, 1'000'000, 2'147'483'647}) {
        EXPECT_NE(clipRefusal(changedClip("/blocks/0/repeat", repeat)).find("too many"),
                  std::string::npos);
    }
    EXPECT_TRUE(parsedClip(changedClip("/blocks/0/repeat", 4'090)).ok());
}

} // namespace
} // namespace flopsmith
