// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/kept_keys.h"

#include "core/ffn/dense.h"
#include "core/io/project/project_file.h"
#include "core/json/json_pointer.h"
#include "core/json/json_text.h"
#include "core/mixer/no_mixer.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Opened
{
    Project project{};
    std::vector<std::string> notes{};
};

Opened openedWithNotes(const std::string& text)
{
    Opened result;
    const Result<Json> json = parsedJson(text, "x");
    EXPECT_TRUE(json.ok()) << text;
    const Result<Project> project = projectFromJson(*json, "x", Illegal::refuse, &result.notes);
    EXPECT_TRUE(project.ok()) << project.error().message;
    result.project = *project;
    return result;
}

std::string savedPreset(std::string_view preset)
{
    return projectText({.scenario = {*presetNamed(preset), {}}});
}

// The text with `line` put in before the first occurrence of `before`.
std::string withLine(std::string text, const std::string& before, const std::string& line)
{
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.insert(at, line);
}

TEST(KeptKeys, AFileWithThemIsWrittenBackByteForByte)
{
    std::string text = savedPreset("gpt2-half-swapped");
    text = withLine(text, "\"model\": {", "\"colour\": \"red\",\n  ");
    text = withLine(text, "\"d_model\"", "\"author\": \"Ada\",\n    ");
    text = withLine(text, "\"blocks\"", "\"a/b~c\": null,\n    ");
    text = withLine(text, "\"mixer\"", "\"tint\": 0.5,\n        \"tone\": 1e+30,\n        ");
    text = withLine(text, "\"heads\"", "\"echoes\": true,\n          ");
    text = withLine(text, "\"k_freq\"", "\"warp\": -3,\n              ");
    text = withLine(text, "\"batch\"", "\"shuffle\": {\n      \"seed\": 7\n    },\n    ");

    EXPECT_EQ(projectText(openedWithNotes(text).project), text);
}

TEST(KeptKeys, AreSaidOnceHoweverManyObjectsHaveThem)
{
    std::string text = savedPreset("gpt2-half-swapped");
    text = withLine(text, "\"repeat\"", "\"tint\": 1, ");
    text.replace(text.rfind("\"repeat\""), 8, "\"tint\": 2, \"repeat\"");
    text = withLine(text, "\"model\": {", "\"colour\": [], ");

    EXPECT_THAT(
        openedWithNotes(text).notes,
        ElementsAre("colour: not known to this version, kept",
                    "model.blocks[0].tint and in 1 other place: not known to this version, kept"));
}

TEST(KeptKeys, NameAMissingKeyThatMayBeMeant)
{
    std::string text = savedPreset("gpt2");
    const std::size_t at = text.find("\"heads\"");
    text.replace(at, 7, "\"heads_count\"");

    EXPECT_THAT(openedWithNotes(text).notes,
                ElementsAre("model.blocks[0].mixer.heads_count: not known to this version, kept; "
                            "did you mean heads?"));
}

TEST(KeptKeys, OfVeryManyTheFirstAreNamedAndAllAreKept)
{
    std::string lines;
    for (int i = 0; i < 25; ++i) {
        lines += "\"tint" + std::to_string(i) + "\": 1, ";
    }

    const Opened result = openedWithNotes(withLine(savedPreset("tiny"), "\"d_model\"", lines));

    ASSERT_EQ(result.notes.size(), 21U);
    EXPECT_EQ(result.notes.front(), "model.tint0: not known to this version, kept");
    EXPECT_EQ(result.notes.back(), "5 more keys are not known to this version, kept");
    EXPECT_EQ(result.project.kept.size(), 25U);
}

TEST(KeptKeys, OfPartsThatAreNotWrittenAreWrittenWithThem)
{
    for (const std::string part : {"head.norm", "encoder_norm", "blocks/0/cross"}) {
        Json json = ownJson(savedPreset("tiny"));
        std::string place = part;
        std::replace(place.begin(), place.end(), '.', '/');
        const std::string at = "/model/" + place;
        ASSERT_EQ(valueAt(json, at), nullptr) << part;
        madeAt(json, at) = part == "blocks/0/cross" ? Json{{"kind", "none"}} : Json::object();
        madeAt(json, at)["tint"] = 7;

        const std::string saved = projectText(openedWithNotes(jsonText(json)).project);

        EXPECT_EQ(valueAt(ownJson(saved), at)->at("tint"), 7) << saved;
        EXPECT_EQ(projectText(openedWithNotes(saved).project), saved) << part;
    }
}

// What is said of a file whose model has these keys, too; empty if it is read.
std::string refusalOf(const std::string& lines)
{
    const Result<Project> project =
        parsedProject(withLine(savedPreset("tiny"), "\"d_model\"", lines), "x");
    return project.ok() ? "" : project.error().message;
}

std::string numberedKeys(int count)
{
    std::string lines;
    for (int i = 0; i < count; ++i) {
        lines += "\"tint" + std::to_string(i) + "\": 1, ";
    }
    return lines;
}

