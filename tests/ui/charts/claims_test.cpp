// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/claims_table.h"
#include "core/io/table/table_text.h"
#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/base/export.h"
#include "ui/charts/base/figure_view.h"
#include "ui/charts/claims/claims_figure.h"
#include "ui/charts/claims/claims_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTest>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

using testing::HasSubstr;

// The inside of an exported figure of 720 x 440, which is the smallest that shows all claims.
const QRectF kSmall(16, 45, 688, 356);

const std::vector<ClaimSizes> kSizes{{},
                                     {.dModel = 8, .dFf = 8, .tokens = 1},
                                     {.dModel = 769, .dFf = 3001, .tokens = 17},
                                     {.dModel = 65'536, .dFf = 1'048'576, .tokens = 4096}};

std::vector<ClaimsLayout::Row> rowsOf(const ClaimsLayout& layout)
{
    std::vector<ClaimsLayout::Row> rows;
    for (const ClaimsLayout::Group& group : layout.groups) {
        rows.insert(rows.end(), group.rows.begin(), group.rows.end());
    }
    return rows;
}

class ClaimsAt : public testing::TestWithParam<std::pair<int, int>>
{};

TEST_P(ClaimsAt, NothingLeavesThePaperAndNoTextLiesOverAnother)
{
    const QRectF area(0, 0, GetParam().first, GetParam().second);
    for (const ClaimSizes& sizes : kSizes) {
        for (const ClaimsChart& chart : {countedChart(sizes), measuredClaims(sizes)}) {
            const Drawing drawing = ClaimsFigure(chart).drawing(area, {});

            expectReadable(drawing, area, sizesText(sizes).toStdString());
            for (const Shape& shape : drawing.shapes) {
                const QRectF box = shape.path.boundingRect(); // a line has no area
                EXPECT_TRUE(area.adjusted(-1, -1, 1, 1).contains(box.topLeft()));
                EXPECT_TRUE(area.adjusted(-1, -1, 1, 1).contains(box.bottomRight()));
            }
        }
    }
}

TEST_P(ClaimsAt, NoValueLiesOnAMark)
{
    const ClaimsChart chart = measuredClaims();
    const QRectF area(0, 0, GetParam().first, GetParam().second);
    for (const ClaimsLayout::Row& row : rowsOf(claimsLayout(chart, area, {}))) {
        for (const auto& mark : {row.counted, row.measured}) {
            EXPECT_FALSE(mark && row.countedText.contains(*mark)) << row.claim;
            EXPECT_FALSE(mark && row.measuredText.contains(*mark)) << row.claim;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EverySize,
                         ClaimsAt,
                         testing::Values(std::pair(240, 200),
                                         std::pair(400, 330),
                                         std::pair(688, 356),
                                         std::pair(900, 600),
                                         std::pair(300, 900),
                                         std::pair(1920, 1080)));

TEST(ClaimsFigure, ShowsEveryClaimInItsOrderFromTheSmallestExportOn)
{
    const ClaimsChart chart = measuredClaims();
    for (const QRectF& area : {kSmall, QRectF(0, 0, 1248, 676)}) {
        const Drawing drawing = ClaimsFigure(chart).drawing(area, {});
        const ClaimsLayout layout = claimsLayout(chart, area, {});
        const auto rows = rowsOf(layout);

        EXPECT_EQ(layout.hidden, 0U);
        ASSERT_EQ(rows.size(), chart.claims.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i].claim, i);
            const QString title = toQt(chart.claim(i).title);
            EXPECT_TRUE(std::any_of(drawing.labels.begin(),
                                    drawing.labels.end(),
                                    [&](const Label& label) { return label.text == title; }))
                << title.toStdString();
            EXPECT_FALSE(rows[i].verdict.isEmpty());
        }
    }
}

TEST(ClaimsFigure, LeavesOutTheLastClaimsAndSaysSo)
{
    const ClaimsChart chart = countedChart({});

    const ClaimsLayout layout = claimsLayout(chart, QRectF(0, 0, 400, 200), {});

    const auto rows = rowsOf(layout);
    EXPECT_EQ(rows.size() + layout.hidden, chart.claims.size());
    EXPECT_GT(layout.hidden, 0U);
    EXPECT_FALSE(layout.hiddenText.isEmpty());
    EXPECT_EQ(rows.front().claim, 0U);
}

TEST(ClaimsFigure, SaysOnWhichTaskAndWidthItWasLearned)
{
    const ClaimsChart chart = countedChart({});
    const QString note = chart.learnedNote();

    EXPECT_TRUE(note.contains(QStringLiteral("facts, d_model 64, 500 steps, 5 seeds, in accuracy")))
        << note.toStdString();
    const Drawing drawing = ClaimsFigure(chart).drawing(QRectF(0, 0, 1248, 676), {});
    EXPECT_TRUE(std::any_of(drawing.labels.begin(), drawing.labels.end(), [&](const Label& label) {
        return label.text == note;
    }));
    EXPECT_TRUE(claimsLayout(chart, QRectF(0, 0, 400, 200), {}).learnedNote.isEmpty());
}

TEST(ClaimsFigure, PutsValuesWhereTheAxisSays)
{
    const ClaimsChart chart = measuredClaims();
    const ClaimsLayout layout = claimsLayout(chart, kSmall, {});
    ASSERT_EQ(layout.groups.size(), 2U);
    for (const ClaimsLayout::Group& group : layout.groups) {
        const double decade = group.plot.width() / std::log10(group.axis.high / group.axis.low);
        const auto expected = [&](double ratio) {
            return group.plot.left() + decade * std::log10(ratio / group.axis.low);
        };
        EXPECT_LE(group.axis.low, 0.25);
        for (const ClaimsLayout::Row& row : group.rows) {
            const Claim& claim = chart.claim(row.claim);
            EXPECT_EQ(row.counted.has_value(), std::isfinite(claim.counted));
            if (row.counted) {
                EXPECT_NEAR(row.counted->x(), expected(claim.counted), 1e-6) << claim.id;
            }
            const auto quantity = chart.measuredOf(row.claim).quantity;
            ASSERT_EQ(row.measured.has_value(), quantity.has_value()) << claim.id;
            if (quantity) {
                EXPECT_NEAR(row.measured->x(), expected(*quantity), 1e-6) << claim.id;
            }
            if (claim.range.low < claim.range.high) {
                EXPECT_NEAR(row.band.left(), expected(claim.range.low), 1e-6) << claim.id;
            }
            EXPECT_EQ(row.isOpen, std::isinf(claim.range.high));
        }
    }
}

TEST(ClaimsFigure, SavingsShareOneAxisAndTheOthersNameTheirQuantity)
{
    const ClaimsChart chart = countedChart({});
    const ClaimsLayout layout = claimsLayout(chart, kSmall, {});

    for (const ClaimsLayout::Row& row : layout.groups.at(0).rows) {
        EXPECT_EQ(chart.claim(row.claim).sense, ClaimSense::timesFewer);
    }
    for (const ClaimsLayout::Row& row : layout.groups.at(1).rows) {
        const Claim& claim = chart.claim(row.claim);
        EXPECT_NE(claim.sense, ClaimSense::timesFewer);
        EXPECT_TRUE(countedText(claim).contains(QLatin1Char(' ')) || countedText(claim).isEmpty());
    }
}

TEST(ClaimsFigure, MeasuredMarksComeWithTimesAndLookUnlikeCountedOnes)
{
    const auto samples = [](const ClaimsFigure& figure) {
        const Drawing drawing = figure.drawing(kSmall, {});
        return std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& shape) {
            return shape.brush.style() == Qt::NoBrush && shape.path.elementCount() == 5;
        });
    };
    const auto hollow = [](const ClaimsFigure& figure) {
        std::ptrdiff_t points = 0;
        for (const PlotPoints& each : figure.plotted(kSmall, {}).points) {
            const bool isHollow = each.mark == PlotMark::diamond && !each.fill.isValid();
            points += isHollow ? each.points.size() : 0;
        }
        return points;
    };
    const ClaimsChart measured = measuredClaims();
    const auto marks = std::count_if(measured.measured.begin(),
                                     measured.measured.end(),
                                     [](const auto& each) { return each.quantity.has_value(); });
    ASSERT_GT(marks, 10);

    const ClaimsFigure counted(countedChart({}));
    EXPECT_EQ(hollow(counted), 0);
    EXPECT_EQ(samples(counted), 0);
    EXPECT_EQ(hollow(ClaimsFigure(measured)), marks);
    EXPECT_EQ(samples(ClaimsFigure(measured)), 1) << "in the legend";
}

