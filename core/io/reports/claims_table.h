// SPDX-License-Identifier: MIT
#pragma once

#include "core/claims/claims.h"
#include "core/io/table/table.h"

namespace flopsmith {

/// A row per claim with everything: what is claimed, where, at which parameters, what is counted
/// (FLOPs, parameters, bytes against the reference) and, where there is one, what was measured and
/// what a lab found. `measured` and `learned` are parallel to `all`, or empty.
Table claimsTable(const std::vector<Claim>& all,
                  const std::vector<MeasuredClaim>& measured,
                  const std::vector<LearnedClaim>& learned = {});

/// The same for a terminal: the figures in one line, the finding and the parameters below.
Table claimsTableForPeople(const std::vector<Claim>& all,
                           const std::vector<MeasuredClaim>& measured,
                           const std::vector<LearnedClaim>& learned = {});

} // namespace flopsmith
