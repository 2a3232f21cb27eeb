// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/series_plot.h"

#include <gtest/gtest.h>

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <vector>

namespace flopsmith::ui {
namespace {

constexpr int kScale = 8; ///< pixels of the image per pixel of the plot
const QRectF kArea(20.25, 20.5, 60.0, 60.0);
const PlotAxis kTen{.low = 0.0, .high = 10.0};

QImage painted(SeriesPlot& plot, const PlotContent& content)
{
    QImage image(100 * kScale, 100 * kScale, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    plot.paint(painter, kArea, content);
    painter.end();
    return image;
}

QImage painted(const PlotContent& content)
{
    SeriesPlot plot;
    return painted(plot, content);
}

// Where the ink is, in pixels of the plot's paper.
QRectF inkOf(const QImage& image)
{
    QRect box;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (qGray(image.pixel(x, y)) < 128) {
                box |= QRect(x, y, 1, 1);
            }
        }
    }
    return {box.x() / double(kScale),
            box.y() / double(kScale),
            box.width() / double(kScale),
            box.height() / double(kScale)};
}

QPointF placeOf(QPointF value)
{
    return {kArea.left() + value.x() / 10.0 * kArea.width(),
            kArea.bottom() - value.y() / 10.0 * kArea.height()};
}

void expectNear(QPointF found, QPointF expected, const char* what)
{
    EXPECT_NEAR(found.x(), expected.x(), 0.2) << what;
    EXPECT_NEAR(found.y(), expected.y(), 0.2) << what;
}

PlotContent withPoints(const PlotPoints& points)
{
    return {.x = kTen, .y = kTen, .points = {points}};
}

TEST(SeriesPlot, MarksStandOnTheirValuesWhateverTheirOutline)
{
    SeriesPlot plot;
    for (const PlotMark mark : {PlotMark::disc, PlotMark::square, PlotMark::diamond}) {
        for (const double outline : {1.0, 4.0}) {
            const PlotPoints one{.points = {{3.0, 7.0}},
                                 .mark = mark,
                                 .size = 11.0,
                                 .outline = QPen(Qt::black, outline),
                                 .fill = Qt::black};
            const QRectF again = inkOf(painted(plot, withPoints(one)));
            const QRectF fresh = inkOf(painted(withPoints(one)));

            expectNear(fresh.center(), placeOf({3.0, 7.0}), "fresh");
            expectNear(again.center(), placeOf({3.0, 7.0}), "updated in place");
            EXPECT_GT(fresh.width(), 11.0 + 0.3 * outline);
            EXPECT_LT(fresh.width(), 11.6 + 1.5 * outline);
        }
    }
}

TEST(SeriesPlot, ATriangleIsCentredByItsBox)
{
    PlotPoints one{.points = {{5.0, 5.0}}, .mark = PlotMark::triangle, .size = 12.0};
    one.fill = Qt::black;

    const QRectF ink = inkOf(painted(withPoints(one)));

    EXPECT_NEAR(ink.bottom(), placeOf({5.0, 5.0}).y() + 6.0, 0.3);
    EXPECT_NEAR(ink.width(), 12.0, 0.5);
}

TEST(SeriesPlot, AMarkAtTheEdgeIsWholeAndOneBeyondIsNotDrawn)
{
    PlotPoints one{.points = {{0.0, 10.0}}, .size = 20.0, .fill = Qt::black};
    const QRectF ink = inkOf(painted(withPoints(one)));
    expectNear(ink.center(), kArea.topLeft(), "centre");
    EXPECT_NEAR(ink.width(), 20.0, 0.5);

    one.points = {{-5.0, 5.0}};
    EXPECT_TRUE(inkOf(painted(withPoints(one))).isEmpty());
}

TEST(SeriesPlot, LinesAreCutAtThePlotAndBandsKeptInside)
{
    PlotContent content{.x = kTen, .y = kTen};
    content.lines = {{.points = {{-20.0, 5.0}, {20.0, 5.0}}, .colour = Qt::black, .width = 4.0}};
    QRectF ink = inkOf(painted(content));
    EXPECT_NEAR(ink.center().y(), kArea.center().y(), 0.3);
    EXPECT_NEAR(ink.width(), kArea.width(), 1.0);

    content.lines.clear();
    content.bands = {{.upper = {{2.0, 40.0}, {4.0, 40.0}},
                      .lower = {{2.0, -3.0}, {4.0, -3.0}},
                      .fill = Qt::black}};
    ink = inkOf(painted(content));
    EXPECT_NEAR(ink.left(), placeOf({2.0, 0.0}).x(), 0.2);
    EXPECT_NEAR(ink.right(), placeOf({4.0, 0.0}).x(), 0.2);
    EXPECT_NEAR(ink.height(), kArea.height(), 0.3);
}

TEST(SeriesPlot, LogarithmicAxesPlaceValuesAndLeaveOutWhatTheyCannotShow)
{
    const PlotAxis powers{.scale = AxisScale::log10, .low = 0.0, .high = 4.0};
    PlotContent content{.x = powers, .y = kTen};
    content.points = {
        {.points = {{100.0, 5.0}, {0.0, 5.0}, {-1.0, 5.0}}, .size = 8.0, .fill = Qt::black}};

    const QRectF ink = inkOf(painted(content));

    expectNear(ink.center(), kArea.center(), "a hundred");
    EXPECT_NEAR(ink.width(), 8.0, 0.4);
}

TEST(SeriesPlot, PointsLieOverLinesAndLinesOverBands)
{
    PlotContent content{.x = kTen, .y = kTen};
    content.points = {{.points = {{5.0, 5.0}}, .size = 4.0, .fill = Qt::red}};
    content.lines = {{.points = {{0.0, 5.0}, {10.0, 5.0}}, .colour = Qt::blue, .width = 8.0}};
    SeriesPlot plot;
    painted(plot, content); // points and lines are there before the band
    content.bands = {{.upper = {{0.0, 10.0}, {10.0, 10.0}},
                      .lower = {{0.0, 0.0}, {10.0, 0.0}},
                      .fill = Qt::green}};

    const QImage image = painted(plot, content);

    const auto at = [&image](QPointF value) {
        return image.pixelColor((placeOf(value) * kScale).toPoint());
    };
    EXPECT_EQ(at({5.0, 5.0}), QColor(Qt::red));
    EXPECT_EQ(at({2.0, 5.0}), QColor(Qt::blue));
    EXPECT_EQ(at({2.0, 2.0}), QColor(Qt::green));
}

QByteArray svgOf(SeriesPlot& plot, const PlotContent& content)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({100, 100});
    QPainter painter(&generator);
    plot.paint(painter, kArea, content);
    painter.end();
    return bytes;
}

