// SPDX-License-Identifier: MIT
#pragma once

#include "core/claims/claims.h"
#include "core/io/table/table.h"

namespace flopsmith {

/// A row per claim with all facts: the claim, its source, its parameters, the counts (FLOPs,
/// parameters, bytes against the reference) and, if available, the measured result and the lab's
/// result. `measured` and `learned` are parallel to `all`, or empty.
Table claimsTable(const std::vector<Claim>& all,
                  const std::vector<MeasuredClaim>& measured,
                  const std::vector<LearnedClaim>& learned = {});

/// The same for a terminal: the figures in one line, the finding and the parameters below.
Table claimsTableForPeople(const std::vector<Claim>& all,
                           const std::vector<MeasuredClaim>& measured,
                           const std::vector<LearnedClaim>& learned = {});

} // namespace flopsmith
