// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/run_request.h"

#include "core/study/machine/measured_roofs.h"

namespace flopsmith::app {

void addRun(ui::FigureRequest& request, const MeasuringRun& run)
{
    request.times = partTimes(run);
    request.machine = run.roofs();
    request.measuredAs = run.conditions();
    request.device = run.deviceName;
    request.processor = run.outcome.described ? run.outcome.described->device : "";
    request.now = unixNow();
}

void addOtherRun(ui::FigureRequest& request, const MeasuringRun& run)
{
    request.otherTimes.push_back(
        {.device = run.deviceName, .parts = run.plan, .times = partTimes(run)});
}

} // namespace flopsmith::app
