// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/base/export.h"
#include "ui/charts/base/label_places.h"
#include "ui/charts/memory/memory_figure.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/roofline/roofline_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

using testing::Contains;
using testing::HasSubstr;

const QRectF kUsual(0, 0, 720, 440);

FigureRequest trainingOf(std::string_view preset)
{
    FigureRequest request = requestOf(ChartId::memory, preset);
    request.scenario.workload.phase = Phase::train;
    return request;
}

MemoryChart memoryOf(const FigureRequest& request)
{
    return dynamic_cast<const MemoryFigure&>(*figureOf(request)).content();
}

RooflineChart rooflineOf(const FigureRequest& request)
{
    return dynamic_cast<const RooflineFigure&>(*figureOf(request)).content();
}

QStringList textsOf(const Drawing& drawing)
{
    QStringList texts;
    for (const Label& label : drawing.labels) {
        texts << label.text;
    }
    return texts;
}

TEST(MemoryFigure, PiecesStandEndToEndAndAddUpToTheirBar)
{
    for (const auto preset : {"gpt2", "llama-3-8b", "t5-small", "gpt2-half-swapped"}) {
        const MemoryChart chart = memoryOf(trainingOf(preset));

        const MemoryLayout layout = memoryLayout(chart, kUsual, {});

        ASSERT_EQ(layout.rows.size(), chart.bars.size());
        for (std::size_t i = 0; i < layout.rows.size(); ++i) {
            Count sum = 0;
            double end = layout.plot.left();
            for (const BarPiece& piece : layout.rows[i].pieces) {
                EXPECT_NEAR(piece.rect.left(), end, 1e-6) << preset;
                end = piece.rect.right();
                sum += piece.amount;
            }
            EXPECT_TRUE(sum == chart.bars[i].bytes) << preset << " " << chart.bars[i].title;
            EXPECT_NEAR(end, layout.xOf(toDouble(chart.bars[i].bytes)), 1e-6) << preset;
        }
    }
}

TEST(MemoryFigure, EveryRowOfTheTableIsAPieceOfItsBar)
{
    const auto figure = figureOf(trainingOf("gpt2"));
    const MemoryChart& chart = dynamic_cast<const MemoryFigure&>(*figure).content();
    const MemoryLayout layout = memoryLayout(chart, kUsual, {});
    Count whole = 0;
    std::size_t pieces = 0;
    for (std::size_t i = 1; i < chart.bars.size(); ++i) {
        for (const BarPiece& piece : layout.rows[i].pieces) {
            const QStringList row{toQt(enumName(*chart.bars[i].kind)),
                                  toQt(piece.component->id),
                                  toQt(piece.component->title),
                                  toQt(digits(piece.amount))};
            EXPECT_THAT(figure->table().rows, Contains(row));
            whole += piece.amount;
            ++pieces;
        }
    }

    EXPECT_EQ(figure->table().rows.size(), pieces);
    EXPECT_TRUE(whole == chart.bars.front().bytes);
}

TEST(MemoryFigure, WritesEveryBarAndComponentWithItsAmount)
{
    const auto figure = figureOf(trainingOf("gpt2-half-swapped"));
    const MemoryChart& chart = dynamic_cast<const MemoryFigure&>(*figure).content();

    const QStringList texts = textsOf(figure->drawing(kUsual, {}));

    for (const MemoryBar& bar : chart.bars) {
        EXPECT_TRUE(texts.contains(toQt(bar.title))) << bar.title;
        EXPECT_TRUE(texts.contains(toQt(bar.text))) << bar.title;
        EXPECT_TRUE(texts.contains(toQt(bar.shareText))) << bar.title;
    }
    for (const MemoryLegendEntry& entry : chart.legend) {
        EXPECT_TRUE(texts.contains(toQt(entry.title))) << entry.title;
        EXPECT_TRUE(texts.contains(toQt(entry.text))) << entry.title;
    }
}

