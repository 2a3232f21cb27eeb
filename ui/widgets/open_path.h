// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Asks which file to open, beginning in a folder or at a file. Empty if the person cancels.
QString askOpenPath(QWidget& parent,
                    const QString& title,
                    const QString& start,
                    const QString& filters);

} // namespace flopsmith::ui
