// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_layout.h"

#include "core/model/presets.h"
#include "tests/support/patterned.h"
#include "ui/canvas/paint/stack_painter.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

StackLayout layoutOf(const Model& model)
{
    const Scenario scenario{.model = model, .workload = {}};
    StackLayout layout{stackPicture(scenario, costTree(scenario), LensId::exact), {}};
    layout.geometry =
        stackGeometry(layout.picture, QSizeF(560.0, 600.0), QFont(), chipFont(QFont()));
    return layout;
}

// Embedding, two runs of blocks, norm and head.
StackLayout twoRuns()
{
    return layoutOf(*presetNamed("gpt2-half-swapped"));
}

TEST(StackLayout, RowsAndRunsLeadToEachOther)
{
    const StackLayout layout = twoRuns();

    ASSERT_EQ(layout.rowCount(), 5);
    EXPECT_EQ(layout.runOf(0), -1);
    EXPECT_EQ(layout.runOf(2), 1);
    EXPECT_EQ(layout.runOf(5), -1);
    EXPECT_EQ(layout.rowOf(1), 2);
    EXPECT_EQ(layout.rowOf(2), -1);
    EXPECT_EQ(layout.partOf(2, PartRole::ffn), 1);
    EXPECT_EQ(layout.partOf(2, PartRole::cross), -1);
    for (int row = 0; row < layout.rowCount(); ++row) {
        EXPECT_EQ(layout.currentRow(layout.selectionOf(row)), row);
    }
}

TEST(StackLayout, EachRowIsAtItsMiddleAndTheDropZoneIsLast)
{
    const StackLayout layout = twoRuns();

    for (int row = 0; row < layout.rowCount(); ++row) {
        const QRectF frame = layout.geometry.rows[static_cast<std::size_t>(row)].frame;
        EXPECT_EQ(layout.rowAt(frame.center()), row);
        EXPECT_TRUE(layout.placeOf(row).contains(frame));
    }
    EXPECT_EQ(layout.rowAt(layout.geometry.dropZone.center()), layout.rowCount());
    EXPECT_EQ(layout.rowAt(QPointF(-10.0, -10.0)), -1);
}

TEST(StackLayout, TheSelectionCoversItsRows)
{
    const StackLayout layout = twoRuns();
    const Selection both = Selection::ofRuns({0, 1}, 1);

    EXPECT_EQ(layout.currentRow(both), 2);
    EXPECT_EQ(layout.selectedRows(both), (std::vector<bool>{false, true, true, false, false}));
    EXPECT_EQ(layout.selectedRange(both).first, 1);
    EXPECT_EQ(layout.selectedRange(both).last, 2);
}

TEST(StackLayout, AnAreaMeetsTheRunsThatItTouches)
{
    const StackLayout layout = twoRuns();
    const QRectF second = layout.geometry.rows[2].frame;

    EXPECT_EQ(layout.runsIn(second), std::vector<int>{1});
    EXPECT_EQ(layout.runsIn(second.united(layout.geometry.rows[1].frame)),
              (std::vector<int>{0, 1}));
    EXPECT_TRUE(layout.runsIn(layout.geometry.rows[0].frame).empty());
}

TEST(StackLayout, APatternIsAtItsHeadAndHoldsTheRunsOfItsPeriod)
{
    const StackLayout layout = layoutOf(test::patterned());
    ASSERT_EQ(layout.geometry.patterns.size(), 1U);
    const PatternGeometry& pattern = layout.geometry.patterns[0];
    const StackPattern& shown = layout.picture.patterns[0];

    EXPECT_EQ(layout.patternAt(pattern.head.center()), 0);
    EXPECT_EQ(layout.patternAt(layout.geometry.rows[0].frame.center()), -1);
    EXPECT_EQ(layout.runsOfPattern(0).front(), layout.runOf(shown.firstRow));
    EXPECT_EQ(layout.runsOfPattern(0).back(), layout.runOf(shown.lastRow));
    EXPECT_EQ(layout.topOf(shown.firstRow), pattern.frame.top());
    EXPECT_EQ(layout.bottomOf(shown.lastRow), pattern.frame.bottom());
}

} // namespace
} // namespace flopsmith::ui
