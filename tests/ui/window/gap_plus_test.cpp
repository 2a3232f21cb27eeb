// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/gap_plus.h"

#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/widgets/typed/typed_list.h"

namespace flopsmith::ui {
namespace {

class GapPlusTest : public test::WindowTest
{
protected:
    GapPlusTest()
    {
        window->resize(1440, 1000);
        QCoreApplication::processEvents();
    }

    GapPlus& plus() { return child<GapPlus>("stack.plus"); }

    // Between a row and the one below it.
    QPoint below(std::size_t row)
    {
        const auto& rows = window->stack().geometryOfStack().rows;
        const QRectF upper = rows[row].frame;
        const double y = (upper.bottom() + rows[row + 1].frame.top()) / 2.0;
        return window->stack().mapFromScene(QPointF(upper.center().x(), y));
    }

    void hover(const QPoint& place)
    {
        // A server of windows tells of no move to where the pointer is already.
        QTest::mouseMove(window->stack().viewport(), place + QPoint(9, 0));
        QCoreApplication::processEvents();
        QTest::mouseMove(window->stack().viewport(), place);
        QCoreApplication::processEvents();
    }
};

TEST_F(GapPlusTest, StandsBetweenTheRowsWhereThePointerIs)
{
    hover(below(1)); // behind blocks 1 – 6
    ASSERT_SOON(plus().isVisible());
    EXPECT_EQ(plus().gap(), 6);
    EXPECT_LE(std::abs(plus().geometry().center().y() - below(1).y()), 6);

    const QRectF row = window->stack().geometryOfStack().rows[1].frame;
    hover(window->stack().mapFromScene(row.center()));
    EXPECT_FALSE(plus().isVisible()) << "a row is there to be selected and dragged";
}

TEST_F(GapPlusTest, AClickAsksWhatToInsertAndInsertsItThere)
{
    hover(below(1));
    ASSERT_SOON(plus().isVisible());
    QTest::mouseClick(&plus(), Qt::LeftButton);
    auto& list = child<TypedList>("stack.chooser");
    ASSERT_TRUE(list.isVisible());

    QTest::keyClicks(&list.box(), QStringLiteral("mixture"));
    QTest::keyClick(&list.box(), Qt::Key_Return);

    const Model& model = window->document().model();
    EXPECT_EQ(model.layers(), 13);
    EXPECT_EQ(model.runOf(6), 1);
    EXPECT_EQ(model.runs.size(), 3U);
    EXPECT_EQ(window->document().undoStack().count(), 1);
}

TEST_F(GapPlusTest, NothingIsInsertedBehindTheEnd)
{
    const auto& rows = window->stack().geometryOfStack().rows;
    hover(window->stack().mapFromScene(rows.back().frame.center() + QPointF(0.0, 200.0)));
    EXPECT_FALSE(plus().isVisible());
}

} // namespace
} // namespace flopsmith::ui
