// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compare/compare_figure.h"

#include "tests/ui/charts/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using testing::HasSubstr;

const QRectF kComparePaper(0, 0, 720, 440);

ComparisonChart comparisonIn(const FigureRequest& request)
{
    return dynamic_cast<const CompareFigure&>(*figureOf(request)).content();
}

bool writes(const Drawing& drawing, const QString& text)
{
    return std::any_of(drawing.labels.begin(), drawing.labels.end(), [&text](const Label& label) {
        return label.text == text;
    });
}

TEST(CompareFigure, PiecesStandEndToEndOnOneScale)
{
    for (const LensId id : {LensId::exact, LensId::mac, LensId::kaplan}) {
        FigureRequest request = requestOf(ChartId::compare, "gpt2-xl");
        request.lens = id;
        const ComparisonChart chart = comparisonIn(request);

        const BarChartLayout layout = compareLayout(chart, kComparePaper, {});

        ASSERT_EQ(layout.rows.size(), chart.bars.size());
        for (std::size_t i = 0; i < layout.rows.size(); ++i) {
            const BarRow& row = layout.rows[i];
            ASSERT_EQ(row.pieces.size(), chart.bars[i].segments.size());
            double end = layout.plot.left();
            for (const BarPiece& piece : row.pieces) {
                EXPECT_NEAR(piece.rect.left(), end, 1e-6);
                end = piece.rect.right();
            }
            const double shown =
                std::max(layout.xOf(toDouble(chart.bars[i].count)), layout.plot.left() + kMinBar);
            EXPECT_NEAR(end, shown, 1e-6) << chart.bars[i].title;
        }
    }
}

TEST(CompareFigure, FewDesignsFillThePaperToo)
{
    FigureRequest request = requestOf(ChartId::compare, "gpt2");
    request.others.resize(1);

    const ComparisonChart chart = comparisonIn(request);
    const BarChartLayout layout = compareLayout(chart, kComparePaper, {});

    ASSERT_EQ(layout.rows.size(), 2U);
    ASSERT_FALSE(layout.below.notes.empty());
    EXPECT_NEAR(layout.below.notes.back().rect.bottom(), kComparePaper.bottom(), 2.0);
    EXPECT_GT(layout.rows.back().pieces.front().rect.height(), 60.0);
}

TEST(CompareFigure, WritesEveryDesignItsTotalAndItsRatio)
{
    const auto figure = figureOf(requestOf(ChartId::compare, "gpt2"));
    const ComparisonChart& chart = dynamic_cast<const CompareFigure&>(*figure).content();

    const Drawing drawing = figure->drawing(kComparePaper, {});

    for (const ComparisonBar& bar : chart.bars) {
        EXPECT_TRUE(writes(drawing, toQt(bar.title))) << bar.title;
        EXPECT_TRUE(writes(drawing, toQt(bar.text))) << bar.title;
        EXPECT_TRUE(bar.ratioText.empty() || writes(drawing, toQt(bar.ratioText))) << bar.title;
        EXPECT_THAT(figure->summary().toStdString(), HasSubstr(bar.title + " " + bar.text));
    }
    for (const ComparisonLegendEntry& entry : chart.legend) {
        EXPECT_TRUE(writes(drawing, toQt(entry.component->title))) << entry.component->title;
    }
}

TEST(CompareFigure, ItsTableHasEveryPieceWithAllDigits)
{
    const auto figure = figureOf(requestOf(ChartId::compare, "gpt2"));
    const ComparisonChart& chart = dynamic_cast<const CompareFigure&>(*figure).content();
    const std::vector<QStringList> rows = figure->table().rows;
    std::size_t row = 0;
    for (const ComparisonBar& bar : chart.bars) {
        for (const ComparisonSegment& segment : bar.segments) {
            ASSERT_LT(row, rows.size());
            EXPECT_EQ(rows[row],
                      (QStringList{toQt(bar.title),
                                   toQt(segment.component->id),
                                   toQt(segment.component->title),
                                   toQt(digits(segment.count))}));
            ++row;
        }
    }
    EXPECT_EQ(row, rows.size());
}

TEST(CompareFigure, ThePointerAndTheKeysFindEveryDesign)
{
    const auto figure = figureOf(requestOf(ChartId::compare, "gpt2"));
    const std::vector<Hotspot> hotspots = figure->hotspots(kComparePaper, {});

    ASSERT_EQ(hotspots.size(), 3U);
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_EQ(figure->hotspotAt(hotspots[i].anchor, kComparePaper, {}), static_cast<int>(i));
        EXPECT_FALSE(hotspots[i].lines.empty());
    }
}

TEST(CompareFigure, LatexStacksTheSameNumbers)
{
    const auto figure = figureOf(requestOf(ChartId::compare, "gpt2"));
    const ComparisonChart& chart = dynamic_cast<const CompareFigure&>(*figure).content();
    const PgfPlot plot = figure->plot();

    ASSERT_EQ(plot.y.names.size(), chart.bars.size());
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        double sum = 0.0;
        for (const PgfSeries& series : plot.series) {
            sum += series.points.at(i).x;
        }
        EXPECT_EQ(sum, toDouble(chart.bars[i].count)) << chart.bars[i].title;
    }
}

TEST(CompareFigure, OneOrFiveDesignsAreNoComparison)
{
    FigureRequest request = requestOf(ChartId::compare, "gpt2");
    request.others.clear();
    EXPECT_THAT(figureFor(request).error().message, HasSubstr("2 to 4 designs, not 1"));
    request.others.resize(4, otherDesigns().front());
    EXPECT_THAT(figureFor(request).error().message, HasSubstr("2 to 4 designs, not 5"));
}

} // namespace
} // namespace flopsmith::ui
