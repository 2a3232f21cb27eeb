// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/claims/claims_layout.h"

namespace flopsmith::ui {

/// All of a claims figure except its bands and marks.
void drawClaims(Drawing& drawing,
                const ClaimsChart& chart,
                const ClaimsLayout& layout,
                const ChartStyle& style);

} // namespace flopsmith::ui
