// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/note/notes_through.h"

#include "core/ffn/gated.h"
#include "core/ffn/no_ffn.h"
#include "core/model/presets.h"
#include "core/model/stack_units.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

BlockRun wide(int hidden, int repeat)
{
    BlockRun run;
    run.repeat = repeat;
    run.block.ffn = DenseFfn{.dFf = hidden};
    return run;
}

// Runs of 3, 1 and 2 blocks.
Model threeRuns()
{
    Model model;
    model.runs = {wide(1024, 3), wide(2048, 1), wide(4096, 2)};
    return model;
}

// Blocks 1 to 8: A B A B A B A B.
Model pattern()
{
    Model model;
    setStackUnits(model, {{{wide(1024, 1), wide(2048, 1)}, 4}});
    return model;
}

Note ffnNote(int block)
{
    return {{NotePart::ffn, block}, "of block " + std::to_string(block)};
}

std::vector<int> blocksOf(const std::vector<Note>& notes)
{
    std::vector<int> blocks;
    for (const Note& note : notes) {
        blocks.push_back(note.anchor.block);
    }
    return blocks;
}

using Blocks = std::vector<int>;

// Notes at the first block of each run of threeRuns().
const std::vector<Note> kAtRuns{ffnNote(0), ffnNote(3), ffnNote(4)};

TEST(NotesThrough, WithoutAnEditTheyStay)
{
    EXPECT_EQ(carriedOver(kAtRuns, threeRuns(), threeRuns()), kAtRuns);
    EXPECT_TRUE(carriedOver({}, threeRuns(), pattern()).empty());
}

TEST(NotesThrough, AnInsertedBlockMovesThoseBelow)
{
    Model after = threeRuns();
    insertRunBehind(after, 0, wide(512, 5));
    EXPECT_EQ(blocksOf(carriedOver(kAtRuns, threeRuns(), after)), (Blocks{0, 8, 9}));
}

TEST(NotesThrough, ALongerRunMovesThoseBelow)
{
    Model after = threeRuns();
    after.runs[0].repeat = 7;
    EXPECT_EQ(blocksOf(carriedOver(kAtRuns, threeRuns(), after)), (Blocks{0, 7, 8}));
}

TEST(NotesThrough, TheyGoWithARunThatMoves)
{
    Model after = threeRuns();
    std::swap(after.runs[0], after.runs[1]);
    EXPECT_EQ(blocksOf(carriedOver(kAtRuns, threeRuns(), after)), (Blocks{1, 0, 4}));
}

TEST(NotesThrough, ADeletedBlockTakesItsNoteAlong)
{
    Model after = threeRuns();
    eraseRuns(after, {1});
    const std::vector<Note> left = carriedOver(kAtRuns, threeRuns(), after);
    EXPECT_EQ(blocksOf(left), (Blocks{0, 3}));
    EXPECT_EQ(left[1].text, kAtRuns[2].text);
}

TEST(NotesThrough, AShorterRunLosesThoseOfItsLastBlocks)
{
    const std::vector<Note> notes{ffnNote(0), ffnNote(1), ffnNote(2), ffnNote(3)};
    Model after = threeRuns();
    after.runs[0].repeat = 2;
    EXPECT_EQ(blocksOf(carriedOver(notes, threeRuns(), after)), (Blocks{0, 1, 2}));
}

TEST(NotesThrough, ACopyHasNone)
{
    Model after = threeRuns();
    insertRunBehind(after, 0, wide(1024, 3));
    EXPECT_EQ(blocksOf(carriedOver(kAtRuns, threeRuns(), after)), (Blocks{0, 6, 7}));
}

TEST(NotesThrough, ASplitOrJoinedRunLeavesThemWhereTheyAre)
{
    Model split = threeRuns();
    splitRunBehind(split, 0, 2);
    const std::vector<Note> notes{ffnNote(0), ffnNote(1), ffnNote(2), ffnNote(4)};
    EXPECT_EQ(carriedOver(notes, threeRuns(), split), notes);
    EXPECT_EQ(carriedOver(notes, split, threeRuns()), notes);
}

