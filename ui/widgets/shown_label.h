// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Shows a text in a label, for screen readers too; an empty text hides the label.
void showIfAny(QLabel& label, const QString& text);

} // namespace flopsmith::ui