std::string nestedKey(std::size_t depth)
{
    return "\"deep\": " + std::string(depth, '[') + std::string(depth, ']') + ", ";
}

TEST(KeptKeys, BeyondTheirBoundsAreRefusedInOneSentence)
{
    EXPECT_EQ(refusalOf(numberedKeys(10'000)), "");
    EXPECT_THAT(refusalOf(numberedKeys(10'001)), HasSubstr("at most 10000 are kept"));
    EXPECT_EQ(refusalOf(nestedKey(32)), "");
    EXPECT_THAT(refusalOf(nestedKey(33)), HasSubstr("model.deep: not known to this version"));
    const std::string half(512U << 10U, 'a');
    EXPECT_EQ(refusalOf("\"text\": \"" + half + "\", "), "");
    EXPECT_THAT(refusalOf("\"text\": \"" + half + half + "\", "), HasSubstr("more than 1 MiB"));
}

TEST(KeptKeys, AreMeasuredAsTheyAreWritten)
{
    std::string ones = "1";
    for (int i = 1; i < 20'000; ++i) {
        ones += ",1";
    }
    const std::string deep = std::string(31, '[') + ones + std::string(31, ']');

    ASSERT_LT(deep.size(), 50'000U);
    EXPECT_THAT(refusalOf("\"ones\": " + deep + ", "), HasSubstr("more than 1 MiB"));
    EXPECT_EQ(refusalOf("\"ones\": [" + ones + "], "), "");
}

TEST(KeptKeys, OfAFileWithoutAnyThereIsNothingToSay)
{
    const Opened result = openedWithNotes(savedPreset("tiny"));

    EXPECT_TRUE(result.notes.empty());
    EXPECT_TRUE(result.project.kept.empty());
}

TEST(KeptKeys, KnownKeysOfAWrongTypeAndUnknownVariantsAreRefused)
{
    const auto refusal = [](const std::string& from, const std::string& to) {
        std::string text = savedPreset("tiny");
        text.replace(text.find(from), from.size(), to);
        const Result<Project> project = parsedProject(text, "x");
        return project.ok() ? std::string() : project.error().message;
    };

    EXPECT_THAT(refusal("\"kind\": \"attention\"", "\"kind\": \"magic\""),
                HasSubstr("model.blocks[0].mixer.kind: \"magic\" is unknown"));
    EXPECT_THAT(refusal("\"repeat\": ", "\"tint\": 1, \"repeat\": true, \"repeats\": "),
                HasSubstr("model.blocks[0].repeat: expected a whole number"));
}

/// A model of three different runs with a key at each, one in its mixer and one of the model.
class KeptThrough : public testing::Test
{
protected:
    KeptThrough()
    {
        before = *presetNamed("tiny");
        before.runs.resize(1);
        for (const int dFf : {64, 128}) {
            before.runs.push_back(before.runs.front());
            before.runs.back().block.ffn = DenseFfn{.dFf = dFf};
        }
        kept = {{"/model", "author", "", "1"},
                {"/model/blocks/0", "tint", "", "2"},
                {"/model/blocks/1", "tint", "", "3"},
                {"/model/blocks/1/mixer", "sinks", "", "4"},
                {"/model/blocks/2", "tint", "", "5"}};
    }

    // The values of the keys that are left.
    std::string left(const Model& after) const
    {
        std::string values;
        for (const KeptKey& key : keptThrough(kept, before, after)) {
            values += key.value;
        }
        return values;
    }

    Model before;
    std::vector<KeptKey> kept;
};

TEST_F(KeptThrough, StayWhenNumbersOfTheirBlocksChange)
{
    Model after = before;
    after.dModel *= 2;
    after.runs[1].repeat = 7;
    after.runs[2].block.ffn = DenseFfn{.dFf = 512};

    EXPECT_EQ(left(after), "12345");
}

TEST_F(KeptThrough, OfAMixerGoWithIt)
{
    Model after = before;
    after.runs[1].block.mixer = NoMixer{};

    EXPECT_EQ(left(after), "1235");
}

TEST_F(KeptThrough, OfARemovedRunGoAndDoNotComeToItsSuccessor)
{
    Model after = before;
    after.runs.erase(after.runs.begin() + 1);

    EXPECT_EQ(left(after), "12");
}

TEST_F(KeptThrough, OfMovedRunsGo)
{
    Model after = before;
    std::swap(after.runs[1], after.runs[2]);

    EXPECT_EQ(left(after), "12");
}

TEST_F(KeptThrough, AreNotGivenToATwinOfARemovedRun)
{
    before.runs[2] = before.runs[0];
    Model after = before;
    after.runs.erase(after.runs.begin(), after.runs.begin() + 2);

    EXPECT_EQ(left(after), "1");
}

TEST_F(KeptThrough, AreNotGivenToARunThatBecomesAnother)
{
    Model after = before;
    after.runs[0].block = before.runs[1].block;

    EXPECT_EQ(left(after), "1345");
}

} // namespace
} // namespace flopsmith