TEST(MemoryFigure, SaysInWordsWhenADeviceIsTooSmall)
{
    FigureRequest request = trainingOf("llama-3-8b");
    const auto text = [&request] {
        return textsOf(figureOf(request)->drawing(kUsual, {})).join(QLatin1Char('|')).toStdString();
    };
    EXPECT_THAT(text(), HasSubstr("NVIDIA H100"));
    EXPECT_THAT(text(), HasSubstr("too little"));

    request.scenario = scenarioOf("gpt2");
    EXPECT_THAT(text(), testing::Not(HasSubstr("too little")));

    request.hardware.reset();
    EXPECT_THAT(text(), testing::Not(HasSubstr("NVIDIA")));
}

TEST(MemoryFigure, ThePointerAndTheKeysFindEveryBar)
{
    const auto figure = figureOf(trainingOf("gpt2"));
    const std::vector<Hotspot> hotspots = figure->hotspots(kUsual, {});

    ASSERT_GT(hotspots.size(), 4U);
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_EQ(figure->hotspotAt(hotspots[i].anchor, kUsual, {}), static_cast<int>(i));
        EXPECT_FALSE(hotspots[i].lines.empty());
    }
    EXPECT_EQ(figure->hotspotAt({-5.0, -5.0}, kUsual, {}), -1);
}

// How far a place is from a polyline.
double distanceTo(const std::vector<QPointF>& line, QPointF place)
{
    double least = 1e9;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const QPointF way = line[i] - line[i - 1];
        const double along = QPointF::dotProduct(place - line[i - 1], way)
            / std::max(1e-9, QPointF::dotProduct(way, way));
        const QPointF off = place - line[i - 1] - std::clamp(along, 0.0, 1.0) * way;
        least = std::min(least, std::hypot(off.x(), off.y()));
    }
    return least;
}

TEST(RooflineFigure, ComputedPointsLieOnTheRoofAndAllInsideThePlot)
{
    for (const auto preset : {"gpt2", "llama-3-8b", "tiny"}) {
        for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
            FigureRequest request = requestOf(ChartId::roofline, preset);
            request.scenario.workload.phase = phase;
            request.times.clear();
            const RooflineChart chart = rooflineOf(request);

            const RooflineLayout layout = rooflineLayout(chart, kUsual, {});

            ASSERT_EQ(layout.dots.size(), chart.points.size());
            for (std::size_t i = 0; i < layout.dots.size(); ++i) {
                EXPECT_LT(distanceTo(layout.roof, layout.dots[i].centre), 0.5)
                    << preset << " " << chart.points[i].title;
                EXPECT_TRUE(
                    layout.plot.adjusted(-0.1, -0.1, 0.1, 0.1).contains(layout.dots[i].centre));
            }
        }
    }
}

TEST(RooflineFigure, MeasuredIsFilledAndComputedIsOpen)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    const auto filled = [&request] {
        const auto figure = figureOf(request);
        const PlotContent plot = dynamic_cast<const PlottedFigure&>(*figure).plotted(kUsual, {});
        EXPECT_EQ(plot.points.size(), rooflineOf(request).points.size());
        return std::count_if(plot.points.begin(), plot.points.end(), [](const PlotPoints& dot) {
            return dot.mark == PlotMark::diamond && dot.fill != lightTheme().panel;
        });
    };
    const auto measured = [&request] {
        const RooflineChart chart = rooflineOf(request);
        return std::count_if(chart.points.begin(), chart.points.end(), [](const auto& point) {
            return point.origin == Origin::measured;
        });
    };

    EXPECT_GT(measured(), 3);
    EXPECT_EQ(filled(), measured());
    request.times.clear();
    EXPECT_EQ(filled(), 0);
}

