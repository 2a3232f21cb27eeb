// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table/table_copy.h"

#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/document/edits/model_edit.h"
#include "ui/widgets/table/figures_view.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

class ChartTableTest : public test::WindowTest
{
protected:
    ChartTableTest()
        : share(*window->chartPanels().front())
        , table(shownTable())
    {
        replaceModel(window->document(), *presetNamed("gpt2-half-swapped"));
        QTest::qWait(0);
        EXPECT_TRUE(QTest::qWaitFor([this] { return share.table().rowCount() > 3; }));
    }

    FiguresView& shownTable()
    {
        share.tabs().setCurrentIndex(1);
        return child<FiguresView>("panel.share.table");
    }

    QStringList copied() const
    {
        return QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }

    ChartPanel& share;
    FiguresView& table;
};

TEST_F(ChartTableTest, CtrlCCopiesEverythingWithTabsAndItsSumIsTheWhole)
{
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);

    const QStringList lines = copied();
    ASSERT_EQ(lines.size(), share.table().rowCount() + 1);
    EXPECT_TRUE(lines.front().startsWith(QStringLiteral("component\tFLOPs, G\tshare, %")));
    double sum = 0.0;
    for (qsizetype i = 1; i + 1 < lines.size(); ++i) {
        sum += lines.at(i).section(QLatin1Char('\t'), 1, 1).toDouble();
    }
    EXPECT_NEAR(sum, lines.back().section(QLatin1Char('\t'), 1, 1).toDouble(), 1e-9 * sum);
    EXPECT_TRUE(window->messages().sentence().contains(QStringLiteral("rows copied")));
}

TEST_F(ChartTableTest, CopiesTheChosenRowsAsMarkdownUnderTheTitleOfTheChart)
{
    table.selectRow(2);
    child<QMenu>("panel.share.table.copy.menu").actions().at(1)->trigger();

    const QStringList lines = copied();
    ASSERT_EQ(lines.size(), 4);
    EXPECT_TRUE(lines.at(0).startsWith(share.view().figure()->title()));
    EXPECT_TRUE(lines.at(1).contains(QStringLiteral("| FLOPs, G |")));
    EXPECT_TRUE(
        lines.at(3).startsWith(QStringLiteral("| ") + share.table().index(2, 0).data().toString()));
}

TEST_F(ChartTableTest, TheButtonIsThereWithTheTableAndByKeys)
{
    auto& button = child<QToolButton>("panel.share.table.copy");
    EXPECT_TRUE(button.isVisible());
    EXPECT_NE(button.focusPolicy() & Qt::TabFocus, 0);
    EXPECT_EQ(table.contextMenuPolicy(), Qt::ActionsContextMenu);
    EXPECT_EQ(table.actions().size(), 2);

    share.tabs().setCurrentIndex(0);

    EXPECT_FALSE(button.isVisible());
}

TEST_F(ChartTableTest, NamesStayWhileFiguresScroll)
{
    share.setFixedWidth(260);
    QTest::qWait(0);
    ASSERT_GT(table.horizontalScrollBar()->maximum(), 0);
    auto& names = child<QTableView>("panel.share.table.names");
    EXPECT_FALSE(names.isVisible());

    table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());

    EXPECT_TRUE(names.isVisible());
    EXPECT_EQ(names.width(), table.columnWidth(0));
    EXPECT_EQ(names.indexAt({5, 5}).column(), 0);
    table.horizontalScrollBar()->setValue(0);
    EXPECT_FALSE(names.isVisible());
}

TEST_F(ChartTableTest, AFewColumnsFitIntoTheirPanel)
{
    for (ChartPanel* panel : window->chartPanels()) {
        panel->tabs().setCurrentIndex(1);
    }
    window->pages().setCurrent(1);
    window->settle();
    auto& memory = child<FiguresView>("panel.memory.table");
    ASSERT_SOON(memory.model()->rowCount() > 3);

    EXPECT_LE(memory.horizontalHeader()->length(), memory.viewport()->width());
}

} // namespace
} // namespace flopsmith::ui
