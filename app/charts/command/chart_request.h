// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/command/chart_options.h"
#include "ui/charts/base/figure_request.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// The request for the figure of `asked`, before anything is measured. The Error names the option
/// and what would be right.
Result<ui::FigureRequest> chartRequest(const ChartOptions& options, const Asked& asked);

/// Adds the further models; `notes` gets notes on all of them.
Status addOtherModels(const ChartOptions& options,
                      ui::FigureRequest& request,
                      std::vector<std::string>& notes);

} // namespace flopsmith::app
