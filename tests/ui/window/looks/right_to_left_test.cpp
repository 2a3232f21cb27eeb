// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/looks/cut_widgets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_panel.h"
#include "ui/theme/elided_label.h"
#include "ui/window/bars/status_line.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>

namespace flopsmith::ui {
namespace {

// A warning by Qt fails every test.
class RightToLeftTest : public test::WindowTest
{
protected:
    RightToLeftTest()
    {
        QGuiApplication::setLayoutDirection(Qt::RightToLeft);
        open();
    }
    ~RightToLeftTest() override
    {
        window.reset();
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

    QRect placeOf(const char* name)
    {
        const auto& widget = child<QWidget>(name);
        return {widget.mapTo(window.get(), QPoint(0, 0)), widget.size()};
    }

    void expectFromRightToLeft(const char* first, const char* second)
    {
        EXPECT_GT(placeOf(first).left(), placeOf(second).right()) << first << ", " << second;
    }
};

TEST_F(RightToLeftTest, PanelsAndBarsAreMirrored)
{
    window->pages().setCurrent(0);
    QCoreApplication::processEvents();
    expectFromRightToLeft("panel.palette", "panel.stack");
    expectFromRightToLeft("panel.stack", "panel.inspector");
    expectFromRightToLeft("panel.share", "panel.scaling");
    expectFromRightToLeft("bar.model", "bar.lens");
    expectFromRightToLeft("headline.cost", "headline.parameters");
    expectFromRightToLeft("bar.device", "bar.measure");
}

TEST_F(RightToLeftTest, NothingIsCutOnAnyPage)
{
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        window->settle();
        QCoreApplication::processEvents();
        EXPECT_EQ(test::cutWidgets(*window).join(QStringLiteral("; ")).toStdString(), "") << page;
        EXPECT_FALSE(window->grab().isNull()); // painted without a warning
    }
    child<QAction>("view.lab").trigger();
    EXPECT_EQ(test::cutWidgets(*window).join(QStringLiteral("; ")).toStdString(), "");
    EXPECT_FALSE(window->grab().isNull());
}

TEST_F(RightToLeftTest, DiagramsReadFromLeftToRight)
{
    EXPECT_EQ(window->stack().layoutDirection(), Qt::LeftToRight);
    EXPECT_EQ(window->stackPages().inside().canvas().layoutDirection(), Qt::LeftToRight);
    for (ChartPanel* panel : window->chartPanels()) {
        EXPECT_EQ(panel->view().layoutDirection(), Qt::LeftToRight);
        EXPECT_EQ(panel->layoutDirection(), Qt::RightToLeft);
    }
}

TEST_F(RightToLeftTest, RowsOfTheStackDoNotOverlap)
{
    const StackGeometry& geometry = window->stack().geometryOfStack();
    ASSERT_GE(geometry.rows.size(), 3U);
    double bottom = 0.0;
    for (const RowGeometry& row : geometry.rows) {
        EXPECT_GE(row.frame.top(), bottom);
        EXPECT_GE(row.frame.left(), 0.0);
        EXPECT_LE(row.frame.right(), window->stack().viewport()->width());
        bottom = row.frame.bottom();
        for (const PartGeometry& part : row.parts) {
            EXPECT_LE(part.box.right(), part.bar.left());
            EXPECT_LE(part.bar.right(), part.value.left());
        }
    }
}

TEST_F(RightToLeftTest, TheMinimapIsBesideTheStack)
{
    window->stack().zoom().set(3.0);
    QCoreApplication::processEvents();
    const auto& minimap = child<QWidget>("stack.minimap");

    ASSERT_TRUE(minimap.isVisible());
    EXPECT_TRUE(window->stack().rect().contains(minimap.geometry()));
    EXPECT_FALSE(minimap.geometry().intersects(window->stack().viewport()->geometry()));
    EXPECT_GT(minimap.x(), window->stack().viewport()->geometry().right());
}

TEST_F(RightToLeftTest, ASentenceInTheStatusLineKeepsItsOrder)
{
    window->status().hint(QStringLiteral("d_ff = 4 × 768"));
    auto& sentence = child<ElidedLabel>("status.sentence");
    ElidedLabel other(ElidedLabel::Role::muted, Qt::AlignRight, sentence.parentWidget());
    other.setLayoutDirection(Qt::LeftToRight);
    other.setText(sentence.text());
    other.resize(sentence.size());

    EXPECT_EQ(sentence.grab().toImage(), other.grab().toImage());
}

} // namespace
} // namespace flopsmith::ui
