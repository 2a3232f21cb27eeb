// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

std::vector<MeasuredPart> partsOf(const FigureRequest& request)
{
    return request.parts.empty() ? measuredParts(request.scenario)
                                 : std::vector(request.parts.begin(), request.parts.end());
}

Result<Axis> scalingAxis(const FigureRequest& request)
{
    return request.axis ? Result<Axis>(*request.axis)
                        : usualAxis(request.scenario, lengthKey(request.scenario));
}

} // namespace flopsmith::ui
