// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/plotted_figure.h"
#include "ui/charts/claims/claims_layout.h"

namespace flopsmith::ui {

inline constexpr double kClaimDiamondReach = 1.45; ///< of a measured mark, in the radius of a disc

/// Soft in the ink of a claim's component, or of the legend.
QColor claimBandFill(const QColor& ink, const Theme& theme);

/// Places the layers of all groups that Qt Charts draws: claimed ranges as bands, counted values as
/// filled discs, measured ones as hollow diamonds.
void plotClaims(PlottedPicture& picture,
                const ClaimsChart& chart,
                const ClaimsLayout& layout,
                const ChartStyle& style);

} // namespace flopsmith::ui
