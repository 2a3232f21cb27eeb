// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/io/journal/journal_file.h"
#include "core/io/project/project_file.h"
#include "core/note/notes_through.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/block_move.h"
#include "ui/document/designs.h"
#include "ui/document/document.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/note_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/document/journal/journaled_document.h"
#include "ui/document/pattern_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <random>

namespace flopsmith::ui {
namespace {

using test::parameter;

// Runs of 6 dense and 6 other blocks, with a note at the FFN of each and one at the embedding.
class NotesTest : public testing::Test
{
protected:
    NotesTest()
    {
        Project project{.scenario = test::halfSwapped()};
        project.notes = first;
        document.start(project);
    }

    void edit(const std::function<void(Scenario&)>& change)
    {
        document.apply(QStringLiteral("edit"),
                       [&](DocumentState& state) { change(state.scenario); });
    }

    int blockOf(std::size_t note) const { return document.notes().at(note).anchor.block; }

    const std::vector<Note> first{{{NotePart::ffn, 0}, "upper"},
                                  {{NotePart::ffn, 6}, "lower"},
                                  {{NotePart::embedding}, "words"}};
    Document document{test::halfSwapped()};
    QSignalSpy changed{&document, &Document::notesChanged};
};

TEST_F(NotesTest, AreThereWhenADesignOpens)
{
    EXPECT_EQ(document.notes(), first);
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(document.file().project().notes, first);
}

TEST_F(NotesTest, AddingChangingAndDeletingAreOneStepEach)
{
    ASSERT_TRUE(addNote(document, {NotePart::head}, QStringLiteral(" tied weights ")).ok());
    EXPECT_EQ(document.notes().back(), (Note{{NotePart::head}, "tied weights"}));
    EXPECT_EQ(document.undoStack().undoText(), QStringLiteral("Add note"));
    changeNote(document, 3, QStringLiteral("tied"));
    EXPECT_EQ(document.undoStack().undoText(), QStringLiteral("Change note"));
    deleteNote(document, 0);
    EXPECT_EQ(document.undoStack().undoText(), QStringLiteral("Delete note"));
    EXPECT_EQ(document.undoStack().count(), 3);
    EXPECT_EQ(document.notes().size(), 3U);
    EXPECT_EQ(changed.count(), 3 + 1); // the first one when the design was opened

    document.undoStack().setIndex(0);
    EXPECT_EQ(document.notes(), first);
    EXPECT_FALSE(document.isModified());
    document.undoStack().setIndex(3);
    EXPECT_EQ(document.notes().back().text, "tied");
}

TEST_F(NotesTest, TheSameTextIsNoStepAndAnEmptyOneDeletes)
{
    changeNote(document, 0, QStringLiteral("upper \n"));
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_TRUE(addNote(document, {NotePart::head}, QStringLiteral("  ")).ok());
    EXPECT_EQ(document.undoStack().count(), 0);

    changeNote(document, 0, QString());
    EXPECT_EQ(document.notes().front(), first[1]);
    EXPECT_EQ(document.undoStack().undoText(), QStringLiteral("Delete note"));
}

TEST_F(NotesTest, WhatCannotBeAddedIsSaidInASentence)
{
    const Status gone = addNote(document, {NotePart::ffn, 12}, QStringLiteral("x"));
    ASSERT_FALSE(gone.ok());
    EXPECT_EQ(gone.error().message, "block 12 is none of this model; its blocks are 0 to 11");
    while (document.notes().size() < kMaxNotes) {
        ASSERT_TRUE(addNote(document, {}, QStringLiteral("x")).ok());
    }
    const Status full = addNote(document, {}, QStringLiteral("x"));
    ASSERT_FALSE(full.ok());
    EXPECT_EQ(full.error().message, "A design has at most 200 notes; delete one to add another");
    EXPECT_EQ(document.notes().size(), kMaxNotes);
}

TEST_F(NotesTest, DeletedBlocksTakeThemAlongAndUndoBringsThemBack)
{
    document.apply(QStringLiteral("delete"),
                   [](DocumentState& state) { removeRuns(state.scenario, {0}); });
    ASSERT_EQ(document.notes().size(), 2U);
    EXPECT_EQ(document.notes().front().text, "lower");
    EXPECT_EQ(blockOf(0), 0);
    EXPECT_EQ(document.undoStack().count(), 1);

    document.undoStack().undo();
    EXPECT_EQ(document.notes(), first);
    EXPECT_FALSE(document.isModified());
}

TEST_F(NotesTest, FollowInsertedMovedAndCopiedBlocks)
{
    edit([](Scenario& scenario) { insertBlock(scenario, 0, GatedFfn{}); });
    EXPECT_EQ(blockOf(1), 7);
    document.undoStack().undo();

    edit([](Scenario& scenario) { duplicateRun(scenario, 0); });
    EXPECT_EQ(document.notes().size(), 3U);
    EXPECT_EQ(blockOf(1), 12);
    document.undoStack().undo();

    edit([](Scenario& scenario) { moveRuns(scenario, {0}, 1); });
    EXPECT_EQ(document.notes().front().text, "upper");
    EXPECT_EQ(blockOf(0), 6);
    EXPECT_EQ(blockOf(1), 0);
    document.undoStack().undo();

    ASSERT_TRUE(applyMove(document, {.picked = {.runs = {1}, .current = 1}, .gap = 0}));
    EXPECT_EQ(blockOf(0), 6);
    EXPECT_EQ(blockOf(1), 0);
}

TEST_F(NotesTest, StayAtGroupedAndReplacedBlocks)
{
    edit([](Scenario& scenario) { groupRuns(scenario, {0, 1}); });
    EXPECT_EQ(document.notes(), first);
    edit([](Scenario& scenario) { ungroupRuns(scenario, 0); });
    EXPECT_EQ(document.notes(), first);
    edit([](Scenario& scenario) { replaceFfn(scenario, 0, GatedFfn{}); });
    EXPECT_EQ(document.notes(), first);
    edit([](Scenario& scenario) { isolated(scenario, 1, Extent::firstBlock); });
    EXPECT_EQ(document.notes(), first);
}

TEST_F(NotesTest, AGestureThatComesBackKeepsThem)
{
    document.history().beginGesture();
    const int layers = document.model().layers();
    for (const int each : {8, 4, 2, 20, layers}) {
        setParameter(document, parameter(document, "layers"), std::int64_t{each});
        EXPECT_EQ(holdingNotes(document.notes(), document.model()), document.notes()) << each;
    }
    document.history().endGesture();
    EXPECT_EQ(document.notes(), first);
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(NotesTest, ATiedNumberOfLayersMovesThemToo)
{
    ASSERT_TRUE(
        tieParameter(document, parameter(document, "layers"), QStringLiteral("d_model/32")).ok());
    EXPECT_EQ(document.model().layers(), 24);
    EXPECT_EQ(blockOf(1), document.model().firstBlock(1));
    document.undoStack().undo();
    EXPECT_EQ(document.notes(), first);
}

TEST_F(NotesTest, AnotherModelHasNoneOfThem)
{
    replaceModel(document, *presetNamed("gpt2"));
    EXPECT_TRUE(document.notes().empty());
    document.undoStack().undo();
    EXPECT_EQ(document.notes(), first);
}

TEST_F(NotesTest, GoWithADesignThatIsSwapped)
{
    Designs designs(document);
    ASSERT_TRUE(designs.freezeLive());
    replaceModel(document, *presetNamed("t5-small"));
    ASSERT_TRUE(addNote(document, {NotePart::encoderNorm}, QStringLiteral("source")).ok());

    designs.swapWithLive('A');
    EXPECT_EQ(document.notes(), first);
    designs.swapWithLive('A');
    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes().front().text, "source");
}

TEST_F(NotesTest, AreSavedOpenedAndReloaded)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("noted.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    deleteNote(document, 0);

    Document other{Scenario{.model = *presetNamed("gpt2")}};
    ASSERT_TRUE(other.file().open(path).ok());
    EXPECT_EQ(other.notes(), first);

    ASSERT_TRUE(document.file().reload().ok());
    EXPECT_EQ(document.notes(), first);
    document.undoStack().undo();
    EXPECT_EQ(document.notes().size(), 2U);
}

TEST_F(NotesTest, ComeBackFromTheJournal)
{
    JournalHistory history{.entries = {journalEntry(document)}};
    ASSERT_TRUE(addNote(document, {NotePart::head}, QStringLiteral("tied")).ok());
    history.entries.push_back(journalEntry(document));

    Document restored{Scenario{.model = *presetNamed("gpt2")}};
    restoreFrom(history, restored);

    EXPECT_EQ(restored.notes(), document.notes());
    restored.undoStack().undo();
    EXPECT_EQ(restored.notes(), first);
}

// Whatever is done with the stack.
TEST_F(NotesTest, AlwaysStandAtSomethingAndUndoLeadsBackToTheFirstDocument)
{
    std::mt19937 random(11); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same edits each time
    const auto below = [&random](std::size_t end) { return static_cast<int>(random() % end); };
    const std::vector<FfnSpec> ffns = ffnPrototypes();
    const Project start = document.file().project();
    for (int step = 0; step < 300; ++step) {
        const int runs = static_cast<int>(document.model().runs.size());
        const int run = shownRun(document.model(), below(document.model().runs.size()));
        const bool isLong = document.model().layers() > 60;
        switch (isLong ? 3 * (1 + below(2)) : below(9)) {
        case 0: edit([&](Scenario& s) { insertBlock(s, run, ffns[step % ffns.size()]); }); break;
        case 1: edit([&](Scenario& s) { replaceFfn(s, run, ffns[step % ffns.size()]); }); break;
        case 2: edit([&](Scenario& s) { duplicateRun(s, run); }); break;
        case 3:
            document.apply(QStringLiteral("delete"), [run](DocumentState& state) {
                if (canRemoveRuns(state.scenario, {run})) {
                    state.notes =
                        notesWithoutRuns(state.notes, state.scenario.model, std::vector<int>{run});
                    removeRuns(state.scenario, {run});
                }
            });
            break;
        case 4: edit([&](Scenario& s) { joinEqualRuns(s, run); }); break;
        case 5:
            edit([&](Scenario& s) {
                if (run + 1 < runs && whyNotGrouped(s, {run, run + 1}).empty()) {
                    groupRuns(s, {run, run + 1});
                }
            });
            break;
        case 6: edit([&](Scenario& s) { setRepeat(s, run, 1 + step % 3); }); break;
        case 7:
            (void)addNote(document,
                          {NotePart::ffn, document.model().firstBlock(run)},
                          QStringLiteral("note"));
            break;
        default:
            edit([&](Scenario& s) {
                if (canMoveRuns(s, {run}, 1)) {
                    moveRuns(s, {run}, 1);
                }
            });
        }
        ASSERT_TRUE(checked(document.notes(), document.model()).ok()) << step;
    }

    document.undoStack().setIndex(0);
    EXPECT_EQ(document.file().project(), start);
}

} // namespace
} // namespace flopsmith::ui
