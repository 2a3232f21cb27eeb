// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/notes_json.h"

#include "core/io/project/project_file.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

class NotesFile : public testing::Test
{
protected:
    NotesFile()
    {
        project.notes = {{{NotePart::ffn, 0}, "Two thirds of all FLOPs.\n„Warum?“ \"<b>\" 中"},
                         {{NotePart::mixer, 11}, "last"},
                         {{NotePart::ffn, 0}, "a second one"},
                         {{NotePart::embedding}, "50 257 rows"},
                         {{}, "compare with LLaMA"}};
    }

    Json json() const { return ownJson(projectText(project)); }

    std::string refusalOf(const std::string& notes) const
    {
        Json file = json();
        file["notes"] = ownJson(notes);
        const Result<Project> read = parsedProject(jsonText(file), "x");
        EXPECT_FALSE(read.ok()) << notes;
        return read ? std::string() : read.error().message;
    }

    Project project{.scenario = {.model = *presetNamed("gpt2")}};
};

TEST_F(NotesFile, ReadsBackWithItsNotes)
{
    const Result<Project> read = parsedProject(projectText(project), "x");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, project);
}

TEST_F(NotesFile, APartOutsideOfTheBlocksHasNoBlock)
{
    EXPECT_EQ(jsonText(json()["notes"][1]), R"({"part":"mixer","block":11,"text":"last"})");
    EXPECT_EQ(jsonText(json()["notes"][3]), R"({"part":"embedding","text":"50 257 rows"})");
    EXPECT_EQ(json()["flopsmith"], 1); // a program that knows no notes keeps them
}

TEST_F(NotesFile, AProjectWithoutThemHasNoKeyForThem)
{
    project.notes.clear();
    EXPECT_THAT(projectText(project), Not(HasSubstr("notes")));
}

TEST_F(NotesFile, AnEmptyListIsNoNotes)
{
    Json file = json();
    file["notes"] = Json::array();
    const Result<Project> read = parsedProject(jsonText(file), "x");
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(read->notes.empty());
}

TEST_F(NotesFile, KeysOfANewerVersionAreKept)
{
    Json file = json();
    file["notes"][1]["colour"] = "red";
    const Result<Project> read = parsedProject(jsonText(file), "x");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(ownJson(projectText(*read))["notes"][1]["colour"], "red");
}

TEST_F(NotesFile, RefusesBrokenEntriesAndNamesThem)
{
    EXPECT_THAT(refusalOf("{}"), HasSubstr("x: notes: expected a list"));
    EXPECT_THAT(refusalOf("[3]"), HasSubstr("notes[0]: expected a list"));
    EXPECT_THAT(refusalOf(R"([{"text": "x"}])"),
                HasSubstr("notes[0].part: missing; it is one of stack"));
    EXPECT_THAT(refusalOf(R"([{"part": "roof", "text": "x"}])"), HasSubstr("notes[0].part"));
    EXPECT_THAT(refusalOf(R"([{"part": 3, "text": "x"}])"), HasSubstr("notes[0].part"));
    EXPECT_THAT(refusalOf(R"([{"part": "ffn", "text": "x"}])"),
                HasSubstr("notes[0]: block is missing"));
    EXPECT_THAT(refusalOf(R"([{"part": "head"}])"), HasSubstr("notes[0].text: missing"));
    EXPECT_THAT(refusalOf(R"([{"part": "head", "text": 3}])"),
                HasSubstr("expected a text in quotes, found 3"));
    EXPECT_THAT(refusalOf(R"([{"part": "head", "text": ""}])"),
                HasSubstr("1 to 500 characters, this one 0"));
    EXPECT_THAT(refusalOf(R"([{"part": "head", "text": "a\u0007b"}])"),
                HasSubstr("without control characters"));
    for (const char* block : {"-1", "1.5", "\"3\"", "4097", "18446744073709551615", "null"}) {
        EXPECT_THAT(
            refusalOf(R"([{"part": "ffn", "text": "x", "block": )" + std::string(block) + "}]"),
            HasSubstr("notes[0].block: expected a whole number"));
    }
}

TEST_F(NotesFile, RefusesPartsThatTheModelDoesNotHave)
{
    EXPECT_THAT(refusalOf(R"([{"part": "head", "text": "x"},
                              {"part": "ffn", "block": 12, "text": "x"}])"),
                HasSubstr("x: notes[1]: block 12 is none of this model; its blocks are 0 to 11"));
    EXPECT_THAT(refusalOf(R"([{"part": "cross", "block": 2, "text": "x"}])"),
                HasSubstr("notes[0]: block 2 has no cross"));
    EXPECT_THAT(refusalOf(R"([{"part": "head", "block": 2, "text": "x"}])"),
                HasSubstr("notes[0]: head is outside of the blocks"));
}

TEST_F(NotesFile, RefusesMoreThanADesignHas)
{
    const Json note{{"part", "stack"}, {"text", "x"}};
    Json many = Json::array();
    for (std::size_t i = 0; i <= kMaxNotes; ++i) {
        many.push_back(note);
    }
    EXPECT_THAT(refusalOf(jsonText(many)), HasSubstr("at most 200 notes"));
    const Json wordy{{"part", "stack"}, {"text", std::string(60'000, 'x')}};
    EXPECT_THAT(refusalOf(jsonText(Json::array({wordy}))),
                HasSubstr("1 to 500 characters, this one 60000"));
}

} // namespace
} // namespace flopsmith
