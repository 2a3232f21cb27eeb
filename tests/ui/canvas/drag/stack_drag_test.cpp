// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"

#include "core/base/random.h"
#include "core/ffn/gated.h"
#include "core/ffn/spectral.h"
#include "core/model/presets.h"
#include "ui/canvas/drag/landing_rows.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace flopsmith::ui {
namespace {

// Dense, ultra-efficient, gated, dense: 4, 6, 1 and 1 blocks, of which no neighbours are equal.
Scenario draggedRuns()
{
    Scenario scenario{.model = *presetNamed("gpt2-half-swapped")};
    setRepeat(scenario, 0, 4);
    appendBlock(scenario, GatedFfn{});
    appendBlock(scenario, DenseFfn{});
    return scenario;
}

// A document with its canvas, on which one drags with the mouse or by keys.
struct Dragged
{
    explicit Dragged(const Scenario& scenario)
        : document(scenario)
        , view(document)
    {
        view.resize(600, 1400); // all rows
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view)); // without it, nothing has the focus
    }

    StackDrag& drag() { return view.drag(); }
    int layers() const { return document.model().layers(); }

    QPoint inRow(std::size_t row)
    {
        return view.mapFromScene(view.geometryOfStack().rows.at(row).frame.center());
    }

    QPoint atGap(int gap)
    {
        const auto rows = landingRows(view.stackLayout(), document.model());
        return view.mapFromScene(QPointF(200.0, landingLine(rows, gap, true)));
    }

    void send(QEvent::Type type, const QPoint& place, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* ground = view.viewport();
        const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        const auto buttons = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(
            type, QPointF(place), ground->mapToGlobal(QPointF(place)), button, buttons, modifiers);
        QApplication::sendEvent(ground, &event);
    }

    void press(const QPoint& place, Qt::KeyboardModifiers modifiers = {})
    {
        send(QEvent::MouseButtonPress, place, modifiers);
    }
    void move(const QPoint& place, Qt::KeyboardModifiers modifiers = {})
    {
        send(QEvent::MouseMove, place, modifiers);
    }
    void release(const QPoint& place, Qt::KeyboardModifiers modifiers = {})
    {
        send(QEvent::MouseButtonRelease, place, modifiers);
    }

    void byMouse(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {})
    {
        press(from);
        move(from + QPoint(0, 2 * QApplication::startDragDistance()), modifiers);
        move(to, modifiers);
        release(to, modifiers);
    }

    void pickUp() { view.actionsOfStack().pickUp().trigger(); }
    void key(Qt::Key pressed, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&view, pressed, modifiers);
    }

    // As the palette's button does it: over the place, then the button is let go.
    bool dropEntry(const PaletteEntry& entry,
                   const QPoint& place,
                   Qt::KeyboardModifiers over,
                   Qt::KeyboardModifiers atDrop)
    {
        view.refresh();
        view.drops().hover(entry, place, over);
        return view.drops().take(entry, place, atDrop);
    }

    bool dropEntry(const PaletteEntry& entry,
                   const QPoint& place,
                   Qt::KeyboardModifiers modifiers = {})
    {
        return dropEntry(entry, place, modifiers, modifiers);
    }

    // Moves the gap by single blocks; false if no key leads there.
    bool stepTo(int gap)
    {
        const Qt::Key way = gap < drag().move()->gap ? Qt::Key_Up : Qt::Key_Down;
        for (int before = -1; drag().move()->gap != gap && drag().move()->gap != before;) {
            before = drag().move()->gap;
            key(way, Qt::ShiftModifier);
        }
        return drag().move()->gap == gap;
    }

    Document document;
    StackView view;
};

class StackDragTest : public testing::Test
{
protected:
    void expectUnchanged()
    {
        EXPECT_FALSE(each.drag().isActive());
        EXPECT_EQ(each.document.scenario(), draggedRuns());
        EXPECT_EQ(each.document.undoStack().count(), 0);
    }

    const BlockRun& run(std::size_t index) { return each.document.model().runs.at(index); }

    Dragged each{draggedRuns()};
};

