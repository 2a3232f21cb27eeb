// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/lens.h"

#include <QtGlobal>

#include <functional>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Fills the menu with all lenses in their groups; each tool tip says what the lens counts.
void fillLensMenu(QMenu& menu, const std::function<void(LensId)>& chosen);

} // namespace flopsmith::ui
