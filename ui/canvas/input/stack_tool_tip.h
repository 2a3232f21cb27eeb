// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_layout.h"

#include <QString>

namespace flopsmith::ui {

/// What is at a point of the scene, with its exact cost: a pattern, a stage, a part or a row.
QString stackToolTip(const StackLayout& layout, const QPointF& point);

} // namespace flopsmith::ui
