// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/patterned.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QTest>
#include <QWheelEvent>

namespace flopsmith::ui {
namespace {

using flopsmith::test::patterned;
using flopsmith::test::unpatterned;

// Rows: embedding, plain, A, B (of the pattern), A, final norm, head.
class PatternViewTest : public testing::Test
{
protected:
    PatternViewTest()
    {
        view.resize(600, 1000);
        view.show();
        QTest::qWait(0);
    }

    const PatternGeometry& pattern() { return view.geometryOfStack().patterns.at(0); }

    QPoint badge() { return view.mapFromScene(pattern().badge.center()); }

    void turnWheel(int delta, Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
    {
        const QPointF at(badge());
        QWheelEvent wheel(at,
                          view.viewport()->mapToGlobal(at),
                          QPoint(),
                          QPoint(0, delta),
                          Qt::NoButton,
                          modifiers,
                          Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(view.viewport(), &wheel);
        view.refresh();
    }

    int times() { return document.model().patterns.at(0).times; }
    PatternActions& actions() { return view.actionsOfStack().patterns(); }

    Document document{Scenario{.model = patterned(), .workload = {}}};
    StackView view{document};
};

TEST_F(PatternViewTest, FramesItsRowsAndNoOthers)
{
    const StackGeometry& geometry = view.geometryOfStack();
    ASSERT_EQ(geometry.patterns.size(), 1U);
    ASSERT_EQ(geometry.rows.size(), 7U);
    for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
        const QRectF frame = geometry.rows[row].frame;
        EXPECT_EQ(pattern().frame.contains(frame), row == 2 || row == 3) << row;
        EXPECT_EQ(pattern().frame.intersects(frame), row == 2 || row == 3) << row;
        EXPECT_FALSE(pattern().badge.intersects(frame)) << row;
    }
    EXPECT_TRUE(pattern().frame.contains(pattern().badge));
    EXPECT_FALSE(pattern().title.intersects(pattern().badge));
    EXPECT_LT(pattern().frame.bottom(), geometry.rows[4].frame.top());
}

TEST_F(PatternViewTest, CtrlAndTheWheelChangeHowOftenItComes)
{
    turnWheel(120);
    EXPECT_EQ(times(), 4);
    turnWheel(60);
    EXPECT_EQ(times(), 4);
    turnWheel(60);
    EXPECT_EQ(times(), 5);
    turnWheel(-1200);
    EXPECT_EQ(times(), 1);
    turnWheel(120, Qt::NoModifier);
    EXPECT_EQ(times(), 1);
    EXPECT_EQ(document.undoStack().count(), 3);
    while (document.undoStack().canUndo()) {
        document.undoStack().undo();
    }
    EXPECT_EQ(document.model(), patterned());
}

TEST_F(PatternViewTest, AClickOnItsHeadSelectsThePeriod)
{
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, badge());

    EXPECT_EQ(document.selection(), Selection::ofRuns({1, 2}, 1));
}

TEST_F(PatternViewTest, KeysOfTheCanvasChangeTheNumber)
{
    document.select(Selection::ofRun(2));
    actions().more().trigger();
    EXPECT_EQ(times(), 4);
    actions().fewer().trigger();
    EXPECT_EQ(document.model(), patterned());

    document.select(Selection::ofRun(0)); // in no pattern: its own repeat
    actions().fewer().trigger();
    EXPECT_EQ(document.model().runs.front().repeat, 1);
    EXPECT_FALSE(actions().fewer().isEnabled());
    EXPECT_EQ(times(), 3);
}

TEST_F(PatternViewTest, GroupingAndUngroupingAreOneStepEach)
{
    document.select(Selection::ofRun(1));
    EXPECT_FALSE(actions().group().isEnabled());
    actions().ungroup().trigger();
    view.refresh();
    EXPECT_EQ(document.model(), unpatterned(patterned()));
    EXPECT_EQ(view.picture().rows.size(), 11U);

    document.select(Selection::ofRuns({1, 2, 3, 4, 5, 6}, 1));
    actions().group().trigger();
    EXPECT_EQ(document.model(), patterned());
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(PatternViewTest, ArrowKeysStepOverWhatIsNotShown)
{
    document.select(Selection::ofRun(2));
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(document.selection(), Selection::ofRun(7));
    QTest::keyClick(&view, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(document.selection(), Selection::ofRuns({2, 7}, 7));
}

TEST_F(PatternViewTest, SaysWhatAnEditChanges)
{
    document.select(Selection::ofRun(2));
    EXPECT_TRUE(view.accessibleDescription().contains(
        QStringLiteral("pattern \u00D7 3 \u203A Blocks 4 \u2013 5: 6 blocks change")));
}

} // namespace
} // namespace flopsmith::ui