// Of every kind of series, more than others need.
PlotContent fullContent()
{
    PlotContent full{.x = kTen, .y = kTen};
    for (int i = 1; i < 9; ++i) {
        const double at = i;
        full.points.push_back({.points = {{at, at}}, .size = 4.0 + i, .fill = Qt::black});
        full.lines.push_back({.points = {{0.0, at}, {10.0, at}}, .colour = Qt::black});
        full.bands.push_back(
            {.upper = {{at, 1.0}, {at, 2.0}}, .lower = {{0.0, 0.0}, {1.0, 0.0}}, .fill = Qt::red});
    }
    return full;
}

TEST(SeriesPlot, NothingOfAnEarlierContentIsLeft)
{
    const PlotContent full = fullContent();
    PlotContent few{.x = kTen, .y = {.low = -5.0, .high = 5.0}};
    few.points = {full.points[3]};
    few.lines = {full.lines[1]};
    SeriesPlot plot;
    painted(plot, full);

    const QImage updated = painted(plot, few);

    EXPECT_EQ(updated, painted(few));
    EXPECT_NE(updated, painted(full));
}

// The window updates what it shows; the command line draws once.
TEST(SeriesPlot, AnUpdatedPlotWritesTheSameFileAsANewOne)
{
    const PlotContent full = fullContent();
    std::vector<PlotContent> contents{full, full, full, full, full};
    contents[1].points = {full.points[3], {.points = {{20.0, 20.0}}}, {}};
    contents[1].lines.clear();
    contents[2].points.clear();
    contents[2].bands.resize(2);
    contents[3].bands.clear();
    contents[3].y = {.scale = AxisScale::log2, .low = 1.0, .high = 2.0};
    SeriesPlot plot;
    for (const PlotContent& content : contents) {
        SeriesPlot fresh;
        EXPECT_EQ(svgOf(plot, content), svgOf(fresh, content));
    }
}

TEST(SeriesPlot, ALargerScaleMakesLinesAndMarksThicker)
{
    const PlotContent content{
        .x = kTen,
        .y = kTen,
        .lines = {{.points = {{0.0, 5.0}, {10.0, 5.0}}, .colour = Qt::black, .width = 2.0}},
        .points = {{.points = {{5.0, 2.0}}, .size = 8.0, .outline = QPen(Qt::black, 1.0)}}};

    const PlotContent larger = scaled(content, 1.5);

    EXPECT_EQ(scaled(content, 1.0), content);
    EXPECT_DOUBLE_EQ(larger.lines.front().width, 3.0);
    EXPECT_DOUBLE_EQ(larger.points.front().size, 12.0);
    EXPECT_DOUBLE_EQ(larger.points.front().outline.widthF(), 1.5);
    EXPECT_EQ(larger.lines.front().points, content.lines.front().points);
}

} // namespace
} // namespace flopsmith::ui
