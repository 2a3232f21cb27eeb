// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "ui/canvas/notes/note_card_view.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/note_edit.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QScrollBar>
#include <QTest>
#include <QTextEdit>

namespace flopsmith::ui {
namespace {

class NotesViewTest : public testing::Test
{
protected:
    NotesViewTest()
    {
        view.resize(700, 420);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        view.refresh();
    }

    void settle()
    {
        view.refresh();
        QCoreApplication::processEvents();
    }

    QTextEdit* textOf(int card)
    {
        return view.findChild<QTextEdit*>(QStringLiteral("stack.note.%1.text").arg(card));
    }

    NoteCardView* cardOf(int card)
    {
        return view.findChild<NoteCardView*>(QStringLiteral("stack.note.%1").arg(card));
    }

    // Writes a note on what is selected, as somebody at the keyboard does.
    void write(const QString& text)
    {
        QTest::keyClick(&view, Qt::Key_N);
        settle();
        auto* box = qobject_cast<QTextEdit*>(QApplication::focusWidget());
        ASSERT_NE(box, nullptr);
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return, Qt::ControlModifier);
        settle();
    }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    StackView view{document};
};

TEST_F(NotesViewTest, NWritesANoteOnTheSelectedBlocks)
{
    const int width = view.viewport()->width();
    EXPECT_FALSE(view.notes().isVisible());

    write(QStringLiteral("why twelve?"));

    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes()[0], (Note{{NotePart::block, 0}, "why twelve?"}));
    EXPECT_TRUE(view.notes().isVisible());
    EXPECT_LT(view.viewport()->width(), width);
    EXPECT_TRUE(view.hasFocus());
    EXPECT_EQ(cardOf(0)->accessibleDescription(), QStringLiteral("why twelve?"));
    EXPECT_TRUE(cardOf(0)->accessibleName().contains(QStringLiteral("Blocks 1")));

    document.undoStack().undo();
    settle();
    EXPECT_TRUE(document.notes().empty());
    EXPECT_FALSE(view.notes().isVisible());
    EXPECT_EQ(view.viewport()->width(), width);
}

TEST_F(NotesViewTest, ASelectedPartIsWhatItIsAbout)
{
    document.selectOperation("blocks[0]/ffn");
    write(QStringLiteral("wide"));

    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes()[0].anchor, (NoteAnchor{NotePart::ffn, 0}));
}

TEST_F(NotesViewTest, ShiftNIsAboutTheWholeStack)
{
    QTest::keyClick(&view, Qt::Key_N, Qt::ShiftModifier);
    settle();
    auto* box = qobject_cast<QTextEdit*>(QApplication::focusWidget());
    ASSERT_NE(box, nullptr);
    QTest::keyClicks(box, QStringLiteral("all of it"));
    view.setFocus(); // leaving it takes it over
    settle();

    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes()[0], (Note{{}, "all of it"}));
}

TEST_F(NotesViewTest, EscKeepsWhatWasTyped)
{
    QTest::keyClick(&view, Qt::Key_N);
    settle();
    auto* box = qobject_cast<QTextEdit*>(QApplication::focusWidget());
    ASSERT_NE(box, nullptr);
    QTest::keyClicks(box, QStringLiteral("half a thought"));
    QTest::keyClick(box, Qt::Key_Escape);
    settle();

    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes()[0].text, "half a thought");
    EXPECT_TRUE(view.hasFocus());
    document.undoStack().undo();
    settle();
    EXPECT_TRUE(document.notes().empty()) << "as one step";
}

TEST_F(NotesViewTest, ACardSaysHowToEndWhileItIsEdited)
{
    write(QStringLiteral("one"));
    NoteCardView& card = *cardOf(0);
    const int height = card.height();
    const int textHeight = textOf(0)->height();

    card.edit();
    settle();

    EXPECT_GE(card.height(), height + card.fontMetrics().height());
    EXPECT_GE(textOf(0)->height(), textHeight) << "the line takes nothing from the text";
    QTest::keyClick(textOf(0), Qt::Key_Escape);
    settle();
    EXPECT_EQ(cardOf(0)->height(), height);
    EXPECT_EQ(document.undoStack().count(), 1) << "nothing was changed";
}