TEST(NotesThrough, AReplacedPartKeepsItsNote)
{
    Model after = threeRuns();
    after.runs[1].block.ffn = GatedFfn{};
    EXPECT_EQ(carriedOver(kAtRuns, threeRuns(), after), kAtRuns);
}

TEST(NotesThrough, ThatOfAPartThatIsGoneStaysAtTheBlock)
{
    Model after = threeRuns();
    after.runs[1].block.ffn = NoFfn{};
    const std::vector<Note> left = carriedOver(kAtRuns, threeRuns(), after);
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(left[1].anchor, (NoteAnchor{NotePart::block, 3}));
    EXPECT_EQ(left[1].text, kAtRuns[1].text);
}

TEST(NotesThrough, OneBlockThatBecomesAnotherKeepsItsNote)
{
    Model after = threeRuns();
    const int alone = after.isolateBlock(0);
    after.runs[static_cast<std::size_t>(alone)].block.ffn = GatedFfn{};
    EXPECT_EQ(carriedOver(kAtRuns, threeRuns(), after), kAtRuns);
}

TEST(NotesThrough, PartsOutsideOfBlocksStayAsLongAsTheModelHasThem)
{
    const std::vector<Note> notes{
        {{}, "stack"}, {{NotePart::embedding}, "embedding"}, {{NotePart::head}, "head"}};
    Model after = threeRuns();
    eraseRuns(after, {0});
    EXPECT_EQ(carriedOver(notes, threeRuns(), after), notes);
    after.head.kind = HeadKind::none;
    EXPECT_EQ(carriedOver(notes, threeRuns(), after).size(), 2U);
}

TEST(NotesThrough, EveryRepeatOfAPatternKeepsItsNotesThroughAnEditOfAll)
{
    const std::vector<Note> notes{ffnNote(0), ffnNote(1), ffnNote(3), ffnNote(7)};
    Model after = pattern(); // A B becomes A C B
    insertRunBehind(after, 0, wide(512, 1));
    EXPECT_EQ(blocksOf(carriedOver(notes, pattern(), after)), (Blocks{0, 2, 5, 11}));
}

TEST(NotesThrough, ARepeatThatIsGoneTakesItsNotesAlong)
{
    const std::vector<Note> notes{ffnNote(0), ffnNote(3), ffnNote(7)};
    Model after = pattern();
    ASSERT_TRUE(setTimes(after, 0, 2).ok());
    EXPECT_EQ(blocksOf(carriedOver(notes, pattern(), after)), (Blocks{0, 3}));
    ASSERT_TRUE(setTimes(after, 0, 1).ok());
    EXPECT_EQ(blocksOf(carriedOver(notes, pattern(), after)), (Blocks{0}));
}

TEST(NotesThrough, UngroupingAPatternLeavesThemWhereTheyAre)
{
    const std::vector<Note> notes{ffnNote(0), ffnNote(3), ffnNote(7)};
    Model after = pattern();
    dissolvePattern(after, 0);
    EXPECT_EQ(carriedOver(notes, pattern(), after), notes);
    EXPECT_EQ(carriedOver(notes, after, pattern()), notes);
}

TEST(NotesThrough, OfEqualBlocksTheRightOnesAreGone)
{
    Model model;
    model.runs = {wide(1024, 6), wide(1024, 6), wide(2048, 1)};
    const std::vector<Note> notes{ffnNote(0), ffnNote(6), ffnNote(12)};
    const std::vector<int> first{0};
    const std::vector<int> second{1};

    const std::vector<Note> left = notesWithoutRuns(notes, model, first);
    EXPECT_EQ(blocksOf(left), (Blocks{0, 6}));
    EXPECT_EQ(left.front().text, notes[1].text);
    EXPECT_EQ(notesWithoutRuns(notes, model, second).front(), notes[0]);
}

TEST(NotesThrough, RunsOfAPatternAreGoneInAllRepeats)
{
    std::vector<Note> notes{ffnNote(0), ffnNote(1), ffnNote(6), ffnNote(7)};
    notes.push_back({{NotePart::head}, "head"});
    const std::vector<int> runs{1};
    EXPECT_EQ(blocksOf(notesWithoutRuns(notes, pattern(), runs)), (Blocks{0, 3, -1}));
}

} // namespace
} // namespace flopsmith
