// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/command/chart_options.h"
#include "ui/charts/base/figure_request.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// What a figure of `asked` shows, before anything is measured. Errors name the option and what would
/// be right.
Result<ui::FigureRequest> chartRequest(const ChartOptions& options, const Asked& asked);

/// Adds the models beside the first; `notes` gets what a reader should know of all of them.
Status addOtherModels(const ChartOptions& options,
                      ui::FigureRequest& request,
                      std::vector<std::string>& notes);

} // namespace flopsmith::app
