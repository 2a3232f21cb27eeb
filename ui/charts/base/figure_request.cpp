// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

Result<Axis> scalingAxis(const FigureRequest& request)
{
    return request.axis ? Result<Axis>(*request.axis)
                        : usualAxis(request.scenario, lengthKey(request.scenario));
}

} // namespace flopsmith::ui
