// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/class_lock.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Shows what a teacher's lock says of a control: a fixed one is grey, and its tool tip is the
/// teacher's sentence. Without a lock its tool tip is `tip`.
void showClassLock(QWidget& control, const ClassLock* lock, const QString& tip);

/// Whether a teacher hides the control.
bool isHiddenBy(const ClassLock* lock);

} // namespace flopsmith::ui
