// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/menu_heading.h"

namespace flopsmith::ui {

void addHeading(QMenu& menu, const QString& text)
{
    const bool first = menu.isEmpty();
    if (!first && menu.actions().front()->isEnabled()) {
        menu.addSeparator();
    }
    QAction* heading = menu.addAction(text);
    heading->setEnabled(false);
    heading->setProperty("heading", true);
}

QMenu& submenuOf(QMenu& menu, const QString& title)
{
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr && action->text() == title) {
            return *action->menu();
        }
    }
    QMenu& below = *menu.addMenu(title);
    below.setObjectName(menu.objectName() + QLatin1Char('.') + title);
    below.setAccessibleName(title);
    below.setToolTipsVisible(true);
    return below;
}

void clearMenu(QMenu& menu)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
}

} // namespace flopsmith::ui
