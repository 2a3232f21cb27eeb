// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/disabled_action.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>

namespace flopsmith::ui {

QString refusalOf(const QAction& action)
{
    const QString reason = action.property("disabledReason").toString();
    return reason.isEmpty()
        ? QCoreApplication::translate("TopBar", "This is not possible with the current selection.")
        : reason;
}

QString refusalOf(const QList<QAction*>& actions, const QKeyEvent& keys)
{
    const QKeySequence pressed(keys.keyCombination());
    const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction* action) {
        return !action->isEnabled() && action->shortcuts().contains(pressed);
    });
    return found == actions.end() ? QString() : refusalOf(**found);
}

} // namespace flopsmith::ui
