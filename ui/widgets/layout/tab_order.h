// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The widgets of a part that accept focus by Tab, in reading order: along layouts and splitters,
/// grids row by row, and `part` itself first if it accepts focus. Includes hidden ones.
QList<QWidget*> focusOrder(QWidget& part);

/// Sets the tab order: one part after the other, each in its focusOrder().
void orderTabs(const QList<QWidget*>& parts);

/// The first widget of a part that can take the focus now, or null.
QWidget* firstFocus(QWidget& part);

} // namespace flopsmith::ui
