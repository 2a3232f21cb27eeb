// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

/// The provenance of a request's figure: model, workload and the title of the lens, or the sizes of
/// the claims; processor and date of its measurements.
Provenance provenanceOf(const FigureRequest& request);

} // namespace flopsmith::ui
