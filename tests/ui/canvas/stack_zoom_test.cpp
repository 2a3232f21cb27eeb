// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QImage>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <vector>

namespace flopsmith::ui {
namespace {

// Forty runs of one block, no two neighbours equal.
Scenario tallStack()
{
    Scenario scenario{.model = *presetNamed("gpt2-half-swapped")};
    std::vector<BlockRun> both = scenario.model.runs;
    scenario.model.runs.clear();
    for (std::size_t i = 0; i < 40; ++i) {
        scenario.model.runs.push_back({both[i % 2].block, 1});
    }
    return scenario;
}

class StackZoomTest : public testing::Test
{
protected:
    StackZoomTest()
    {
        view.resize(600, 400);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
    }

    QScrollBar& scroll() { return *view.verticalScrollBar(); }

    StackAnchor under(qreal height)
    {
        return anchorAt(view.geometryOfStack(), height + scroll().value());
    }

    void wheel(int y, int units, Qt::KeyboardModifiers modifiers)
    {
        const QPointF at(100.0, y);
        QWheelEvent event(at,
                          view.viewport()->mapToGlobal(at),
                          QPoint(),
                          QPoint(0, units),
                          Qt::NoButton,
                          modifiers,
                          Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(view.viewport(), &event);
    }

    Document document{tallStack()};
    StackView view{document};
};

TEST_F(StackZoomTest, ThePointUnderThePointerStaysThere)
{
    for (const double from : {0.3, 0.7, 1.0, 2.0}) {
        for (const double to : {0.2, 0.5, 0.9, 1.3, 3.0}) {
            for (const int height : {0, 90, 399}) {
                view.zoom().set(from);
                scroll().setValue(scroll().maximum() / 2);
                const StackAnchor before = under(height);
                const qreal start = heightOf(view.geometryOfStack(), before) - height;
                ASSERT_NEAR(start, scroll().value(), 1e-6);

                view.zoom().setAbout(to, height);

                const qreal wanted = heightOf(view.geometryOfStack(), before) - height;
                const qreal possible = std::clamp<qreal>(wanted, 0.0, scroll().maximum());
                EXPECT_NEAR(scroll().value(), possible, 1.0) << from << " " << to << " " << height;
            }
        }
    }
}

TEST_F(StackZoomTest, CtrlAndTheWheelZoomAboutThePointer)
{
    scroll().setValue(qRound(view.geometryOfStack().rows[10].frame.center().y()) - 150);
    const StackAnchor before = under(150);
    wheel(150, 240, Qt::ControlModifier);

    EXPECT_GT(view.zoom().factor(), 1.0);
    EXPECT_EQ(under(150).row, before.row);

    const double zoom = view.zoom().factor();
    const int place = scroll().value();
    wheel(150, -120, {});
    EXPECT_EQ(view.zoom().factor(), zoom);
    EXPECT_GT(scroll().value(), place) << "without Ctrl it scrolls";
}

TEST_F(StackZoomTest, APinchZooms)
{
    const auto pinched = [this](Qt::NativeGestureType type) {
        const QPointF at(100.0, 100.0);
        QNativeGestureEvent event(type,
                                  QPointingDevice::primaryPointingDevice(),
                                  2,
                                  at,
                                  at,
                                  view.viewport()->mapToGlobal(at),
                                  0.25,
                                  QPointF());
        QCoreApplication::sendEvent(view.viewport(), &event);
        return view.zoom().factor();
    };
    EXPECT_EQ(pinched(Qt::RotateNativeGesture), 1.0);
    EXPECT_EQ(pinched(Qt::ZoomNativeGesture), 1.25);
}

TEST_F(StackZoomTest, KeysZoomFitAndGoBack)
{
    QTest::keyClick(&view, Qt::Key_0, Qt::ControlModifier);
    EXPECT_LT(view.zoom().factor(), 1.0);
    EXPECT_EQ(scroll().maximum(), 0) << "all of it is in view";

    QTest::keyClick(&view, Qt::Key_1);
    EXPECT_EQ(view.zoom().factor(), 1.0);

    QTest::keyClick(&view, Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_GT(view.zoom().factor(), 1.0);
    QTest::keyClick(&view, Qt::Key_Minus, Qt::ControlModifier);
    EXPECT_EQ(view.zoom().factor(), 1.0);
}

TEST_F(StackZoomTest, ZShowsTheSelectedRowsAsLargeAsTheyFit)
{
    document.select(Selection::ofRuns({20, 21}, 20));
    QTest::keyClick(&view, Qt::Key_Z);

    EXPECT_GT(view.zoom().factor(), 1.0);
    const auto& rows = view.geometryOfStack().rows;
    EXPECT_GE(rows[21].frame.top() + 1.0, scroll().value());
    EXPECT_LE(rows[22].frame.bottom() - 1.0, scroll().value() + view.viewport()->height());
}

TEST_F(StackZoomTest, AHundredPercentIsThePictureOfBefore)
{
    const QImage before = view.grab().toImage();
    view.zoom().set(0.2);
    EXPECT_NE(view.grab().toImage(), before);
    view.zoom().set(1.0);
    scroll().setValue(0);

    EXPECT_EQ(view.grab().toImage(), before);
}

TEST_F(StackZoomTest, BarsHaveTheColoursOfTheirComponents)
{
    view.zoom().set(0.3);
    scroll().setValue(0);
    const QImage shown = view.viewport()->grab().toImage();
    for (const std::size_t row : {1U, 2U, 3U}) {
        const std::vector<QRectF>& bars = view.geometryOfStack().rows[row].bars;
        ASSERT_EQ(bars.size(), 2U);
        for (std::size_t part = 0; part < bars.size(); ++part) {
            EXPECT_EQ(shown.pixelColor(view.mapFromScene(bars[part].center())).rgb(),
                      colour(*view.picture().rows[row].parts[part].component).rgb())
                << row << " " << part;
        }
    }
}

TEST_F(StackZoomTest, OperationsStandBelowTheirPart)
{
    view.zoom().set(2.0);
    scroll().setValue(0);
    const QRectF place = view.geometryOfStack().rows[1].parts[0].operations;
    ASSERT_FALSE(place.isEmpty());
    const QImage shown = view.viewport()->grab().toImage();

    EXPECT_EQ(shown.pixelColor(view.mapFromScene(QPointF(place.left() + 3.0, place.bottom() - 2.5)))
                  .rgb(),
              colour(*view.picture().rows[1].parts[0].component).rgb());
}

TEST_F(StackZoomTest, EveryRowIsFoundUnderThePointerAtEveryZoom)
{
    for (const double zoom : {0.1, 0.3, 0.5, 1.0, 2.0}) {
        view.zoom().set(zoom);
        for (const int run : {0, 17, 39}) {
            document.select(Selection::of(Selection::Part::head));
            const QRectF frame =
                view.geometryOfStack().rows[static_cast<std::size_t>(run) + 1].frame;
            view.ensureVisible(frame);
            QTest::mouseClick(
                view.viewport(), Qt::LeftButton, {}, view.mapFromScene(frame.center()));
            EXPECT_EQ(document.selection(), Selection::ofRun(run)) << zoom;
        }
    }
}

TEST_F(StackZoomTest, PagesScroll)
{
    QTest::keyClick(&view, Qt::Key_PageDown);
    EXPECT_GT(scroll().value(), 100);
    QTest::keyClick(&view, Qt::Key_PageUp);
    EXPECT_EQ(scroll().value(), 0);
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_GT(scroll().value(), scroll().maximum() - 100);
}

TEST_F(StackZoomTest, TheNoteTellsTheZoom)
{
    const QString plain = view.zoom().note();
    view.zoom().set(0.5);
    EXPECT_EQ(view.zoom().note(), plain + QStringLiteral(", zoom 50 %"));
    view.zoom().set(1.0);
    EXPECT_EQ(view.zoom().note(), plain);
}

} // namespace
} // namespace flopsmith::ui
