// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The widgets inside that Tab goes to, as the eye reads them: along layouts and splitters, a grid
/// line by line, and `part` itself first if Tab goes to it. Hidden ones too.
QList<QWidget*> focusOrder(QWidget& part);

/// Makes Tab go through the parts one after the other, each in its focusOrder().
void orderTabs(const QList<QWidget*>& parts);

/// The first widget of a part that can take the focus now, or null.
QWidget* firstFocus(QWidget& part);

} // namespace flopsmith::ui
