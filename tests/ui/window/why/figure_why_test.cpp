// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/chart_pages/claims_window.h"
#include "ui/document/edits/model_edit.h"
#include "ui/widgets/explain/explainer.h"

#include <QTableView>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace flopsmith::ui {
namespace {

class FigureWhyTest : public test::WindowTest
{
protected:
    FigureWhyTest()
    {
        window->resize(1440, 900);
        replaceModel(window->document(), *findPreset("gpt2-half-swapped"));
        window->settle();
    }

    Explainer& card() { return Explainer::of(*window); }

    // With plain spaces between groups of digits.
    static QString plain(QString text)
    {
        return text.replace(QChar(0x202F), QLatin1Char(' ')).replace(QChar(0xA0), QLatin1Char(' '));
    }

    // A point on each hotspot that the pointer reaches.
    static std::map<int, QPoint> reachable(FigureView& view)
    {
        constexpr int kStep = 5;
        std::map<int, QPoint> points;
        for (int y = 0; y < view.height(); y += kStep) {
            for (int x = 0; x < view.width(); x += kStep) {
                if (const int hotspot = view.hotspotAt(QPointF(x, y)); hotspot >= 0) {
                    points.emplace(hotspot, QPoint(x, y));
                }
            }
        }
        return points;
    }

    ChartPanel& panelOf(ChartId chart)
    {
        const auto& all = window->pages().panels();
        const auto found = std::ranges::find_if(
            all, [chart](const ChartPanel* panel) { return panel->chart() == chart; });
        EXPECT_NE(found, all.end());
        return **found;
    }

    // Clicks the text of every tick, and says how many there are.
    int openedTicks(ChartPanel& panel)
    {
        std::set<std::pair<AxisSide, QString>> opened;
        FigureView& view = panel.view();
        constexpr int kStep = 5;
        for (int y = 0; y < view.height(); y += kStep) {
            for (int x = 0; x < view.width(); x += kStep) {
                const std::optional<Label> tick = view.tickAt(QPointF(x, y));
                if (!tick || !opened.emplace(tick->tick->side, tick->text).second) {
                    continue;
                }
                QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(x, y));
                EXPECT_TRUE(card().isVisible()) << qPrintable(panel.objectName());
                EXPECT_TRUE(card().shownText().contains(tick->text.toHtmlEscaped()))
                    << qPrintable(card().shownText());
                QTest::keyClick(&card(), Qt::Key_Escape);
            }
        }
        return static_cast<int>(opened.size());
    }

    // Clicks every figure of the chart; those that stand for designs offer them instead.
    int openedCards(ChartPanel& panel)
    {
        int opened = 0;
        for (const auto& [hotspot, point] : reachable(panel.view())) {
            if (panel.view().figure()->design(hotspot)) {
                continue;
            }
            QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, point);
            EXPECT_TRUE(card().isVisible()) << qPrintable(panel.objectName()) << hotspot;
            EXPECT_FALSE(card().shownText().trimmed().isEmpty());
            EXPECT_TRUE(window->rect().contains(card().geometry()));
            QTest::keyClick(&card(), Qt::Key_Escape);
            EXPECT_FALSE(card().isVisible());
            opened += card().isVisible() ? 0 : 1;
        }
        return opened;
    }
};

TEST_F(FigureWhyTest, AClickOnAnyFigureOfAnyPageOpensItsCard)
{
    ChartPages& charts = window->pages();
    int opened = 0;
    for (int page = 0; page < charts.count(); ++page) {
        charts.setCurrent(page);
        window->settle();
        for (ChartPanel* panel : charts.panels()) {
            if (panel->isVisible() && panel->view().hasFigure()) {
                opened += openedCards(*panel);
            }
        }
    }
    EXPECT_GT(opened, 20);
}

TEST_F(FigureWhyTest, AClickOnATickSaysWhatStandsThere)
{
    ChartPages& charts = window->pages();
    for (int page = 0; page < charts.count(); ++page) {
        charts.setCurrent(page);
        window->settle();
        for (ChartPanel* panel : charts.panels()) {
            const bool hasAxis = panel->chart() == ChartId::scaling
                || panel->chart() == ChartId::roofline || panel->chart() == ChartId::memory
                || panel->chart() == ChartId::heat || panel->chart() == ChartId::pareto;
            if (panel->isVisible() && panel->view().hasFigure() && !panel->view().isEmpty()) {
                EXPECT_EQ(openedTicks(*panel) > 3, hasAxis || panel->chart() == ChartId::waterfall)
                    << qPrintable(panel->objectName());
            }
        }
    }
}

