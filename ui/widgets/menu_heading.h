// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace flopsmith::ui {

/// Adds a muted heading for the entries below it, with a separator above it if entries without a
/// heading come before. (A section of QMenu shows its text only in styles without a style sheet.)
void addHeading(QMenu& menu, const QString& text);

/// The sub-menu of this title, which is added when it is first asked for: where all entries are too
/// many for one menu.
QMenu& submenuOf(QMenu& menu, const QString& title);

/// Removes all entries and the sub-menus below them.
void clearMenu(QMenu& menu);

} // namespace flopsmith::ui
