// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/window/commands/action_text.h"

#include <QAccessible>
#include <QAction>
#include <QMenu>

namespace flopsmith::ui {
namespace {

class ActionTextsTest : public test::WindowTest
{
protected:
    // Some menus are filled when they are shown.
    ActionTextsTest()
    {
        for (QMenu* menu : window->findChildren<QMenu*>()) {
            Q_EMIT menu->aboutToShow();
        }
    }
};

TEST_F(ActionTextsTest, EveryActionHasATextAndATip)
{
    int seen = 0;
    for (const QAction* action : window->findChildren<QAction*>()) {
        if (action->isSeparator() || action->menu() != nullptr) {
            continue; // menus have names of their own
        }
        const std::string name =
            qPrintable(action->objectName() + QLatin1Char(' ') + action->text());
        EXPECT_FALSE(plainText(action->text()).isEmpty()) << name;
        EXPECT_FALSE(action->toolTip().trimmed().isEmpty()) << name;
        ++seen;
    }
    EXPECT_GT(seen, 80);
}

TEST_F(ActionTextsTest, EveryActionWithAKeyHasAName)
{
    QStringList names;
    for (const QAction* action : window->findChildren<QAction*>()) {
        if (!action->shortcuts().isEmpty()) {
            EXPECT_FALSE(action->objectName().isEmpty()) << qPrintable(action->text());
            names << action->objectName();
        }
    }
    EXPECT_GT(names.size(), 30);
    EXPECT_EQ(names.removeDuplicates(), 0);
}

// What screen readers say of the entries of a menu.
TEST_F(ActionTextsTest, EveryEntryOfAMenuIsAccessible)
{
    int seen = 0;
    for (QMenu* menu : window->findChildren<QMenu*>()) {
        EXPECT_FALSE(menu->accessibleName().isEmpty() && menu->title().isEmpty())
            << qPrintable(menu->objectName());
        const QAccessibleInterface* shown = QAccessible::queryAccessibleInterface(menu);
        ASSERT_NE(shown, nullptr);
        for (int entry = 0; entry < shown->childCount(); ++entry) {
            const QAccessibleInterface* accessible = shown->child(entry);
            if (accessible != nullptr && accessible->role() == QAccessible::MenuItem) {
                EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty())
                    << qPrintable(menu->objectName()) << " " << entry;
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 80);
}

} // namespace
} // namespace flopsmith::ui