TEST(ClaimsFigure, TheVerdictIsAWord)
{
    Claim claim = claims({}).front();
    claim.verdict = ClaimVerdict::fallsShort;
    EXPECT_EQ(verdictText(claim, {}), QStringLiteral("saves less"));
    claim.sense = ClaimSense::timesAsMany;
    EXPECT_EQ(verdictText(claim, {}), QStringLiteral("is less"));
    claim.verdict = ClaimVerdict::onlyMeasured;
    claim.range = {0.4, 0.6};
    EXPECT_EQ(verdictText(claim, {}), QStringLiteral("not measured"));
    EXPECT_EQ(verdictText(claim, {.quantity = 0.5}), QStringLiteral("holds"));
    EXPECT_EQ(verdictText(claim, {.quantity = 0.9}), QStringLiteral("is more"));
}

TEST(ClaimsFigure, AHotspotTellsEverythingAboutItsClaim)
{
    const ClaimsChart chart = measuredClaims();
    const ClaimsFigure figure(chart);
    const std::vector<Hotspot> hotspots = figure.hotspots(kSmall, {});

    ASSERT_EQ(hotspots.size(), chart.claims.size());
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        const Claim& claim = chart.claim(i);
        const QString words = hotspots[i].accessibleText().remove(QLatin1Char(',')).simplified();
        for (const std::string& text :
             {claim.title, claim.says, claim.sentence, claim.note, claim.parameters}) {
            EXPECT_THAT(words.toStdString(),
                        HasSubstr(toQt(text).remove(QLatin1Char(',')).simplified().toStdString()));
        }
        if (claim.sense != ClaimSense::shareOfPeak) {
            EXPECT_THAT(
                words.toStdString(),
                HasSubstr(
                    toQt(timesText(claim.flopsRatio()) + " FLOPs").simplified().toStdString()));
        }
        EXPECT_EQ(figure.hotspotAt(hotspots[i].anchor, kSmall, {}), static_cast<int>(i));
    }
    EXPECT_EQ(figure.hotspotAt({kSmall.left() + 1, kSmall.top() + 1}, kSmall, {}), -1);
}

