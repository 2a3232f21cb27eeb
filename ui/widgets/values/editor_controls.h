// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

// The common part of the controls of parameters.

namespace flopsmith::ui {

/// The wheel scrolls the list and changes the control only when it has the focus.
void guardAgainstWheel(QWidget& control);

/// The usual height, more where type is large.
int controlHeight(const QWidget& control);

/// The parameter's group in accessible names.
QString groupOf(const Parameter& parameter);

} // namespace flopsmith::ui