TEST(StackDragRandom, MouseAndKeysGiveTheSameDocument)
{
    Random random(11);
    int drops = 0;
    const std::vector<Qt::KeyboardModifiers> kinds{
        Qt::NoModifier, Qt::AltModifier, Qt::ShiftModifier, Qt::AltModifier | Qt::ShiftModifier};
    for (int round = 0; round < 40; ++round) {
        Dragged mouse{draggedRuns()};
        Dragged keys{draggedRuns()};
        const std::vector<int> runs = random.distinct(static_cast<int>(random.integer(1, 4)), 4);
        const auto current =
            static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(runs.size()) - 1));
        const auto gap = static_cast<int>(random.integer(0, mouse.layers()));
        const Qt::KeyboardModifiers kind = kinds.at(static_cast<std::size_t>(random.integer(0, 3)));
        const Selection selection = Selection::ofRuns(runs, runs[current]);
        mouse.document.select(selection);
        keys.document.select(selection);

        keys.pickUp();
        if (!keys.stepTo(gap)) {
            continue; // the blocks are there already
        }
        keys.key(Qt::Key_Return, kind);
        keys.key(Qt::Key_Escape); // if it was refused
        mouse.byMouse(
            mouse.inRow(static_cast<std::size_t>(runs[current]) + 1), mouse.atGap(gap), kind);

        EXPECT_EQ(mouse.document.scenario(), keys.document.scenario()) << round;
        EXPECT_EQ(mouse.document.undoStack().count(), keys.document.undoStack().count()) << round;
        EXPECT_LE(mouse.document.undoStack().count(), 1);
        drops += mouse.document.undoStack().count();
    }
    EXPECT_GT(drops, 10);
}

TEST_F(StackDragTest, EscLeavesNoTraceAtAnyPointOfADrag)
{
    Random random(12);
    const std::vector<Qt::KeyboardModifiers> kinds{
        Qt::NoModifier, Qt::AltModifier, Qt::ShiftModifier, Qt::ControlModifier};
    for (int round = 0; round < 30; ++round) {
        const QPoint from = each.inRow(static_cast<std::size_t>(random.integer(1, 4)));
        each.press(from);
        each.move(from + QPoint(0, 2 * QApplication::startDragDistance()));
        ASSERT_TRUE(each.drag().isActive());
        QPoint place = from;
        for (auto moves = random.integer(0, 4); moves > 0; --moves) {
            place = QPoint(static_cast<int>(random.integer(-50, 650)),
                           static_cast<int>(random.integer(-50, 1450)));
            each.move(place, kinds.at(static_cast<std::size_t>(random.integer(0, 3))));
        }
        each.key(Qt::Key_Escape);
        expectUnchanged();
        each.release(place);
        expectUnchanged();
    }
}

TEST_F(StackDragTest, EscLeavesNoTraceAtAnyPointOfAGestureByKeys)
{
    Random random(13);
    const std::vector<Qt::Key> keys{
        Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End, Qt::Key_Alt, Qt::Key_Delete};
    each.document.select(Selection::ofRuns({0, 2}, 2));
    const Selection before = each.document.selection();
    for (int round = 0; round < 30; ++round) {
        each.pickUp();
        ASSERT_TRUE(each.drag().isByKeys());
        for (auto presses = random.integer(0, 8); presses > 0; --presses) {
            const auto which = static_cast<std::size_t>(random.integer(0, 5));
            each.key(keys.at(which),
                     random.integer(0, 1) == 0 ? Qt::NoModifier : Qt::ShiftModifier);
        }
        each.key(Qt::Key_Escape);
        expectUnchanged();
        EXPECT_EQ(each.document.selection(), before);
    }
}

TEST_F(StackDragTest, OutsideNothingIsDropped)
{
    const QSignalSpy hints(&each.view, &StackView::dragHintChanged);
    each.press(each.inRow(1));
    each.move(each.inRow(2));
    each.move(QPoint(-30, 500));
    EXPECT_TRUE(hints.back().front().toString().contains(QStringLiteral("Outside")));
    each.release(QPoint(-30, 500));

    expectUnchanged();
}

TEST_F(StackDragTest, ADropInTheMiddleOfARunSplitsItAndSaysBefore)
{
    const QSignalSpy hints(&each.view, &StackView::dragHintChanged);
    each.press(each.inRow(3));
    each.move(each.atGap(6));
    EXPECT_TRUE(hints.back().front().toString().startsWith(
        QStringLiteral("Move 1 block between block 6 and 7")))
        << qPrintable(hints.back().front().toString());
    each.release(each.atGap(6));

    ASSERT_EQ(each.document.model().runs.size(), 5U);
    EXPECT_EQ(run(1).repeat, 2);
    EXPECT_TRUE(holds_alternative<GatedFfn>(run(2).block.ffn));
    EXPECT_EQ(run(3).repeat, 4);
    EXPECT_EQ(each.document.selection(), Selection::ofRun(2));
    EXPECT_EQ(each.document.undoStack().count(), 1);
    EXPECT_TRUE(hints.back().front().toString().isEmpty());
}

