// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/measuring_run.h"
#include "ui/charts/base/figure_request.h"

namespace flopsmith::app {

/// Puts the times of a run, how they were measured, and by which machine, into the request of a
/// figure.
void addRun(ui::FigureRequest& request, const MeasuringRun& run);

} // namespace flopsmith::app
