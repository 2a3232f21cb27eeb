// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// `wanted`, or as much of it as a screen has room for beside a window's frame.
QSize fittingSize(const QSize& wanted, const QSize& available);

/// Gives a window its first size: never more than its screen shows.
void resizeToFit(QWidget& window, const QSize& wanted);

} // namespace flopsmith::ui
