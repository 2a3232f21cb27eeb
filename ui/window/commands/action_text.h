// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

namespace flopsmith::ui {

/// The text of an action without mnemonics and "…".
QString plainText(QString text);

/// "Ctrl+S, Ctrl+Shift+S", as the desktop writes keys.
QString keysText(const QList<QKeySequence>& keys);

} // namespace flopsmith::ui