TEST(RooflineFigure, TheListSaysOfWhatItsSharesAreAndNeverMixesThem)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    for (const bool complete : {true, false}) {
        if (!complete) {
            request.times.pop_back();
        }
        const auto figure = figureOf(request);
        const auto& chart = dynamic_cast<const RooflineFigure&>(*figure).content();
        const Origin ranked = complete ? Origin::measured : Origin::computed;
        const QStringList texts = textsOf(figure->drawing(kUsual, {}));

        ASSERT_FALSE(rooflineLayout(chart, kUsual, {}).ranks.empty());
        EXPECT_TRUE(texts.contains(rooflineShareTitle(ranked)));
        for (const RooflineLayout::Rank& rank : rooflineLayout(chart, kUsual, {}).ranks) {
            EXPECT_EQ(chart.points[rank.point].origin, ranked);
        }
        const std::vector<Hotspot> hotspots = figure->hotspots(kUsual, {});
        for (std::size_t i = 0; i < hotspots.size(); ++i) {
            const bool measured = chart.points[i].origin == Origin::measured;
            EXPECT_EQ(hotspots[i].lines.size(), measured && !complete ? 4U : 5U);
        }
    }
}

TEST(RooflineFigure, RoofsOfADataSheetAreSolidAndMeasuredOnesDashed)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    const auto linesOf = [&request](bool dashed) {
        const auto figure = figureOf(request);
        const auto& plotted = dynamic_cast<const PlottedFigure&>(*figure);
        int lines = 0;
        for (const PlotLine& line : plotted.plotted(kUsual, {}).lines) {
            const bool isRoof = line.colour == lightTheme().accent
                || line.colour == lightTheme().text
                || (line.colour == lightTheme().mutedText && line.width == 1.2);
            lines += isRoof && line.dashes.isEmpty() != dashed;
        }
        return lines;
    };
    EXPECT_EQ(linesOf(false), 1);
    EXPECT_EQ(linesOf(true), 0);

    request.machine = machineRoofs();
    EXPECT_EQ(linesOf(false), 1);
    EXPECT_EQ(linesOf(true), 4); // two products, a cache and the memory

    request.hardware = hardwareOf(machineRoofs());
    EXPECT_EQ(linesOf(false), 0);
    EXPECT_EQ(linesOf(true), 3); // the pair is one line
}

TEST(RooflineFigure, CeilingsStayInsideThePlotAndTheirTextsOffEachOther)
{
    for (const bool own : {false, true}) {
        FigureRequest request = requestOf(ChartId::roofline, "gpt2-half-swapped");
        request.machine = machineRoofs();
        request.hardware = own ? hardwareOf(machineRoofs()) : *request.hardware;
        const RooflineChart chart = rooflineOf(request);
        const RooflineLayout layout = rooflineLayout(chart, kUsual, {});

        ASSERT_EQ(layout.ceilings.size(), chart.ceilings.size());
        std::vector<QRectF> texts;
        for (const RooflineLayout::Ceiling& ceiling : layout.ceilings) {
            const QRectF inside = layout.plot.adjusted(-0.1, -0.1, 0.1, 0.1);
            EXPECT_TRUE(inside.contains(ceiling.line.p1()) && inside.contains(ceiling.line.p2()));
            for (const QRectF& other : texts) {
                EXPECT_FALSE(other.intersects(ceiling.text.rect));
            }
            texts.push_back(ceiling.text.rect);
        }
        EXPECT_TRUE(textsOf(figureOf(request)->drawing(kUsual, {})).contains(toQt(chart.notes[0])));
    }
}

TEST(RooflineFigure, ANoteIsReadInFullOrEndsWithAWholeFigure)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2-half-swapped");
    request.machine = machineRoofs();
    const RooflineChart chart = rooflineOf(request);
    const ChartStyle style;
    int lines = 0;
    for (double width = 330.0; width < 900.0; width += 37.0) {
        for (double height = 200.0; height < 500.0; height += 23.0) {
            const RooflineLayout layout = rooflineLayout(chart, QRectF(0, 0, width, height), style);
            for (const PlacedLine& note : layout.notes) {
                EXPECT_LE(rooflineTextSize(note.text, style).width(), width)
                    << qPrintable(note.text);
                EXPECT_LE(note.rect.bottom(), height + 0.5);
                ++lines;
            }
        }
    }
    EXPECT_GT(lines, 0);
}

