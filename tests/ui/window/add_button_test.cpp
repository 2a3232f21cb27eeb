// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"
#include "ui/widgets/typed/typed_list.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>

namespace flopsmith::ui {
namespace {

class AddButtonTest : public test::WindowTest
{
protected:
    QPushButton& add() { return child<QPushButton>("stack.add"); }
    TypedList& list() { return child<TypedList>("stack.chooser"); }

    void click() { QTest::mouseClick(&add(), Qt::LeftButton); }

    void choose(const QString& text)
    {
        QTest::keyClicks(&list().box(), text);
        QTest::keyClick(&list().box(), Qt::Key_Return);
    }

    int bottomOfRow(int row)
    {
        const QRectF frame =
            window->stack().geometryOfStack().rows.at(static_cast<std::size_t>(row)).frame;
        return window->stack()
            .viewport()
            ->mapTo(window.get(), window->stack().mapFromScene(frame.bottomLeft()))
            .y();
    }
};

TEST_F(AddButtonTest, AsksWhatToInsertWhereItLandsAndLeavesTheFocusThere)
{
    window->document().select(Selection::ofRun(0));
    click();
    ASSERT_TRUE(list().isVisible());
    EXPECT_LE(std::abs(list().y() - bottomOfRow(1)), 8);

    choose(QStringLiteral("moe"));
    EXPECT_EQ(window->document().model().layers(), 13);
    EXPECT_TRUE(holds_alternative<MoeFfn>(window->document().model().runs.at(1).block.ffn));
    EXPECT_TRUE(window->stack().hasFocus());
    EXPECT_EQ(window->document().undoStack().count(), 1);
}

TEST_F(AddButtonTest, BesideAnotherPartBlocksLandThere)
{
    window->document().select(Selection::of(Selection::Part::embedding));
    click();
    choose(QStringLiteral("moe"));
    EXPECT_TRUE(holds_alternative<MoeFfn>(window->document().model().runs.front().block.ffn));

    window->document().select(Selection::of(Selection::Part::head));
    click();
    choose(QStringLiteral("moe"));
    EXPECT_TRUE(holds_alternative<MoeFfn>(window->document().model().runs.back().block.ffn));
    EXPECT_EQ(window->document().model().layers(), 14);
}

TEST_F(AddButtonTest, LeavesTheInsideOfABlock)
{
    window->stackPages().openInside();
    ASSERT_TRUE(window->stackPages().isInside());
    click();
    EXPECT_FALSE(window->stackPages().isInside());
    EXPECT_TRUE(list().isVisible());
}

TEST_F(AddButtonTest, EditsOfManyBlocksBeginInTheSameList)
{
    window->stack().actionsOfStack().patterns().everyNth().trigger();
    ASSERT_TRUE(list().isVisible());
    EXPECT_EQ(list().box().text(), QStringLiteral("every 4th "));
    choose(QStringLiteral("moe"));
    EXPECT_EQ(window->document().undoStack().count(), 1);

    window->document().undoStack().undo();
    window->stack().actionsOfStack().patterns().everyNth().trigger();
    list().box().setText(QStringLiteral("every"));
    ASSERT_EQ(list().rows().size(), 1U);
    EXPECT_FALSE(list().note().isEmpty()) << "what can be typed";
    QTest::keyClick(&list().box(), Qt::Key_Escape);

    window->stack().actionsOfStack().patterns().repeat().trigger();
    EXPECT_EQ(list().box().text(), QStringLiteral("repeat 1"));
    choose({});
    EXPECT_EQ(window->document().model().layers(), 18);
    EXPECT_TRUE(window->stack().hasFocus());
}

} // namespace
} // namespace flopsmith::ui
