// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lens/cost_summary.h"
#include "core/parameter/parameter_lookup.h"
#include "tests/ui/menu_entries.h"
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/charts/heat/heat_figure.h"
#include "ui/charts/pareto/pareto_figure.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>
#include <stdexcept>

namespace flopsmith::ui {
namespace {

// The page of heat map and Pareto front.
class DesignSpaceTest : public test::WindowTest
{
protected:
    DesignSpaceTest()
    {
        window->pages().setCurrentName(QStringLiteral("designSpace"));
        window->settle();
        QCoreApplication::processEvents();
    }

    Document& document() { return window->document(); }
    FigureView& view(const char* panel) { return child<ChartPanel>(panel).view(); }
    const HeatMap& heat() { return figure<HeatFigure>("panel.heat").content(); }
    const ParetoChart& front() { return figure<ParetoFigure>("panel.pareto").content(); }

    template <class Kind>
    const Kind& figure(const char* panel)
    {
        window->settle();
        return dynamic_cast<const Kind&>(*view(panel).figure());
    }

    void pick(const char* chip, std::string_view text)
    {
        QMenu& menu = child<ChoiceChip>(chip).choices();
        Q_EMIT menu.aboutToShow();
        const QList<QAction*> actions = test::entriesOf(menu);
        const auto found = std::find_if(actions.begin(), actions.end(), [text](QAction* action) {
            return action->text() == fromUtf8(text);
        });
        if (found == actions.end()) {
            throw std::runtime_error(std::string(text));
        }
        (*found)->trigger();
        window->settle();
    }

    // The entry of the menu that a hotspot opens.
    QAction& offered()
    {
        auto& menu = child<QMenu>("designOffer");
        return *menu.actions().front();
    }

