// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QMenu>

namespace flopsmith::ui::test {

/// The entries of a menu and of its sub-menus, without separators.
inline QList<QAction*> entriesOf(const QMenu& menu)
{
    QList<QAction*> entries;
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            entries << entriesOf(*action->menu());
        } else if (!action->isSeparator()) {
            entries << action;
        }
    }
    return entries;
}

} // namespace flopsmith::ui::test
