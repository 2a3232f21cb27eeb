// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/note/note.h"

#include "core/ffn/no_ffn.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::HasSubstr;

std::string refusal(const Status& status)
{
    EXPECT_FALSE(status.ok());
    return status ? std::string() : status.error().message;
}

TEST(Note, EveryPartHasANameOfItsOwn)
{
    const std::vector<std::string_view> names = notePartNames();
    ASSERT_EQ(names.size(), 10U);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(nameOf(static_cast<NotePart>(i)), names[i]);
        EXPECT_EQ(std::count(names.begin(), names.end(), names[i]), 1);
    }
}

TEST(Note, StandsAtPartsThatTheModelHas)
{
    const Model gpt2 = *presetNamed("gpt2");
    for (const NoteAnchor anchor : {NoteAnchor{},
                                    NoteAnchor{NotePart::embedding},
                                    NoteAnchor{NotePart::block, 0},
                                    NoteAnchor{NotePart::norm, 3},
                                    NoteAnchor{NotePart::mixer, 11},
                                    NoteAnchor{NotePart::ffn, 5},
                                    NoteAnchor{NotePart::finalNorm},
                                    NoteAnchor{NotePart::head}}) {
        EXPECT_TRUE(checked(anchor, gpt2).ok()) << nameOf(anchor.part);
    }
    const Model t5 = *presetNamed("t5-small");
    EXPECT_TRUE(checked(NoteAnchor{NotePart::encoderNorm}, t5).ok());
    EXPECT_TRUE(checked(NoteAnchor{NotePart::cross, t5.layers() - 1}, t5).ok());
}

TEST(Note, APartThatIsNotThereIsNamedWithWhatIsThere)
{
    const Model gpt2 = *presetNamed("gpt2");
    EXPECT_EQ(refusal(checked(NoteAnchor{NotePart::ffn, 12}, gpt2)),
              "block 12 is none of this model; its blocks are 0 to 11");
    EXPECT_THAT(refusal(checked(NoteAnchor{NotePart::ffn, -1}, gpt2)), HasSubstr("0 to 11"));
    EXPECT_EQ(refusal(checked(NoteAnchor{NotePart::cross, 4}, gpt2)),
              "block 4 has no cross; a note on the whole block has the part block");
    EXPECT_EQ(refusal(checked(NoteAnchor{NotePart::encoderNorm}, gpt2)),
              "this model has no encoder_norm; a note on the whole stack has the part stack");
    EXPECT_EQ(refusal(checked(NoteAnchor{NotePart::head, 2}, gpt2)),
              "head is outside of the blocks; leave block out");
}

TEST(Note, AMutedPartCanHaveOne)
{
    Model gpt2 = *presetNamed("gpt2");
    gpt2.runs.front().block.ffnMuted = true;
    EXPECT_TRUE(checked(NoteAnchor{NotePart::ffn, 0}, gpt2).ok());
    gpt2.runs.front().block.ffn = NoFfn{};
    EXPECT_FALSE(checked(NoteAnchor{NotePart::ffn, 0}, gpt2).ok());
}

TEST(Note, HasAtMost500CharactersOfAnyScript)
{
    std::string text;
    for (std::size_t i = 0; i < kLongestNote; ++i) {
        text += "\u4E2D"; // three bytes each
    }
    EXPECT_TRUE(checkedNoteText(text).ok());
    EXPECT_EQ(refusal(checkedNoteText(text + "x")), "a note has 1 to 500 characters, this one 501");
    EXPECT_EQ(refusal(checkedNoteText("")), "a note has 1 to 500 characters, this one 0");
    EXPECT_FALSE(checkedNoteText(" \n ").ok());
    EXPECT_EQ(noteText(text + "x"), text);
}

TEST(Note, MayHaveLinesButNoControlCharacters)
{
    EXPECT_TRUE(checkedNoteText("two\nlines").ok());
    EXPECT_FALSE(checkedNoteText("a\ttab").ok());
    EXPECT_FALSE(checkedNoteText("turned \u202E round").ok());
    EXPECT_EQ(noteText("  a\ttab\n"), "a tab");
    EXPECT_EQ(noteText(" \t\n"), "");
}

TEST(Note, WhatIsTypedIsAValidNoteOrNothing)
{
    for (const std::string& typed : {std::string(3000, 'x'),
                                     std::string(499, 'x') + "  y",
                                     std::string("\xFF\xFE broken"),
                                     std::string("\0\0", 2),
                                     std::string("\n\nlines\n\n")}) {
        const std::string text = noteText(typed);
        EXPECT_TRUE(text.empty() || checkedNoteText(text).ok()) << typed;
    }
}

TEST(Note, TheWrongOneOfSeveralIsNumbered)
{
    const Model gpt2 = *presetNamed("gpt2");
    const Note good{{NotePart::ffn, 0}, "wide"};
    EXPECT_TRUE(checked(std::vector<Note>{good, good}, gpt2).ok()); // two on one part are fine
    EXPECT_THAT(refusal(checked(std::vector<Note>{good, {{NotePart::ffn, 99}, "x"}}, gpt2)),
                testing::StartsWith("[1]: block 99"));
    EXPECT_TRUE(checked(std::vector<Note>(kMaxNotes, good), gpt2).ok());
    EXPECT_EQ(refusal(checked(std::vector<Note>(kMaxNotes + 1, good), gpt2)),
              ": 201 notes; a design has at most 200");
}

TEST(Note, AreOrderedAsTheStackIs)
{
    const Model t5 = *presetNamed("t5-small");
    const int last = t5.layers() - 1;
    const std::vector<Note> ordered{{{}, "first"},
                                    {{NotePart::embedding}, ""},
                                    {{NotePart::mixer, 0}, "a"},
                                    {{NotePart::mixer, 0}, "b"},
                                    {{NotePart::ffn, 0}, ""},
                                    {{NotePart::encoderNorm}, ""},
                                    {{NotePart::block, last}, ""},
                                    {{NotePart::cross, last}, ""},
                                    {{NotePart::finalNorm}, ""},
                                    {{NotePart::head}, "last"}};
    std::vector<Note> mixed(ordered.rbegin(), ordered.rend());
    std::swap(mixed[6], mixed[7]); // of one part they stay as they were
    EXPECT_EQ(inStackOrder(mixed, t5), ordered);
}

TEST(Note, PeopleReadWhereItStands)
{
    const Model gpt2 = *presetNamed("gpt2");
    EXPECT_EQ(anchorText({NotePart::ffn, 0}, gpt2), "Blocks 1 – 12, FFN");
    EXPECT_EQ(anchorText({NotePart::mixer, 3}, gpt2), "Block 4, mixer");
    EXPECT_EQ(anchorText({NotePart::block, 3}, gpt2), "Block 4");
    EXPECT_EQ(anchorText({}, gpt2), "Whole stack");
    EXPECT_EQ(anchorText({NotePart::finalNorm}, gpt2), "Final norm");
}

} // namespace
} // namespace flopsmith
