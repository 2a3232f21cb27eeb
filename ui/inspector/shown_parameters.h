// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"
#include "ui/document/selection.h"

#include <vector>

namespace flopsmith::ui {

/// The parameters of a selection, in display order.
std::vector<Parameter> shownParameters(const Scenario& scenario, Selection selection);

} // namespace flopsmith::ui
