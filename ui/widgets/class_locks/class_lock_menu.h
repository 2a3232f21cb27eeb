// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/class_lock.h"

#include <QtGlobal>

#include <initializer_list>
#include <string>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;

/// Adds those of "Hide for students", "Fix at this value" and "Bound to a range…" that are in
/// `kinds`, and "Allow again" for the control of that key. Nothing while no design is prepared. The
/// names of the actions begin with the menu's. A new range goes from `low` to `high`.
void addClassLockActions(QMenu& menu,
                         Document& document,
                         const std::string& key,
                         std::initializer_list<ClassLock::Kind> kinds,
                         QWidget& window,
                         double low = 0,
                         double high = 0);

} // namespace flopsmith::ui