TEST(ClaimsFigure, ItsTableIsTheOneThatTheCommandWrites)
{
    const ClaimsChart chart = measuredClaims();
    const FigureTable shown = ClaimsFigure(chart).table();
    const Table table = claimsTable(chart.claims, chart.measured, chart.learned);

    ASSERT_EQ(shown.rows.size(), table.rows.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const auto at = static_cast<qsizetype>(column);
        EXPECT_EQ(shown.header.at(at), toQt(table.columns[column].key));
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            EXPECT_EQ(shown.rows[row].at(at), toQt(exactText(table.rows[row][column])));
        }
    }

    QString csv = QString::fromUtf8(exported(ClaimsFigure(chart), ExportFormat::csv, {}));
    csv = csv.section(QLatin1Char('\n'), 2); // without the two lines that say where it is from
    QString expected = QString::fromStdString(csvText(table));
    EXPECT_EQ(csv, expected.remove(QLatin1Char('\r')));
}

TEST(ClaimsFigure, ArrowKeysVisitEveryClaim)
{
    FigureView view(QStringLiteral("Claims"));
    view.resize(800, 500);
    view.setFigure(std::make_unique<ClaimsFigure>(countedChart({})));
    const auto last = static_cast<int>(claims({}).size()) - 1;

    for (int i = 0; i <= last + 3; ++i) {
        QTest::keyClick(&view, Qt::Key_Down);
    }

    EXPECT_EQ(view.currentHotspot(), last);
    EXPECT_THAT(view.accessibleText().toStdString(), HasSubstr("Model FLOPs utilisation"));
}

} // namespace
} // namespace flopsmith::ui
