// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tree_path.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/base/chart_mark.h"
#include "ui/charts/base/figure_view.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr std::array<ChartId, 6> kMarkedKinds{ChartId::share,
                                              ChartId::memory,
                                              ChartId::roofline,
                                              ChartId::runtime,
                                              ChartId::mislead,
                                              ChartId::waterfall};

const QRectF kMarkArea(0, 0, 1200, 900);

ChartMark markOf(const CostTree<Count>& tree, int node)
{
    return {.path = tree.path(node), .components = componentsBelow(tree, node)};
}

bool isOneOf(const std::vector<const Component*>& components, const Component& component)
{
    return std::any_of(components.begin(), components.end(), [&component](const Component* each) {
        return each->id == component.id;
    });
}

bool isAnyMarked(const std::vector<bool>& marked)
{
    return std::find(marked.begin(), marked.end(), true) != marked.end();
}

TEST(ChartMark, MarksWhatHoldsTheOperationAndNothingElse)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b"}) {
        const CostTree<Count> tree = costTree(scenarioOf(preset));
        for (const ChartId kind : kMarkedKinds) {
            const auto figure = figureOf(requestOf(kind, preset));
            const std::vector<ChartPlace> places = figure->places(kMarkArea, {});
            ASSERT_FALSE(places.empty()) << preset << " " << chartKind(kind).name;
            for (int i = 1; i < tree.size(); ++i) {
                const ChartMark mark = markOf(tree, i);
                const std::vector<bool> marked = markedPlaces(places, mark);
                for (std::size_t p = 0; p < places.size(); ++p) {
                    const std::vector<std::string>& paths = places[p].paths;
                    const bool isRelated =
                        std::any_of(paths.begin(), paths.end(), [&mark](const std::string& path) {
                            return isWithin(path, mark.path) || isWithin(mark.path, path);
                        });
                    EXPECT_EQ(marked[p],
                              paths.empty() ? isOneOf(mark.components, *places[p].component)
                                            : isRelated)
                        << mark.path;
                }
                if (kind == ChartId::share) {
                    EXPECT_TRUE(isAnyMarked(marked)) << preset << " " << mark.path;
                }
            }
        }
    }
}

TEST(ChartMark, EveryMeasuredPartHasItsRow)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b"}) {
        const CostTree<Count> tree = costTree(scenarioOf(preset));
        const auto places = figureOf(requestOf(ChartId::runtime, preset))->places(kMarkArea, {});
        for (const MeasuredPart& part : measuredParts(scenarioOf(preset))) {
            std::vector<std::string> paths = part.elsewhere;
            paths.push_back(part.path);
            for (const std::string& path : paths) {
                const int node = nodeAt(tree, path);
                ASSERT_GT(node, 0) << path;
                EXPECT_TRUE(isAnyMarked(markedPlaces(places, markOf(tree, node)))) << path;
            }
        }
    }
}

TEST(ChartMark, EveryPlaceBelongsToAHotspot)
{
    for (const ChartId kind : kMarkedKinds) {
        const auto figure = figureOf(requestOf(kind));
        const auto hotspots = static_cast<int>(figure->hotspots(kMarkArea, {}).size());
        for (const ChartPlace& place : figure->places(kMarkArea, {})) {
            EXPECT_GE(place.hotspot, 0);
            EXPECT_LT(place.hotspot, hotspots);
            EXPECT_TRUE(place.component != nullptr || !place.paths.empty());
        }
    }
}

TEST(ChartMark, NothingIsDrawnWithoutOne)
{
    const auto places = figureOf(requestOf(ChartId::share))->places(kMarkArea, {});
    const std::vector<bool> marked = markedPlaces(places, {});
    EXPECT_FALSE(isAnyMarked(marked));
    EXPECT_TRUE(markDrawing(places, marked, {}).shapes.empty());
}

class MarkedView : public testing::Test
{
protected:
    MarkedView()
    {
        view.resize(700, 500);
        view.setFigure(figureOf(requestOf(ChartId::share, "gpt2")));
    }

    ChartMark ffn() const
    {
        const CostTree<Count> tree = costTree(scenarioOf("gpt2"));
        return markOf(tree, nodeAt(tree, "blocks[0]/ffn"));
    }

    FigureView view{QStringLiteral("Share")};
};

TEST_F(MarkedView, TheMarkIsSeenAndSaidAndGoesAway)
{
    const QImage before = view.grab().toImage();
    const QString said = view.accessibleText();
    view.setMark(ffn());
    EXPECT_NE(view.grab().toImage(), before);
    EXPECT_TRUE(view.accessibleText().contains(QStringLiteral("Selected: ")));
    EXPECT_FALSE(view.marked().empty());

    view.setCurrentHotspot(view.marked().front().hotspot);
    EXPECT_TRUE(view.accessibleText().endsWith(QStringLiteral(", selected")));
    view.setCurrentHotspot(-1);
    view.setMark({});
    EXPECT_EQ(view.grab().toImage(), before);
    EXPECT_EQ(view.accessibleText(), said);
}

TEST_F(MarkedView, AClickChoosesAndTheGroundChoosesNothing)
{
    QSignalSpy chosen(&view, &FigureView::chosen);
    const auto count = static_cast<int>(view.figure()->hotspots(QRectF(4, 4, 692, 492), {}).size());
    for (int hotspot = 0; hotspot < count; ++hotspot) {
        view.setCurrentHotspot(hotspot);
        QTest::keyClick(&view, Qt::Key_Return); // nothing for the whole of a ring
    }
    EXPECT_GT(chosen.count(), 0);
    for (const QList<QVariant>& call : chosen) {
        EXPECT_FALSE(call[1].toString().isEmpty());
    }
    chosen.clear();

    QTest::mouseClick(&view, Qt::LeftButton, Qt::KeyboardModifiers(), QPoint(1, 1));
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_TRUE(chosen[0][0].toString().isEmpty() && chosen[0][1].toString().isEmpty());
}

TEST_F(MarkedView, EscLeavesTheHotspotBeforeTheMark)
{
    const QSignalSpy chosen(&view, &FigureView::chosen);
    view.setMark(ffn());
    view.setCurrentHotspot(0);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(view.currentHotspot(), -1);
    EXPECT_EQ(chosen.count(), 0);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(chosen.count(), 1);
}

} // namespace
} // namespace flopsmith::ui
