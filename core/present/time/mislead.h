// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/part_time.h"
#include "core/study/machine/part_shares.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// One part in the view of where FLOPs mislead.
struct MisleadRow
{
    PartShare part{};
    std::string titleText{}; ///< "Attention ×12"
    std::string flopText{}; ///< "68.0 %"
    std::string timeText{}; ///< "41.2 %"
    std::string differenceText{}; ///< "+12.3 %"
    std::string reasonText{}; ///< "bandwidth: moving 9.4 MB at …", or "as counted"
};

/// The measured parts of a pass, ordered by the difference between their shares of time and FLOPs.
struct MisleadTable
{
    std::vector<MisleadRow> rows{};
    double longest = 0.0; ///< the largest of all shares
    std::string headline{}; ///< the part that is slowest compared with its FLOPs, in one sentence
    std::string leftOut{}; ///< which part failed and why; empty if none did
    std::string note{}; ///< thresholds and how reasons follow; see shareThresholdsText()
    std::string emptyText{};

    bool empty() const { return rows.empty(); }
};

/// `times` is parallel to `parts`; missing entries count as pending. Failed parts are left out;
/// while others have no time there are no rows. Without the roofs of the measuring machine there
/// are no reasons, and so no rows.
MisleadTable misleadTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const std::optional<MachineRoofs>& roofs,
                          const RoofConditions& as = {});

} // namespace flopsmith
