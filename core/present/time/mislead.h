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
    std::string reasonText{}; ///< "bandwidth: moving 9.4 MiB at …", or "as counted"
};

/// The measured parts of a pass, those first whose shares of time and of FLOPs differ most.
struct MisleadTable
{
    std::vector<MisleadRow> rows{};
    double longest = 0.0; ///< the largest of all shares
    std::string headline{}; ///< the part whose FLOPs promise most too much, in one sentence
    std::string leftOut{}; ///< which part failed and why; empty where none did
    std::string note{}; ///< thresholds and how reasons follow; see shareThresholdsText()
    std::string emptyText{};

    bool empty() const { return rows.empty(); }
};

/// `times` is parallel to `parts`; a shorter one counts as pending. Parts that failed are left out;
/// as long as others have no time there are no rows. Without the roofs of the machine that measured there are no reasons, and no rows.
MisleadTable misleadTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const std::optional<MachineRoofs>& roofs,
                          const RoofConditions& as = {});

} // namespace flopsmith