    int cellThatIs(bool possible)
    {
        const auto& cells = heat().cells;
        const HeatCell* present = heat().present();
        const auto found = std::find_if(cells.begin(), cells.end(), [&](const HeatCell& cell) {
            return cell.value.has_value() == possible && &cell != present;
        });
        return found == cells.end() ? -1 : static_cast<int>(found - cells.begin());
    }
};

TEST_F(DesignSpaceTest, ThePickersShowTheirChoicesWhole)
{
    for (const char* name : {"bar.heat", "bar.goalX", "bar.goalY"}) {
        const auto& chip = child<ChoiceChip>(name);
        const int value = chip.fontMetrics().horizontalAdvance(chip.value());
        EXPECT_EQ(chip.width(), chip.sizeHint().width()) << name;
        EXPECT_GT(chip.sizeHint().width(), value) << name;
    }
}

TEST_F(DesignSpaceTest, ShowsTheDesignsAroundThePresentOne)
{
    EXPECT_TRUE(view("panel.heat").isVisible());
    EXPECT_TRUE(view("panel.pareto").isVisible());
    EXPECT_LE(heat().cells.size(), 400U);
    EXPECT_EQ(heat().cells.size(), heat().x.values.size() * heat().y.values.size());
    ASSERT_NE(heat().present(), nullptr);
    EXPECT_EQ(std::get<Count>(*heat().present()->value), *document().costSummary().flops);
    EXPECT_EQ(front().keys, (std::vector<std::string>{heat().x.key, heat().y.key}));
    EXPECT_TRUE(child<ChoiceChip>("bar.designX").isVisible());
}

TEST_F(DesignSpaceTest, TheChipsChooseParametersAndMetrics)
{
    pick("bar.heat", metric(MetricId::memoryBytes).title);
    pick("bar.goalY", metric(MetricId::kvCacheBytes).title);
    pick("bar.designY", "d_model"); // which x has: they change places

    EXPECT_EQ(heat().metric, MetricId::memoryBytes);
    EXPECT_EQ(front().goals[1], usualGoal(MetricId::kvCacheBytes));
    EXPECT_EQ(heat().y.key, "d_model");
    EXPECT_EQ(heat().x.key, "layers");
    EXPECT_EQ(child<ChoiceChip>("bar.designY").value(), QStringLiteral("d_model"));
    EXPECT_EQ(child<ChoiceChip>("bar.designX").value(), QStringLiteral("layers"));
    EXPECT_EQ(child<ChoiceChip>("bar.heat").value(), fromUtf8(metric(MetricId::memoryBytes).title));
}

TEST_F(DesignSpaceTest, FollowsTheModel)
{
    const FieldValue before = heat().x.values.front();
    setParameter(document(),
                 matchingParameters(document().scenario(), "d_model").front(),
                 std::int64_t{1536});

    EXPECT_NE(heat().x.values.front(), before);
    ASSERT_NE(heat().present(), nullptr);
    EXPECT_EQ(std::get<Count>(*heat().present()->value), *document().costSummary().flops);
}

TEST_F(DesignSpaceTest, ACellIsTakenOverAsOneStep)
{
    const int cell = cellThatIs(true);
    ASSERT_GE(cell, 0);
    const Count expected = std::get<Count>(*heat().cells[static_cast<std::size_t>(cell)].value);
    const Scenario before = document().scenario();
    const int steps = document().undoStack().count();

    view("panel.heat").setFocus();
    view("panel.heat").setCurrentHotspot(cell);
    QTest::keyClick(&view("panel.heat"), Qt::Key_Return);
    EXPECT_EQ(document().scenario(), before) << "it only offers";
    EXPECT_TRUE(offered().text().startsWith(QLatin1String("Use d_model ")));
    offered().trigger();

    EXPECT_EQ(*document().costSummary().flops, expected);
    EXPECT_EQ(document().undoStack().count(), steps + 1);
    document().undoStack().undo();
    EXPECT_EQ(document().scenario(), before);
}

TEST_F(DesignSpaceTest, ACellThatTiesLeadToIsTakenOverAsItIsShown)
{
    document().select(Selection::ofRun(0));
    const Parameter dFf = *firstParameter(document().scenario(), "blocks[0].d_ff");
    ASSERT_TRUE(tieParameter(document(), dFf, QStringLiteral("2*d_model")).ok());
    const int cell = cellThatIs(true);
    ASSERT_GE(cell, 0);
    const Count expected = std::get<Count>(*heat().cells[static_cast<std::size_t>(cell)].value);

    view("panel.heat").setFocus();
    view("panel.heat").setCurrentHotspot(cell);
    QTest::keyClick(&view("panel.heat"), Qt::Key_Return);
    offered().trigger();

    EXPECT_EQ(*document().costSummary().flops, expected);
    EXPECT_FALSE(document().rules().isEmpty());
}

TEST_F(DesignSpaceTest, AnAxisThatATieDrivesSaysSo)
{
    const Parameter width = *firstParameter(document().scenario(), "d_model");
    ASSERT_TRUE(tieParameter(document(), width, QStringLiteral("seq/2")).ok());
    window->settle();

    EXPECT_TRUE(view("panel.heat").figure()->summary().contains(QLatin1String("untie d_model")))
        << qPrintable(view("panel.heat").figure()->summary());
}

TEST_F(DesignSpaceTest, APointIsTakenOverWithTheKeyboard)
{
    FigureView& pareto = view("panel.pareto");
    const ParetoPoint& last = front().points.back();
    const double wanted = last.y;
    pareto.setFocus();
    QTest::keyClick(&pareto, Qt::Key_End);
    QTest::keyClick(&pareto, Qt::Key_Return);
    offered().trigger();

    ASSERT_TRUE(front().present.has_value());
    EXPECT_EQ(front().present->y, wanted);
}

TEST_F(DesignSpaceTest, AClickChoosesTheCellBelowThePointer)
{
    FigureView& map = view("panel.heat");
    const QPoint place = map.anchorOf(cellThatIs(true)).toPoint();
    QTest::mouseClick(&map, Qt::LeftButton, {}, place);

    EXPECT_TRUE(child<QMenu>("designOffer").isVisible());
    const auto design = map.figure()->design(map.hotspotAt(place));
    ASSERT_TRUE(design.has_value());
    EXPECT_EQ(offered().text(), QStringLiteral("Use ") + design->title);
}

TEST_F(DesignSpaceTest, WhatIsNotPossibleSaysWhyAndChangesNothing)
{
    pick("bar.designY", "heads"); // few of them divide every width
    const int cell = cellThatIs(false);
    ASSERT_GE(cell, 0);
    const Scenario before = document().scenario();
    QSignalSpy refused(&document(), &Document::changeRefused);

    view("panel.heat").setFocus();
    view("panel.heat").setCurrentHotspot(cell);
    QTest::keyClick(&view("panel.heat"), Qt::Key_Return);

    ASSERT_EQ(refused.size(), 1);
    EXPECT_EQ(refused.front().front().toString().toStdString(),
              heat().cells[static_cast<std::size_t>(cell)].problem);
    EXPECT_EQ(document().scenario(), before);
    EXPECT_EQ(window->findChild<QMenu*>(QStringLiteral("designOffer")), nullptr);
}

TEST_F(DesignSpaceTest, TheTablesHaveTheNumbersOfTheCharts)
{
    for (const char* name : {"panel.heat", "panel.pareto"}) {
        ChartPanel& panel = child<ChartPanel>(name);
        panel.tabs().setCurrentIndex(1);
        ASSERT_SOON(panel.table().rowCount() > 3);
        EXPECT_EQ(panel.table().table().rows, panel.view().figure()->shownTable().table.rows);
    }
}

} // namespace
} // namespace flopsmith::ui
