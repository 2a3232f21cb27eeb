// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/run_time.h"
#include "core/study/compare/comparison.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The times that a device has measured of one pass of a design.
struct DesignTimes
{
    std::string device{}; ///< "this CPU"
    std::vector<MeasuredPart> parts{};
    std::vector<PartTime> times{}; ///< parallel to the parts; missing entries count as pending
};

/// Adds the times of other designs to the rows of a table measured on `device`; `times` is parallel
/// to the designs. A row's counterpart is the part in the same place of the block with the same
/// name, otherwise the next part in that place, otherwise none; a stage has none. Designs measured
/// on another device, or not at all, have no times, and the table's note says so.
void addGhosts(RunTimeTable& table,
               const std::string& device,
               std::span<const ComparedDesign> designs,
               std::span<const DesignTimes> times);

} // namespace flopsmith
