// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace flopsmith::ui {

/// An icon of resources/icons in one colour: they are drawn with "currentColor".
QIcon themedIcon(const QString& name, const QColor& colour);

/// The program's own icon.
QIcon programIcon();

} // namespace flopsmith::ui
