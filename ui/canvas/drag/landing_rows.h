// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/present/stack/landing.h"
#include "ui/canvas/base/stack_layout.h"

#include <vector>

namespace flopsmith::ui {

/// The rows of the stack as blocks land in them, in the scene's coordinates.
std::vector<LandingRow> landingRows(const StackLayout& layout, const Model& model);

} // namespace flopsmith::ui
