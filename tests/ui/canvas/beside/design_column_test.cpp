// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column.h"

#include "core/model/presets.h"
#include "tests/support/patterned.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

namespace flopsmith::ui {
namespace {

class DesignColumnTest : public testing::Test
{
protected:
    DesignColumnTest()
    {
        view.resize(900, 500);
        view.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
    }

    void showBeside(const Model& model)
    {
        view.beside().show(
            BesideDesign{QStringLiteral("A %1").arg(model.name.c_str()), Scenario{.model = model}});
        QCoreApplication::processEvents();
    }

    DesignColumn& column() { return view.beside().column(); }

    int boxOf(ColumnBox::Mark mark)
    {
        for (std::size_t box = 0; box < column().boxes().size(); ++box) {
            if (column().boxes()[box].mark == mark) {
                return static_cast<int>(box);
            }
        }
        return -1;
    }

    // Top of a row as seen in the viewport.
    double topOf(int row)
    {
        return view
            .mapFromScene(
                view.geometryOfStack().rows[static_cast<std::size_t>(row)].frame.topLeft())
            .y();
    }

    void expectAligned()
    {
        double below = -1e9;
        for (std::size_t box = 0; box < column().boxes().size(); ++box) {
            const QRectF place = column().placeOf(static_cast<int>(box));
            EXPECT_GT(place.height(), 0.0);
            EXPECT_GE(place.top(), below) << column().boxes()[box].text();
            below = place.bottom();
        }
        const auto& rows = view.geometryOfStack().rows;
        for (std::size_t row = 1; row < rows.size(); ++row) {
            EXPECT_GE(rows[row].frame.top(), rows[row - 1].frame.bottom());
        }
        EXPECT_GE(view.geometryOfStack().dropZone.top(), rows.back().frame.bottom());
    }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    StackView view{document};
};

TEST_F(DesignColumnTest, IsBesideTheViewportAsLongAsADesignIs)
{
    const int width = view.viewport()->width();
    const StackGeometry before = view.geometryOfStack();
    EXPECT_FALSE(column().isVisible());

    showBeside(*presetNamed("gpt2"));
    EXPECT_TRUE(column().isVisible());
    EXPECT_LT(view.viewport()->width(), width);
    EXPECT_FALSE(column().geometry().intersects(view.viewport()->geometry()));
    EXPECT_TRUE(view.rect().contains(column().geometry()));
    EXPECT_TRUE(column().accessibleName().contains(QLatin1String("GPT-2")));

    view.beside().show(std::nullopt);
    QCoreApplication::processEvents();
    EXPECT_FALSE(column().isVisible());
    EXPECT_EQ(view.viewport()->width(), width);
    EXPECT_EQ(view.geometryOfStack(), before);
}

TEST_F(DesignColumnTest, StaysAlignedWhileTheStackZoomsScrollsAndChanges)
{
    showBeside(*presetNamed("llama-3-8b"));
    for (const double zoom : {0.1, 0.5, 1.0, 2.0}) {
        view.zoom().set(zoom);
        expectAligned();
        EXPECT_NEAR(column().placeOf(0).top(), topOf(0), 1.5) << zoom;
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
        EXPECT_NEAR(column().placeOf(0).top(), topOf(0), 1.5) << zoom;
    }
    replaceModel(document, test::patterned());
    view.refresh();
    expectAligned();
    EXPECT_NEAR(column().placeOf(0).top(), topOf(0), 1.5);
}

TEST_F(DesignColumnTest, AClickSelectsTheCounterpartAndChangesNothing)
{
    showBeside(*presetNamed("gpt2"));
    const int box = boxOf(ColumnBox::Mark::changed);
    ASSERT_GE(box, 0);
    const int row = column().boxes()[static_cast<std::size_t>(box)].row;
    const Scenario before = document.scenario();

    QTest::mouseClick(&column(), Qt::LeftButton, {}, column().placeOf(box).center().toPoint());

    EXPECT_EQ(view.currentRow(), row);
    EXPECT_TRUE(column().isSelected(box));
    for (const Qt::Key key : {Qt::Key_Delete, Qt::Key_H, Qt::Key_M, Qt::Key_Backspace}) {
        QTest::keyClick(&column(), key);
    }
    EXPECT_EQ(document.scenario(), before);
    EXPECT_FALSE(document.isModified());
}

TEST_F(DesignColumnTest, KeysGoFromBoxToBox)
{
    showBeside(*presetNamed("gpt2"));
    QTest::keyClick(&column(), Qt::Key_Home);
    EXPECT_EQ(column().currentBox(), 0);
    QTest::keyClick(&column(), Qt::Key_Down);
    QTest::keyClick(&column(), Qt::Key_Return);
    EXPECT_EQ(view.currentRow(), column().boxes()[1].row);
    QTest::keyClick(&column(), Qt::Key_End);
    EXPECT_EQ(column().currentBox(), static_cast<int>(column().boxes().size()) - 1);
}

TEST_F(DesignColumnTest, TheWheelScrollsTheStack)
{
    view.zoom().set(kMaxZoom);
    showBeside(*presetNamed("gpt2"));
    ASSERT_GT(view.verticalScrollBar()->maximum(), 0);
    const QPointF middle = QRectF(column().rect()).center();
    QWheelEvent down(middle,
                     column().mapToGlobal(middle),
                     {},
                     {0, -120},
                     Qt::NoButton,
                     Qt::NoModifier,
                     Qt::NoScrollPhase,
                     false);

    QCoreApplication::sendEvent(&column(), &down);

    EXPECT_GT(view.verticalScrollBar()->value(), 0);
}

TEST_F(DesignColumnTest, EveryBoxIsAnAccessibleItemThatSaysWhatItIs)
{
    showBeside(*presetNamed("gpt2"));
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&column());
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->role(), QAccessible::List);
    ASSERT_EQ(list->childCount(), static_cast<int>(column().boxes().size()));
    for (int box = 0; box < list->childCount(); ++box) {
        QAccessibleInterface* item = list->child(box);
        ASSERT_NE(item, nullptr);
        const ColumnBox& shown = column().boxes()[static_cast<std::size_t>(box)];
        EXPECT_EQ(item->text(QAccessible::Name), QString::fromStdString(shown.text()));
        EXPECT_EQ(list->indexOfChild(item), box);
        EXPECT_TRUE(item->state().readOnly);
    }
    const int box = boxOf(ColumnBox::Mark::changed);
    list->child(box)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_EQ(view.currentRow(), column().boxes()[static_cast<std::size_t>(box)].row);
}

} // namespace
} // namespace flopsmith::ui