// As low and narrow as the card of a window of 1280 × 720.
TEST(RooflineFigure, ASmallCardStillTellsRingsFromDiamondsAndKeepsTextsOffTheRidge)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    request.machine = machineRoofs();
    for (double width = 440.0; width < 700.0; width += 13.0) {
        const QRectF card(0, 0, width, 196);
        const RooflineLayout layout = rooflineLayout(rooflineOf(request), card, {});

        if (!layout.ranks.empty()) {
            EXPECT_FALSE(layout.key[0].isEmpty()) << width;
        }
        for (const QRectF& key : layout.key) {
            EXPECT_TRUE(key.isEmpty() || card.contains(key)) << width;
            EXPECT_FALSE(key.intersects(layout.plot)) << width;
        }
        const double ridge = layout.ridgeAt.x();
        const QRectF line(
            ridge, layout.ridgeAt.y(), 0.5, layout.plot.bottom() - layout.ridgeAt.y());
        for (const RooflineLayout::Text* text : {&layout.peak, &layout.bandwidth, &layout.ridge}) {
            EXPECT_FALSE(text->rect.intersects(line)) << qPrintable(text->text) << " at " << width;
        }
    }
}

TEST(RooflineFigure, WritesTheRoofsTheSentenceAndTheLongestOperation)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    request.times.clear();
    const auto figure = figureOf(request);
    const auto& chart = dynamic_cast<const RooflineFigure&>(*figure).content();

    const QStringList texts = textsOf(figure->drawing(kUsual, {}));

    for (const std::string& text :
         {chart.boundText, chart.peakText, chart.bandwidthText, chart.ridgeText}) {
        EXPECT_TRUE(texts.contains(toQt(text))) << text;
    }
    EXPECT_TRUE(chart.points.front().labelled);
    EXPECT_TRUE(texts.contains(toQt(chart.points.front().title))); // others where there is room
}

TEST(RooflineFigure, ListsTheLongestOperationsByTheNumbersBesideTheirDots)
{
    for (const auto preset : {"gpt2", "llama-3-8b", "t5-small", "gpt2-half-swapped"}) {
        const RooflineChart chart = rooflineOf(requestOf(ChartId::roofline, preset));

        const RooflineLayout layout = rooflineLayout(chart, kUsual, {});

        QStringList beside;
        for (const RooflineLayout::Text& mark : layout.marks) {
            beside << mark.text.split(QStringLiteral(", "));
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < chart.points.size(); ++i) {
            if (chart.points[i].labelled) {
                ASSERT_LT(next, layout.ranks.size()) << preset;
                EXPECT_EQ(layout.ranks[next].point, i) << preset;
                EXPECT_EQ(beside.count(layout.ranks[next].text), 1) << preset << " " << next;
                ++next;
            }
        }
        EXPECT_EQ(layout.ranks.size(), next) << preset;
        EXPECT_EQ(beside.size(), static_cast<qsizetype>(next)) << preset;
    }
}

TEST(RooflineFigure, WritesTitlesIntoAPlotThatIsTooNarrowForAList)
{
    const RooflineChart chart = rooflineOf(requestOf(ChartId::roofline, "gpt2"));

    const RooflineLayout layout = rooflineLayout(chart, QRectF(0, 0, 340, 300), {});

    EXPECT_TRUE(layout.ranks.empty());
    ASSERT_FALSE(layout.marks.empty());
    EXPECT_EQ(layout.marks.front().text, toQt(chart.points.front().title));
}

TEST(RooflineFigure, EveryRowOfTheTableHasItsDotAndItsPlaceInLatex)
{
    const auto figure = figureOf(requestOf(ChartId::roofline, "gpt2"));
    const auto& chart = dynamic_cast<const RooflineFigure&>(*figure).content();
    const RooflineLayout layout = rooflineLayout(chart, kUsual, {});
    const QByteArray tex = exported(*figure, ExportFormat::tex, {});
    const FigureTable table = figure->table();

    ASSERT_EQ(table.rows.size(), layout.dots.size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const QPointF place =
            layout.at({table.rows[i].at(3).toDouble(), table.rows[i].at(4).toDouble()});
        EXPECT_LT(QLineF(place, layout.dots[i].centre).length(), 0.01);
        const QString point =
            QStringLiteral("(%1,%2)").arg(table.rows[i].at(3), table.rows[i].at(4));
        EXPECT_TRUE(tex.contains(point.toUtf8())) << qPrintable(point);
    }
}

