// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/command/chart_options.h"
#include "app/terminal/outcome.h"
#include "ui/charts/base/figure_request.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// Measures what the chart draws and adds it to the request: on one device, or on several side by
/// side. The outcome of a failure, if it fails.
std::optional<Outcome> addMeasurements(const ChartOptions& options,
                                       ui::FigureRequest& request,
                                       std::vector<std::string>& notes);

/// Adds the device of a memory or roofline chart: one of the table, or the one that was just measured.
std::optional<Outcome> addChartHardware(const ChartOptions& options,
                                        ui::FigureRequest& request,
                                        std::vector<std::string>& notes);

} // namespace flopsmith::app
