// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QToolButton;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A button of the tool bar with the object name "bar.NAME"; keys reach it.
QToolButton* barButton(const QString& name, const QString& accessibleName, QWidget& bar);

} // namespace flopsmith::ui
