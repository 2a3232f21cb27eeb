// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

namespace flopsmith::ui {

/// The platform's shortcuts for an action, and always `own`: on a desktop without a platform theme
/// "Save as", "Full screen" and "Quit" would have none. Keys above F12, which Qt binds on X11
/// ("undo" to F14), are left out, because few keyboards have them.
inline QList<QKeySequence> standardKeys(QKeySequence::StandardKey action, const QKeySequence& own)
{
    QList<QKeySequence> keys = QKeySequence::keyBindings(action);
    keys.removeAll(own);
    keys.removeIf([](const QKeySequence& key) {
        return key[0].key() >= Qt::Key_F13 && key[0].key() <= Qt::Key_F35;
    });
    keys.prepend(own); // menus show the first one
    return keys;
}

} // namespace flopsmith::ui