TEST_F(StackDragTest, SeveralSelectedRunsAreDraggedTogether)
{
    each.document.select(Selection::ofRuns({1, 3}, 3));
    each.byMouse(each.inRow(2), each.atGap(0));

    EXPECT_EQ(each.document.selection().runs(), (std::vector<int>{0, 1}));
    EXPECT_EQ(run(0), draggedRuns().model.runs.at(1));
    EXPECT_EQ(run(1), draggedRuns().model.runs.at(3));
    EXPECT_EQ(each.document.undoStack().count(), 1);
}

TEST_F(StackDragTest, CtrlCopiesTheFfnByMouseAndByKeys)
{
    Dragged keys{draggedRuns()};
    keys.document.select(Selection::ofRun(2));
    keys.pickUp();
    keys.key(Qt::Key_Up); // past the run above
    keys.key(Qt::Key_Return, Qt::ControlModifier);

    each.press(each.inRow(3), Qt::ControlModifier);
    each.move(each.inRow(1), Qt::ControlModifier);
    each.move(each.inRow(2), Qt::ControlModifier);
    each.release(each.inRow(2), Qt::ControlModifier);

    EXPECT_EQ(run(1).block.ffn, run(2).block.ffn);
    EXPECT_EQ(run(1).repeat, 6);
    EXPECT_EQ(each.document.undoStack().count(), 1);
    EXPECT_EQ(each.document.scenario(), keys.document.scenario());
}

TEST_F(StackDragTest, ModifiersMayChangeWhileDragging)
{
    each.press(each.inRow(1));
    each.move(each.atGap(10));
    EXPECT_EQ(each.drag().move()->kind, MoveKind::move);
    QKeyEvent down(QEvent::KeyPress, Qt::Key_Alt, Qt::NoModifier);
    QApplication::sendEvent(&each.view, &down);
    EXPECT_EQ(each.drag().move()->kind, MoveKind::duplicate);
    QKeyEvent up(QEvent::KeyRelease, Qt::Key_Alt, Qt::AltModifier);
    QApplication::sendEvent(&each.view, &up);
    EXPECT_EQ(each.drag().move()->kind, MoveKind::move);
    each.key(Qt::Key_Escape);

    expectUnchanged();
}

TEST_F(StackDragTest, WhatADropWouldDoIsAnnounced)
{
    const QSignalSpy hints(&each.view, &StackView::dragHintChanged);
    const auto* overlay = each.view.findChild<QWidget*>(QStringLiteral("stack.drag"));
    ASSERT_NE(overlay, nullptr);
    EXPECT_FALSE(overlay->isVisible());
    each.document.select(Selection::ofRun(0));
    each.pickUp();
    EXPECT_TRUE(overlay->isVisible());
    for (int step = 0; step < 8; ++step) {
        each.key(Qt::Key_Down, Qt::ShiftModifier);
        EXPECT_EQ(overlay->accessibleName(), hints.back().front().toString());
    }
    EXPECT_GE(hints.count(), 8);
    each.key(Qt::Key_Escape);
    EXPECT_FALSE(overlay->isVisible());
}

TEST_F(StackDragTest, ARefusedPlaceKeepsTheBlocksPickedUp)
{
    each.document.select(Selection::ofRun(0));
    each.pickUp();
    each.key(Qt::Key_Return);
    EXPECT_TRUE(each.drag().isActive()); // they are here already

    each.key(Qt::Key_End);
    each.key(Qt::Key_Return);
    EXPECT_FALSE(each.drag().isActive());
    EXPECT_EQ(run(3), draggedRuns().model.runs.at(0));
}

TEST_F(StackDragTest, AnotherChangeOfTheDocumentEndsTheGesture)
{
    each.document.select(Selection::ofRun(0));
    each.pickUp();
    renameModel(each.document, QStringLiteral("other"));

    EXPECT_FALSE(each.drag().isActive());
}

TEST_F(StackDragTest, NothingIsPickedUpWhereThereAreNoBlocks)
{
    each.press(each.inRow(0));
    each.move(each.inRow(2));
    expectUnchanged();
    EXPECT_FALSE(each.view.actionsOfStack().pickUp().isEnabled()); // the embedding is selected
}

QImage shownRow(StackView& view, std::size_t row)
{
    const QRectF frame = view.geometryOfStack().rows.at(row).frame;
    return view.viewport()->grab(view.mapFromScene(frame).boundingRect()).toImage();
}

TEST_F(StackDragTest, RowsThatCannotTakeAnEntryAreFaint)
{
    const QImage embedding = shownRow(each.view, 0);
    const QImage blocks = shownRow(each.view, 1);

    each.view.drops().hover(*paletteEntry(QStringLiteral("ffn/gated")), each.inRow(2), {});
    EXPECT_NE(shownRow(each.view, 0), embedding);
    EXPECT_EQ(shownRow(each.view, 1), blocks);

    each.view.drops().leave();
    EXPECT_EQ(shownRow(each.view, 0), embedding);
}

