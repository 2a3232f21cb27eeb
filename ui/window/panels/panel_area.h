// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QScrollArea;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Puts panels into an area: on a screen that is too small for them they scroll, but not the bars.
void showInArea(QScrollArea& area, const QString& name, QWidget& panels);

} // namespace flopsmith::ui
