// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/menu_entries.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QMenu>
#include <QRubberBand>
#include <QTest>

namespace flopsmith::ui {
namespace {

using Runs = std::vector<int>;

// Four runs of 3, 3, 3 and 3 blocks, in rows 1 to 4.
Scenario fourRuns()
{
    Scenario scenario{.model = *presetNamed("gpt2-half-swapped")};
    splitRun(scenario, 1);
    splitRun(scenario, 0);
    return scenario;
}

class SeveralRunsTest : public testing::Test
{
protected:
    SeveralRunsTest()
    {
        view.resize(600, 1400); // all rows
        view.show();
        QTest::qWait(0);
    }

    void click(std::size_t row, Qt::KeyboardModifiers modifiers = {})
    {
        const QPointF middle = view.geometryOfStack().rows.at(row).frame.center();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers, view.mapFromScene(middle));
    }

    Runs selected() { return document.selection().runs(); }
    const Block& block(std::size_t run) { return document.model().runs.at(run).block; }
    StackActions& actions() { return view.actionsOfStack(); }

    Document document{fourRuns()};
    StackView view{document};
};

TEST_F(SeveralRunsTest, CtrlTogglesAndShiftExtends)
{
    click(1);
    click(3, Qt::ControlModifier);
    EXPECT_EQ(selected(), (Runs{0, 2}));
    EXPECT_EQ(document.selection().run, 2);

    click(4, Qt::ShiftModifier);
    EXPECT_EQ(selected(), (Runs{2, 3}));
    click(2, Qt::ShiftModifier);
    EXPECT_EQ(selected(), (Runs{1, 2}));
    click(2, Qt::ControlModifier);
    EXPECT_EQ(document.selection(), Selection::ofRun(2));

    click(0, Qt::ControlModifier); // the embedding is no run
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::embedding));
}

TEST_F(SeveralRunsTest, AClickSelectsOneAgain)
{
    click(1);
    click(3, Qt::ShiftModifier);
    click(2);

    EXPECT_EQ(document.selection(), Selection::ofRun(1));
}

TEST_F(SeveralRunsTest, KeysExtendSelectAllAndGoBackToOne)
{
    document.select(Selection::ofRun(1));
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier); // there is no further one
    EXPECT_EQ(selected(), (Runs{1, 2, 3}));
    QTest::keyClick(&view, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(selected(), (Runs{1, 2}));

    actions().selectAll().trigger();
    EXPECT_EQ(selected(), (Runs{0, 1, 2, 3}));
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(SeveralRunsTest, ARubberBandOnEmptyGroundSelectsWhatItTouches)
{
    QWidget* ground = view.viewport();
    const auto& rows = view.geometryOfStack().rows;
    const QPoint below = view.mapFromScene(view.geometryOfStack().dropZone.center());
    const QPoint inRowThree = view.mapFromScene(rows.at(3).frame.center());
    const auto* band = view.findChild<QRubberBand*>();

    QTest::mousePress(ground, Qt::LeftButton, {}, below);
    QMouseEvent move(QEvent::MouseMove,
                     QPointF(inRowThree),
                     ground->mapToGlobal(QPointF(inRowThree)),
                     Qt::NoButton,
                     Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(ground, &move);
    EXPECT_TRUE(band->isVisible());
    QTest::mouseRelease(ground, Qt::LeftButton, {}, inRowThree);

    EXPECT_EQ(selected(), (Runs{2, 3}));
    EXPECT_FALSE(band->isVisible());
}

TEST_F(SeveralRunsTest, AScreenReaderHearsHowManyBlocksAreSelected)
{
    document.select(Selection::ofRuns({0, 1, 3}, 1));

    EXPECT_TRUE(view.accessibleDescription().startsWith(
        QStringLiteral("9 blocks in 3 runs selected, the current one: ")))
        << qPrintable(view.accessibleDescription());
}

TEST_F(SeveralRunsTest, DeletingIsOneStep)
{
    document.select(Selection::ofRuns({0, 2}, 2));
    actions().remove().trigger();

    EXPECT_EQ(document.model().layers(), 6);
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), fourRuns());
    EXPECT_EQ(selected(), (Runs{0, 2}));

    actions().selectAll().trigger();
    EXPECT_FALSE(actions().remove().isEnabled()); // a stack needs a block
}

TEST_F(SeveralRunsTest, CopiesAreSelected)
{
    document.select(Selection::ofRuns({0, 1}, 1));
    actions().duplicate().trigger();

    EXPECT_EQ(selected(), (Runs{2, 3}));
    EXPECT_EQ(document.model().layers(), 18);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(SeveralRunsTest, OnlyNeighboursMoveAndTheOthersAreToldWhy)
{
    document.select(Selection::ofRuns({1, 2}, 2));
    actions().moveUp().trigger();
    EXPECT_EQ(selected(), (Runs{0, 1}));
    EXPECT_EQ(document.selection().run, 1);
    EXPECT_FALSE(actions().moveUp().isEnabled());
    actions().moveDown().trigger();
    EXPECT_EQ(document.scenario(), fourRuns());
    EXPECT_EQ(actions().moveUp().toolTip(), QStringLiteral("Move up"));

    document.select(Selection::ofRuns({0, 2}, 2));
    EXPECT_FALSE(actions().moveDown().isEnabled());
    EXPECT_TRUE(actions().moveDown().toolTip().contains(QStringLiteral("only neighbours")));
}

TEST_F(SeveralRunsTest, MutingTakesAllOfThemInOneStep)
{
    document.select(Selection::ofRuns({0, 2}, 2));
    actions().muteFfn().trigger();

    for (const std::size_t run : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(block(run).ffnMuted, run % 2 == 0) << run;
    }
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(document.notice().text.startsWith(QStringLiteral("FFN of 6 blocks muted")));

    document.select(Selection::ofRuns({0, 1}, 1));
    EXPECT_FALSE(actions().muteFfn().isChecked()); // not in all of them
    actions().muteFfn().trigger();
    EXPECT_TRUE(block(0).ffnMuted && block(1).ffnMuted);
    actions().muteFfn().trigger();
    EXPECT_FALSE(block(0).ffnMuted || block(1).ffnMuted);
}

TEST_F(SeveralRunsTest, AnEntryOfThePaletteReplacesAllInOneStep)
{
    Palette palette(document);
    document.select(Selection::ofRuns({0, 3}, 3));
    for (PaletteButton* button : palette.buttons()) {
        if (button->entry().key == QLatin1String("ffn/gated")) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }

    for (const std::size_t run : {0U, 3U}) {
        EXPECT_TRUE(holds_alternative<GatedFfn>(block(run).ffn));
    }
    EXPECT_TRUE(holds_alternative<DenseFfn>(block(1).ffn));
    EXPECT_EQ(selected(), (Runs{0, 3}));
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(SeveralRunsTest, TheMenuReplacesAllInOneStep)
{
    document.select(Selection::ofRuns({1, 2}, 2));
    QMenu menu;
    actions().fill(menu);
    for (QAction* action : test::entriesOf(menu)) {
        if (action->text() == paletteEntry(QStringLiteral("mixer/fourier"))->title) {
            action->trigger();
        }
    }

    EXPECT_TRUE(holds_alternative<FourierMixer>(block(1).mixer));
    EXPECT_TRUE(holds_alternative<FourierMixer>(block(2).mixer));
    EXPECT_FALSE(holds_alternative<FourierMixer>(block(0).mixer));
    EXPECT_EQ(document.undoStack().count(), 1);
}

} // namespace
} // namespace flopsmith::ui
