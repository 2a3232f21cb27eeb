// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "pdf" of "PDF document (*.pdf)"; empty if the filter names no ending.
QString suffixOfFilter(const QString& filter);

/// Asks where to save. A name without a suffix gets the chosen filter's before the dialog asks
/// about overwriting. Empty if the person cancels.
QString askSavePath(QWidget& parent,
                    const QString& title,
                    const QString& start,
                    const QString& filters);

} // namespace flopsmith::ui