TEST_F(NotesViewTest, EscOfAnEmptyCardLeavesTheDocumentUnchanged)
{
    QTest::keyClick(&view, Qt::Key_N);
    settle();
    auto* box = qobject_cast<QTextEdit*>(QApplication::focusWidget());
    ASSERT_NE(box, nullptr);
    QTest::keyClick(box, Qt::Key_Escape);
    settle();

    EXPECT_TRUE(document.notes().empty());
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_FALSE(view.notes().isVisible());
    EXPECT_TRUE(view.hasFocus());
}

TEST_F(NotesViewTest, EnterEditsACardAndDeleteDeletesIt)
{
    write(QStringLiteral("one"));
    cardOf(0)->setFocus();
    QTest::keyClick(cardOf(0), Qt::Key_Return);
    ASSERT_TRUE(textOf(0)->hasFocus());
    QTest::keyClick(textOf(0), Qt::Key_Return); // a new line
    QTest::keyClicks(textOf(0), QStringLiteral("two"));
    QTest::keyClick(textOf(0), Qt::Key_Return, Qt::ControlModifier);
    settle();
    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_EQ(document.notes()[0].text, "one\ntwo");
    EXPECT_EQ(document.undoStack().count(), 2);

    cardOf(0)->setFocus();
    QTest::keyClick(cardOf(0), Qt::Key_Delete);
    settle();
    EXPECT_TRUE(document.notes().empty());
    EXPECT_EQ(document.undoStack().count(), 3);
    EXPECT_TRUE(view.hasFocus());
}

TEST_F(NotesViewTest, CardsNeverOverlapAndScrollWithTheStack)
{
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(addNote(document,
                            {NotePart::ffn, 0},
                            QStringLiteral("note %1: a sentence of some length").arg(i))
                        .ok());
    }
    settle();
    ASSERT_EQ(view.notes().count(), 8);
    for (int card = 1; card < 8; ++card) {
        EXPECT_GT(view.notes().placeOf(card).top(), view.notes().placeOf(card - 1).bottom());
    }
    ASSERT_GT(view.verticalScrollBar()->maximum(), 0) << "the last card can be reached";
    const int before = view.notes().placeOf(0).top();
    cardOf(7)->setFocus();
    settle();
    EXPECT_LE(view.notes().placeOf(7).bottom(), view.notes().height());
    EXPECT_EQ(view.notes().placeOf(0).top(), before - view.verticalScrollBar()->value());
}

TEST_F(NotesViewTest, AreHiddenWhenSwitchedOffOrWithoutRoom)
{
    write(QStringLiteral("here"));
    view.zoom().actions().notes().setChecked(false);
    EXPECT_FALSE(view.notes().isVisible());
    view.zoom().actions().notes().setChecked(true);
    EXPECT_TRUE(view.notes().isVisible());

    view.resize(320, 420);
    settle();
    EXPECT_FALSE(view.notes().isVisible());
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_N);
    settle();
    EXPECT_TRUE(view.hasFocus());
    EXPECT_TRUE(document.notice().text.contains(QStringLiteral("no room for notes")));
    EXPECT_EQ(document.notes().size(), 1U);
}

TEST_F(NotesViewTest, FollowAMovedBlock)
{
    replaceModel(document, *presetNamed("gpt2-half-swapped"));
    settle();
    document.select(Selection::ofRun(1));
    write(QStringLiteral("cheap"));
    const int before = view.notes().placeOf(0).top();

    view.actionsOfStack().moveUp().trigger();
    settle();

    ASSERT_EQ(document.notes().size(), 1U);
    EXPECT_LT(view.notes().placeOf(0).top(), before);
}

} // namespace
} // namespace flopsmith::ui
