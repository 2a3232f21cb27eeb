// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/large_chart.h"

#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"

#include <QAction>

#include <map>

namespace flopsmith::ui {
namespace {

class LargeChartTest : public test::WindowTest
{
protected:
    LargeChartTest()
    {
        for (ChartPanel* each : window->pages().panels()) {
            all[*each->chart()] = each;
        }
    }

    LargeChart& large() { return window->pages().largeChart(); }

    void doubleClick(ChartId chart, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseDClick(&all.at(chart)->view(),
                           Qt::LeftButton,
                           modifiers,
                           all.at(chart)->view().rect().center());
    }

    bool isShown(ChartId chart) { return all.at(chart)->isVisible(); }

    std::map<ChartId, ChartPanel*> all;
};

TEST_F(LargeChartTest, ADoubleClickGivesAChartItsPageAndEscGivesItBack)
{
    const int before = all.at(ChartId::scaling)->width();
    doubleClick(ChartId::scaling);
    QCoreApplication::processEvents();

    EXPECT_TRUE(isShown(ChartId::scaling));
    EXPECT_FALSE(isShown(ChartId::share));
    EXPECT_FALSE(isShown(ChartId::runtime));
    EXPECT_GT(all.at(ChartId::scaling)->width(), 2 * before);
    EXPECT_TRUE(window->stack().isVisible());

    QTest::keyClick(&all.at(ChartId::scaling)->view(), Qt::Key_Escape);
    EXPECT_TRUE(isShown(ChartId::share) && isShown(ChartId::runtime));
    QCoreApplication::processEvents();
    EXPECT_EQ(all.at(ChartId::scaling)->width(), before);
}

TEST_F(LargeChartTest, WithCtrlItTakesTheWindow)
{
    doubleClick(ChartId::share, Qt::ControlModifier);

    EXPECT_TRUE(isShown(ChartId::share));
    EXPECT_FALSE(window->stack().isVisible());

    doubleClick(ChartId::share, Qt::ControlModifier);
    EXPECT_TRUE(window->stack().isVisible());
    EXPECT_EQ(large().size(), LargeChart::Size::usual);
}

TEST_F(LargeChartTest, AnotherPageEndsIt)
{
    doubleClick(ChartId::share, Qt::ControlModifier);
    window->pages().setCurrent(1);

    EXPECT_TRUE(window->stack().isVisible());
    EXPECT_TRUE(isShown(ChartId::memory) && isShown(ChartId::roofline));
    window->pages().setCurrent(0);
    EXPECT_TRUE(isShown(ChartId::share) && isShown(ChartId::scaling));
}

TEST_F(LargeChartTest, AnActionDoesTheSameForTheChartWithTheFocus)
{
    all.at(ChartId::runtime)->view().setFocus();
    large().actions().front()->trigger();

    EXPECT_TRUE(large().actions().front()->isChecked());
    EXPECT_TRUE(isShown(ChartId::runtime));
    EXPECT_FALSE(isShown(ChartId::share));

    large().actions().front()->trigger();
    EXPECT_FALSE(large().actions().front()->isChecked());
    EXPECT_TRUE(isShown(ChartId::share));
}

} // namespace
} // namespace flopsmith::ui