TEST_F(StackDragTest, AnEntryIsInsertedBetweenAnyTwoBlocks)
{
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/spectral"));
    const Scenario start = draggedRuns();
    for (int gap = 0; gap <= start.model.layers(); ++gap) {
        EXPECT_TRUE(each.dropEntry(entry, each.atGap(gap), Qt::AltModifier));

        const Model& model = each.document.model();
        EXPECT_EQ(each.document.undoStack().index(), 1);
        EXPECT_EQ(model.layers(), start.model.layers() + 1);
        const int inserted = each.document.selection().run;
        EXPECT_EQ(model.firstBlock(inserted), gap);
        EXPECT_EQ(run(static_cast<std::size_t>(inserted)).repeat, 1);
        EXPECT_TRUE(
            holds_alternative<SpectralFfn>(run(static_cast<std::size_t>(inserted)).block.ffn));

        each.document.undoStack().undo();
        each.view.refresh();
        EXPECT_EQ(each.document.scenario(), start);
    }
}

// The rows begin at gaps 0, 4, 10, 11 and end at 12.
TEST_F(StackDragTest, BetweenTwoRowsAnEntryIsInsertedWithoutAKey)
{
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/spectral"));
    for (const int gap : {0, 4, 10, 11, 12}) {
        for (const int off : {-3, 0, 3}) {
            const QPoint place = each.atGap(gap) + QPoint(0, off);
            const QSignalSpy hints(&each.view, &StackView::dragHintChanged);
            each.view.clearFocus();

            EXPECT_TRUE(each.dropEntry(entry, place)) << gap << " " << off;

            const Model& model = each.document.model();
            EXPECT_EQ(model.layers(), draggedRuns().model.layers() + 1) << gap << " " << off;
            EXPECT_EQ(model.firstBlock(each.document.selection().run), gap);
            EXPECT_TRUE(hints.front().front().toString().startsWith(QStringLiteral("Insert")));
            EXPECT_TRUE(each.view.hasFocus()) << "keys go on with what was dropped";
            each.document.undoStack().undo();
            each.view.refresh();
        }
    }
}

TEST_F(StackDragTest, OntoARowAnEntryReplaces)
{
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/spectral"));
    const int row = each.view.rowAt(each.inRow(1));
    each.view.clearFocus();

    EXPECT_TRUE(each.dropEntry(entry, each.inRow(static_cast<std::size_t>(row))));

    EXPECT_EQ(each.document.model().layers(), draggedRuns().model.layers());
    EXPECT_TRUE(holds_alternative<SpectralFfn>(run(0).block.ffn));
    EXPECT_TRUE(each.view.hasFocus());
}

TEST_F(StackDragTest, AltThatIsLetGoJustBeforeTheButtonStillInserts)
{
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/spectral"));

    EXPECT_TRUE(each.dropEntry(entry, each.atGap(6), Qt::AltModifier, Qt::NoModifier));

    EXPECT_EQ(each.document.model().layers(), draggedRuns().model.layers() + 1);
}

TEST_F(StackDragTest, WithAltAnEntrySaysBetweenWhichBlocks)
{
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/spectral"));
    const QSignalSpy hints(&each.view, &StackView::dragHintChanged);
    const QImage before = shownRow(each.view, 3);

    EXPECT_TRUE(each.view.drops().hover(entry, each.atGap(6), Qt::AltModifier));
    EXPECT_EQ(hints.back().front().toString(),
              QStringLiteral("Insert a block with %1 between block 6 and 7").arg(entry.title));

    each.view.drops().leave();
    EXPECT_EQ(shownRow(each.view, 3), before);
    expectUnchanged();
}

TEST_F(StackDragTest, AnEqualBlockMakesTheRunLonger)
{
    each.view.drops().insertAt(*paletteEntry(QStringLiteral("ffn/dense")), 2);

    EXPECT_EQ(each.document.model().runs.size(), 4U);
    EXPECT_EQ(run(0).repeat, 5);
}

TEST_F(StackDragTest, EveryPixelOfTheStackIsAPlaceOrHasAReason)
{
    each.drag().grab(each.inRow(2), {});
    for (int y = 0; y < each.view.viewport()->height(); ++y) {
        each.drag().follow(QPoint(200, y), {});
        const BlockMove move = *each.drag().move();
        EXPECT_GE(move.gap, 0);
        EXPECT_LE(move.gap, each.layers());
        const QString why = whyNotMoved(each.document.scenario(), move);
        EXPECT_EQ(why.isEmpty(), move.gap < 4 || move.gap > 10) << y;
    }
    each.drag().cancel();
    expectUnchanged();
}

} // namespace
} // namespace flopsmith::ui
