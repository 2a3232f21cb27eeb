// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/mislead/mislead_figure.h"

#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

constexpr QRectF kPaper(0.0, 0.0, 420.0, 300.0);

MisleadTable tableOf(std::string_view preset)
{
    const FigureRequest request = requestOf(ChartId::mislead, preset);
    return misleadTable(measuredParts(request.scenario), request.times, request.machine);
}

TEST(MisleadFigure, BarsAreAsLongAsTheSharesOnOneScale)
{
    for (const auto* preset : {"gpt2", "gpt2-half-swapped", "t5-small"}) {
        const MisleadTable table = tableOf(preset);
        const MisleadLayout layout = misleadLayout(table, kPaper, {});
        ASSERT_FALSE(layout.rows.empty());
        double unit = 0.0;
        for (const MisleadLayout::Row& row : layout.rows) {
            const PartShare& part = table.rows[row.row].part;
            if (part.timeShare == table.longest || part.flopShare == table.longest) {
                unit = std::max(row.time.width(), row.flops.width()) / table.longest;
            }
        }
        ASSERT_GT(unit, 0.0) << "the longest bar is shown, as it differs most or nearly";
        for (const MisleadLayout::Row& row : layout.rows) {
            const PartShare& part = table.rows[row.row].part;
            EXPECT_NEAR(row.time.width(), std::max(2.0, unit * part.timeShare), 1e-6);
            EXPECT_NEAR(row.flops.width(), std::max(2.0, unit * part.flopShare), 1e-6);
        }
    }
}

TEST(MisleadFigure, WhatIsLeftOutStandsBelowTheHeadline)
{
    MisleadTable table = tableOf("gpt2-half-swapped");
    table.leftOut = "failed: Dense \xC3\x97"
                    "6: There is no kernel for Dense yet: it is counted, but cannot be run";
    for (const QSizeF size : {QSizeF(240, 200), QSizeF(900, 600)}) {
        const MisleadLayout layout = misleadLayout(table, QRectF(QPointF(), size), {});
        ASSERT_FALSE(layout.leftOut.empty());
        double before = layout.headline.bottom();
        for (const PlacedLine& line : layout.leftOut) {
            EXPECT_GE(line.rect.top(), before);
            before = line.rect.bottom();
        }
        EXPECT_GE(layout.rows.front().rect.top(), before);
    }
    EXPECT_TRUE(MisleadFigure(table).summary().contains(toQt(table.leftOut)));
}

TEST(MisleadFigure, NothingOverlapsAtAnySize)
{
    const MisleadTable table = tableOf("gpt2-half-swapped");
    for (const QSizeF size : {QSizeF(240, 200), QSizeF(420, 300), QSizeF(900, 600)}) {
        const MisleadLayout layout = misleadLayout(table, QRectF(QPointF(), size), {});
        double before = layout.headline.bottom();
        for (const MisleadLayout::Row& row : layout.rows) {
            EXPECT_GE(row.rect.top(), before);
            before = row.rect.bottom();
            EXPECT_FALSE(row.label.intersects(row.time));
            EXPECT_FALSE(row.time.intersects(row.flops));
            EXPECT_FALSE(row.time.intersects(row.shares)) << size.width();
            EXPECT_FALSE(row.flops.intersects(row.difference)) << size.width();
            EXPECT_FALSE(row.reason.intersects(row.time));
        }
        EXPECT_TRUE(layout.key.isEmpty() || layout.key.top() >= before);
        EXPECT_LE(before, std::max(size.height(), layout.rows.front().rect.bottom()));
        EXPECT_EQ(layout.rows.size() + layout.hidden, table.rows.size());
    }
}

TEST(MisleadFigure, SharesOfFlopsAreOutlinesAndSharesOfTimeAreFilled)
{
    const auto figure = figureOf(requestOf(ChartId::mislead));
    const auto& table = dynamic_cast<const MisleadFigure&>(*figure).content();
    const MisleadLayout layout = misleadLayout(table, kPaper, {});
    const Drawing drawing = figure->drawing(kPaper, {});
    for (const MisleadLayout::Row& row : layout.rows) {
        int fills = 0;
        int outlines = 0;
        for (const Shape& shape : drawing.shapes) {
            const QPointF centre = shape.path.boundingRect().center();
            const bool filled = shape.brush.style() != Qt::NoBrush;
            fills += QLineF(centre, row.time.center()).length() < 0.1 && filled ? 1 : 0;
            outlines += QLineF(centre, row.flops.center()).length() < 0.1 && !filled ? 1 : 0;
        }
        EXPECT_EQ(fills, 1);
        EXPECT_EQ(outlines, 1);
    }
}

TEST(MisleadFigure, EveryShownRowSaysWhy)
{
    const auto figure = figureOf(requestOf(ChartId::mislead));
    const auto& table = dynamic_cast<const MisleadFigure&>(*figure).content();
    const std::vector<Hotspot> hotspots = figure->hotspots(kPaper, {});

    ASSERT_FALSE(hotspots.empty());
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_TRUE(hotspots[i].accessibleText().contains(toQt(table.rows[i].reasonText)));
        EXPECT_TRUE(hotspots[i].accessibleText().contains(toQt(table.rows[i].timeText)));
    }
    EXPECT_EQ(figure->table().rows.size(), table.rows.size());
}

TEST(MisleadFigure, WithoutAMachineThereIsASentence)
{
    FigureRequest request = requestOf(ChartId::mislead);
    request.machine.reset();

    EXPECT_TRUE(figureOf(request)->emptyText().contains(QLatin1String("peaks of this device")));
}

} // namespace
} // namespace flopsmith::ui
