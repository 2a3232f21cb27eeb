// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_accessible.h"

#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QTest>

namespace flopsmith::ui {
namespace {

class StackAccessibleTest : public testing::Test
{
protected:
    StackAccessibleTest()
    {
        view.resize(700, 900);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        document.select(Selection::ofRun(0));
    }

    QAccessibleInterface& tree() { return *QAccessible::queryAccessibleInterface(&view); }
    int rows() { return static_cast<int>(view.picture().rows.size()); }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    StackView view{document};
};

TEST_F(StackAccessibleTest, IsATreeOfRowsAndTheirParts)
{
    EXPECT_EQ(tree().role(), QAccessible::Tree);
    EXPECT_EQ(tree().text(QAccessible::Name), QStringLiteral("Stack of blocks"));
    ASSERT_GE(tree().childCount(), rows());
    for (int i = 0; i < rows(); ++i) {
        const StackRow& shown = view.picture().rows[static_cast<std::size_t>(i)];
        QAccessibleInterface& row = *tree().child(i);
        EXPECT_EQ(row.role(), QAccessible::TreeItem);
        EXPECT_EQ(row.text(QAccessible::Name).toStdString(), shown.title);
        EXPECT_EQ(row.parent(), &tree());
        EXPECT_EQ(tree().indexOfChild(&row), i);
        ASSERT_EQ(row.childCount(), static_cast<int>(shown.parts.size()));
        for (int j = 0; j < row.childCount(); ++j) {
            const StackPart& part = shown.parts[static_cast<std::size_t>(j)];
            QAccessibleInterface& item = *row.child(j);
            EXPECT_EQ(item.text(QAccessible::Name).toStdString(), part.title);
            EXPECT_EQ(item.text(QAccessible::Value).toStdString(), part.bar.text);
            EXPECT_TRUE(
                row.text(QAccessible::Value).contains(QString::fromStdString(part.bar.text)));
            EXPECT_EQ(item.parent(), &row);
            EXPECT_EQ(row.indexOfChild(&item), j);
            EXPECT_TRUE(row.rect().contains(item.rect()));
        }
    }
}

TEST_F(StackAccessibleTest, SaysWhatIsSelectedAndWhatHasTheFocus)
{
    document.select(Selection::ofRuns({0, 1}, 1));

    for (int i = 0; i < rows(); ++i) {
        const StackRow& shown = view.picture().rows[static_cast<std::size_t>(i)];
        const QAccessible::State state = tree().child(i)->state();
        const bool isRun = shown.kind == StackRow::Kind::run;
        EXPECT_EQ(state.selected != 0, isRun) << shown.title;
        EXPECT_EQ(state.focused != 0, isRun && shown.run == 1) << shown.title;
        EXPECT_EQ(state.multiSelectable != 0, isRun) << shown.title;
    }
    EXPECT_EQ(tree().focusChild(), tree().child(view.currentRow()));
}

TEST_F(StackAccessibleTest, ARowIsFoundByItsPlaceAndSelectedByItsAction)
{
    for (int i = 0; i < rows(); ++i) {
        QAccessibleInterface& row = *tree().child(i);
        const QPoint middle = row.rect().center();
        EXPECT_EQ(tree().childAt(middle.x(), middle.y()), &row);

        row.actionInterface()->doAction(QAccessibleActionInterface::pressAction());

        EXPECT_EQ(view.currentRow(), i);
    }
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(StackAccessibleTest, FollowsTheDocument)
{
    QAccessibleInterface* last = tree().child(rows() - 1);
    QAccessibleInterface* ffn = tree().child(1)->child(1);
    EXPECT_TRUE(last->isValid());
    const QString before = ffn->text(QAccessible::Value);

    view.actionsOfStack().muteFfn().trigger();
    view.refresh();
    EXPECT_NE(ffn->text(QAccessible::Value), before);

    document.apply(QStringLiteral("Delete"),
                   [](DocumentState& state) { removeRuns(state.scenario, {1}); });
    view.refresh();
    EXPECT_FALSE(last->isValid());
    EXPECT_TRUE(last->state().invalid);
    EXPECT_EQ(last->text(QAccessible::Name), QString());
    EXPECT_EQ(tree().child(rows() - 1)->text(QAccessible::Name).toStdString(),
              view.picture().rows.back().title);
}

} // namespace
} // namespace flopsmith::ui
