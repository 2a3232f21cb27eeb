// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The wanted size, limited to the screen less the window's frame.
QSize fittingSize(const QSize& wanted, const QSize& available);

/// Sets the initial size of a window: the wanted one at the usual size of type, more at larger type,
/// never larger than its screen.
void resizeToFit(QWidget& window, const QSize& wanted);

} // namespace flopsmith::ui
