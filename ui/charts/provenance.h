// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

/// Where the numbers of a request's figure come from: model, workload and the title of the lens, or
/// the sizes of the claims; the processor and the day where something in it was measured.
Provenance provenanceOf(const FigureRequest& request);

} // namespace flopsmith::ui
