// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/stack_view.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>

namespace flopsmith::ui {
namespace {

constexpr int kMostInMenu = 15;
constexpr int kMostInContextMenu = 12;

/// Menus with more entries than people read, and with how many.
class MenuWalk
{
public:
    void visit(QMenu& menu, int most)
    {
        if (m_seen.contains(&menu)) {
            return;
        }
        m_seen << &menu;
        Q_EMIT menu.aboutToShow(); // some are filled when they are shown
        int entries = 0;
        for (const QAction* action : menu.actions()) {
            const bool isHeading = action->property("heading").toBool();
            entries += action->isVisible() && !action->isSeparator() && !isHeading ? 1 : 0;
            if (action->menu() != nullptr) {
                visit(*action->menu(), kMostInMenu);
            }
        }
        if (entries > most) {
            m_large << QStringLiteral("%1 \"%2\": %3")
                           .arg(menu.objectName(), menu.title())
                           .arg(entries);
        }
    }

    QString large() const { return m_large.join(QLatin1Char('\n')); }
    qsizetype count() const { return m_seen.size(); }

private:
    QList<const QMenu*> m_seen;
    QStringList m_large;
};

class MenuSizesTest : public test::WindowTest
{};

TEST_F(MenuSizesTest, NoMenuOfTheWindowIsLongerThanPeopleRead)
{
    MenuWalk walk;
    for (QMenu* menu : window->findChildren<QMenu*>()) {
        walk.visit(*menu, kMostInMenu);
    }
    EXPECT_GT(walk.count(), 20);
    EXPECT_EQ(walk.large().toStdString(), "");
}

TEST_F(MenuSizesTest, NorIsTheMenuOfABlock)
{
    StackView& stack = window->stack();
    QContextMenuEvent event(
        QContextMenuEvent::Keyboard, stack.rect().center(), stack.mapToGlobal(QPoint(9, 9)));
    QCoreApplication::sendEvent(stack.viewport(), &event);
    auto* menu = window->findChild<QMenu*>(QStringLiteral("stack.menu"));
    ASSERT_NE(menu, nullptr);

    MenuWalk walk;
    walk.visit(*menu, kMostInContextMenu);
    EXPECT_EQ(walk.large().toStdString(), "");
    menu->close();
}

} // namespace
} // namespace flopsmith::ui
