// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/measuring_run.h"
#include "ui/charts/base/figure_request.h"

namespace flopsmith::app {

/// Adds a run's times, conditions and machine to the request of a figure.
void addRun(ui::FigureRequest& request, const MeasuringRun& run);

/// Adds the run of a compared design; in the order of the request's others.
void addOtherRun(ui::FigureRequest& request, const MeasuringRun& run);

} // namespace flopsmith::app
