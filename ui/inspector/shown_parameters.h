// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_table.h"
#include "ui/document/selection.h"

#include <vector>

namespace flopsmith::ui {

/// The parameters of a selection, in display order. For several runs, the common ones; each belongs
/// to the current run.
std::vector<Parameter> shownParameters(const Scenario& scenario, const Selection& selection);

} // namespace flopsmith::ui