TEST_F(FigureWhyTest, ATickOfALengthSaysWhatEachCurveHasThere)
{
    FigureView& view = panelOf(ChartId::scaling).view();
    const Figure& figure = *view.figure();
    const TickMeaning meaning =
        figure.tickMeaning({.side = AxisSide::x, .scale = AxisScale::log2, .value = 1024.0});
    const Document& document = window->document();
    const Count cost = priced(document.lens(), document.costTree().total().count);

    ASSERT_FALSE(meaning.lines.empty());
    EXPECT_EQ(plain(meaning.lines.front().value),
              plain(QString::fromStdString(siText(toDouble(cost)))));
}

TEST_F(FigureWhyTest, AClaimSaysWhatItMeans)
{
    ClaimsWindow& claims = window->showClaims();
    claims.flush();
    FigureView& view = claims.panel().view();
    const auto points = reachable(view);
    ASSERT_FALSE(points.empty());
    const QString meaning = view.hotspot(points.begin()->first)->meaning;
    EXPECT_FALSE(meaning.isEmpty());
    QTest::mouseClick(&view, Qt::LeftButton, {}, points.begin()->second);

    Explainer& shown = Explainer::of(claims);
    ASSERT_TRUE(shown.isVisible());
    EXPECT_TRUE(plain(shown.shownText()).contains(plain(meaning))) << qPrintable(shown.shownText());
}

TEST_F(FigureWhyTest, ASliceIsExplainedByTheFormulaOfItsComponent)
{
    FigureView& view = panelOf(ChartId::share).view();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Right); // the whole
    QTest::keyClick(&view, Qt::Key_Right); // its first slice
    QTest::keyClick(&view, Qt::Key_Return);

    EXPECT_TRUE(card().isVisible());
    EXPECT_TRUE(card().shownText().contains(QStringLiteral("= ")))
        << qPrintable(card().shownText());
}

TEST_F(FigureWhyTest, AFigureOfTheCostTableSaysWhyOnADoubleClick)
{
    window->pages().setCurrentName(QStringLiteral("costs"));
    window->settle();
    auto& table = child<QTableView>("costs.table");
    ASSERT_TRUE(table.isVisible());
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const QModelIndex index = table.model()->index(1, column);
        table.scrollTo(index);
        const QPoint place = table.visualRect(index).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);

        EXPECT_TRUE(card().isVisible()) << column;
        EXPECT_FALSE(card().shownText().trimmed().isEmpty());
        QTest::keyClick(&card(), Qt::Key_Escape);
    }
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_Return);
    EXPECT_TRUE(card().isVisible());
}

TEST_F(FigureWhyTest, ABarOfTheStackSaysWhyThePartCostsSoMuch)
{
    StackView& stack = window->stack();
    const StackLayout& layout = stack.stackLayout();
    int opened = 0;
    for (std::size_t row = 0; row < layout.geometry.rows.size(); ++row) {
        stack.showRow(static_cast<int>(row));
        for (std::size_t part = 0; part < layout.geometry.rows[row].parts.size(); ++part) {
            const QRectF value = layout.geometry.rows[row].parts[part].value;
            const QPoint place = stack.mapFromScene(value.center());
            if (!stack.viewport()->rect().contains(place)) {
                continue;
            }
            QTest::mouseClick(stack.viewport(), Qt::LeftButton, {}, place);
            QCoreApplication::processEvents();

            ASSERT_TRUE(card().isVisible()) << row << ", " << part;
            const auto bar =
                QString::fromStdString(layout.picture.rows[row].parts[part].bar.exactText);
            EXPECT_TRUE(plain(card().shownText()).contains(plain(bar)))
                << qPrintable(bar) << "\n"
                << qPrintable(card().shownText());
            QTest::keyClick(&card(), Qt::Key_Escape);
            ++opened;
        }
    }
    EXPECT_GT(opened, 3);
}

} // namespace
} // namespace flopsmith::ui
