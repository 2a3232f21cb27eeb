// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/zoom/minimap.h"

#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QImage>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <vector>

namespace flopsmith::ui {
namespace {

class MinimapTest : public testing::Test
{
protected:
    MinimapTest()
    {
        view.resize(600, 400);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
    }

    void showRuns(int count)
    {
        Model model = *presetNamed("gpt2-half-swapped");
        const std::vector<BlockRun> both = model.runs;
        model.runs.clear();
        for (int i = 0; i < count; ++i) {
            model.runs.push_back({both[static_cast<std::size_t>(i % 2)].block, 1});
        }
        replaceModel(document, model);
        view.refresh();
        QCoreApplication::processEvents();
    }

    Minimap& minimap() { return *view.findChild<Minimap*>(); }
    QScrollBar& scroll() { return *view.verticalScrollBar(); }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    StackView view{document};
};

TEST_F(MinimapTest, IsThereForATallStackOnly)
{
    EXPECT_FALSE(minimap().isVisible());
    const int width = view.viewport()->width();

    showRuns(30);
    EXPECT_TRUE(minimap().isVisible());
    EXPECT_LT(view.viewport()->width(), width);
    EXPECT_FALSE(minimap().geometry().intersects(view.viewport()->geometry()));
    EXPECT_TRUE(view.rect().contains(minimap().geometry()));

    view.zoom().toFit();
    EXPECT_FALSE(minimap().isVisible());
    view.zoom().set(1.0);
    showRuns(2);
    EXPECT_FALSE(minimap().isVisible());
    EXPECT_EQ(view.viewport()->width(), width);
}

TEST_F(MinimapTest, AltMHidesAndShowsIt)
{
    showRuns(30);
    QTest::keyClick(&view, Qt::Key_M, Qt::ControlModifier);
    EXPECT_FALSE(minimap().isVisible());
    QTest::keyClick(&view, Qt::Key_M, Qt::ControlModifier);
    EXPECT_TRUE(minimap().isVisible());
}

TEST_F(MinimapTest, AClickCentresTheViewOnItWithinAPixel)
{
    showRuns(40);
    for (int place = 0; place < minimap().height(); place += 7) {
        QTest::mouseClick(&minimap(), Qt::LeftButton, {}, QPoint(5, place));

        const MinimapSpan frame = minimap().frame();
        const bool atAnEnd = scroll().value() == 0 || scroll().value() == scroll().maximum();
        EXPECT_TRUE(atAnEnd || std::abs(frame.top + frame.height / 2.0 - place) <= 1.0) << place;
    }
}

TEST_F(MinimapTest, ADragPans)
{
    showRuns(40);
    QTest::mousePress(&minimap(), Qt::LeftButton, {}, QPoint(5, 100));
    const int before = scroll().value();
    QMouseEvent move(QEvent::MouseMove,
                     QPointF(5, 200),
                     minimap().mapToGlobal(QPointF(5, 200)),
                     Qt::NoButton,
                     Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&minimap(), &move);
    QTest::mouseRelease(&minimap(), Qt::LeftButton, {}, QPoint(5, 200));

    EXPECT_GT(scroll().value(), before);
}

TEST_F(MinimapTest, TheWheelScrollsTheStack)
{
    showRuns(40);
    scroll().setValue(500);
    QWheelEvent down(QPointF(5, 50),
                     minimap().mapToGlobal(QPointF(5, 50)),
                     QPoint(),
                     QPoint(0, -120),
                     Qt::NoButton,
                     Qt::NoModifier,
                     Qt::NoScrollPhase,
                     false);
    QCoreApplication::sendEvent(&minimap(), &down);

    EXPECT_EQ(scroll().value(), 620);
}

TEST_F(MinimapTest, TheFrameFollowsTheScrollBarAndSaysWhichRowsAreInView)
{
    showRuns(40);
    scroll().setValue(0);
    const MinimapSpan top = minimap().frame();
    EXPECT_TRUE(minimap().accessibleDescription().startsWith(QStringLiteral("Rows 1 to ")));

    scroll().setValue(scroll().maximum());
    EXPECT_GT(minimap().frame().top, top.top);
    EXPECT_TRUE(minimap().accessibleDescription().endsWith(QStringLiteral("43 of 43 in view")))
        << qPrintable(minimap().accessibleDescription());
}

TEST_F(MinimapTest, ItShowsWhatIsSelected)
{
    showRuns(40);
    document.select(Selection::ofRun(20));
    const QImage one = minimap().grab().toImage();
    const int scrolled = scroll().value();
    document.select(Selection::ofRuns({20, 21}, 20));
    ASSERT_EQ(scroll().value(), scrolled);

    EXPECT_NE(minimap().grab().toImage(), one);
}

} // namespace
} // namespace flopsmith::ui