TEST(RooflineFigure, ThePointerFindsTheNearestDot)
{
    const auto figure = figureOf(requestOf(ChartId::roofline, "gpt2"));
    const std::vector<Hotspot> hotspots = figure->hotspots(kUsual, {});

    for (const Hotspot& hotspot : hotspots) {
        const int found = figure->hotspotAt(hotspot.anchor, kUsual, {});
        ASSERT_GE(found, 0);
        EXPECT_EQ(hotspots[static_cast<std::size_t>(found)].anchor, hotspot.anchor);
    }
    EXPECT_EQ(figure->hotspotAt({1.0, 1.0}, kUsual, {}), -1);
}

TEST(RooflineFigure, NeedsADeviceWithAPeakForTheNumbers)
{
    FigureRequest request = requestOf(ChartId::roofline, "gpt2");
    request.hardware = hardwareNamed("tpu-v4").value(); // it has no peak for 32 bits
    const auto figure = figureFor(request);
    ASSERT_FALSE(figure);
    EXPECT_THAT(figure.error().message, HasSubstr("TPU"));

    request.hardware.reset();
    EXPECT_FALSE(figureFor(request));
}

TEST(LabelPlaces, NoTextLiesOverAnotherADotOrALine)
{
    Random random(11);
    const QRectF plot(0, 0, 500, 300);
    for (int round = 0; round < 50; ++round) {
        LabelPlaces places(plot);
        const QLineF roof({0, 300}, {500.0 * random.uniform(), 0});
        places.block(roof);
        std::vector<QPointF> dots;
        for (int i = 0; i < 12; ++i) {
            dots.emplace_back(random.uniform() * 500, random.uniform() * 300);
            places.block(QRectF(dots.back() - QPointF(5, 5), QSizeF(10, 10)));
        }
        std::vector<QRectF> texts;
        for (const QPointF& dot : dots) {
            if (const auto place = places.beside(dot, 5.0, QSizeF(90, 14))) {
                EXPECT_TRUE(plot.contains(place->rect));
                for (const QRectF& other : texts) {
                    EXPECT_FALSE(place->rect.intersects(other));
                }
                for (const QPointF& other : dots) {
                    EXPECT_FALSE(place->rect.contains(other));
                }
                texts.push_back(place->rect);
            }
        }
        EXPECT_GE(texts.size(), 6U) << "places were not found";
    }
}

TEST(FlowLegend, KeepsTheHeaviestWhereThereIsLittleRoom)
{
    const std::vector<FlowEntry> entries{
        {&kEmbeddingComponent, QStringLiteral("Embedding"), QStringLiteral("1 GiB"), 1.0},
        {&kHeadComponent, QStringLiteral("Head"), QStringLiteral("9 GiB"), 9.0},
        {&kNormComponent, QStringLiteral("Norms"), QStringLiteral("2 GiB"), 2.0}};

    const FlowLegend wide = flowLegend(entries, 600, 100, {});
    const FlowLegend narrow = flowLegend(entries, 110, 40, {});

    ASSERT_EQ(wide.places.size(), 3U);
    EXPECT_EQ(wide.places.front().rect.top(), wide.places.back().rect.top());
    EXPECT_EQ(wide.places.front().hatch, HatchUse::always) << "the head has the same colour";
    EXPECT_EQ(wide.places.back().hatch, HatchUse::onRequest);
    ASSERT_EQ(narrow.places.size(), 1U);
    EXPECT_EQ(narrow.places.front().entry.title, QStringLiteral("Head"));
    EXPECT_EQ(narrow.rest, QStringLiteral("+ 2 smaller"));
    EXPECT_LE(narrow.height, 40.0);
    EXPECT_TRUE(flowLegend(entries, 600, -3, {}).places.empty());
}

} // namespace
} // namespace flopsmith::ui
