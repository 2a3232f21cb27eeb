// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/measuring_run.h"
#include "core/claims/claims.h"

namespace flopsmith::app {

/// The claims with a device's measurements.
struct ClaimsRun
{
    std::vector<Claim> claims;
    std::vector<MeasuredClaim> measured; ///< parallel to claims; empty if nothing was measured
    MeasuringRun run; ///< with an empty plan if nothing was measured
};

ClaimsRun countedClaims(const ClaimSizes& sizes);

/// Measures both sides of every claim; equal operations once.
ClaimsRun measuredClaims(const ClaimSizes& sizes,
                         const Device& device,
                         const MeasuringOptions& options,
                         const StoreChoice& store);

} // namespace flopsmith::app
