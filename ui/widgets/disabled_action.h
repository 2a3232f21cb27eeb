// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

QT_BEGIN_NAMESPACE
class QAction;
class QKeyEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Why a disabled action cannot be run now: its property "disabledReason", or that the selection is
/// the reason.
QString refusalOf(const QAction& action);

/// The same for the disabled action with this shortcut; empty if there is none.
QString refusalOf(const QList<QAction*>& actions, const QKeyEvent& keys);

} // namespace flopsmith::ui
