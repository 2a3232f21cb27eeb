// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/locked_control.h"

#include <QWidget>

namespace flopsmith::ui {

void showClassLock(QWidget& control, const ClassLock* lock, const QString& tip)
{
    const QString text = lock == nullptr ? QString() : QString::fromStdString(classLockText(*lock));
    control.setEnabled(lock == nullptr || lock->kind == ClassLock::Kind::bounded);
    control.setToolTip(text.isEmpty() ? tip : text);
    control.setAccessibleDescription(text);
}

bool isHiddenBy(const ClassLock* lock)
{
    return lock != nullptr && lock->kind == ClassLock::Kind::hidden;
}

} // namespace flopsmith::ui
