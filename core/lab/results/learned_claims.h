// SPDX-License-Identifier: MIT
#pragma once

#include "core/claims/claims.h"
#include "core/lab/log/lab_log.h"

#include <string>
#include <utility>
#include <vector>

// Whether the FFNs of the design notes learn: the claims of core/claims beside a lab's log.
namespace flopsmith {

/// The FFNs that claims compare with the dense one, as arms of the claims' names, at this width with
/// d_ff = 4·d_model; what is not legal there is moved to the nearest that is.
std::vector<Arm> claimedArms(int dModel);

/// What a log says of each claim's FFN at the log's own width, parallel to `claims`; a claim whose
/// FFN is no arm of the log, or about no FFN, was not tried.
std::vector<LearnedClaim> learnedClaims(const std::vector<Claim>& claims, const LabLog& log);

/// What a log says of kinds of FFNs, at its own width and its own sizes.
class LearnedKinds
{
public:
    explicit LearnedKinds(const LabLog& log);

    /// Of the claims' FFN of the same kind (for a composed FFN: of the same stages), whatever its
    /// sizes; not tried where the log has none.
    LearnedClaim of(const FfnSpec& ffn) const;

private:
    std::vector<std::pair<FfnSpec, LearnedClaim>> m_kinds;
};

/// The log that is part of the program (resources/labs/README.md says how it was made): the claims'
/// arms on facts, without the curves of their runs.
const LabLog& shippedClaimsLog();

/// A log without its curves: its plan, and of each run the start, the last evaluation and the end.
std::string summaryOfLog(LabLog log);

} // namespace flopsmith
