// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/run_time.h"
#include "core/study/compare/comparison.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// What a device has measured of one pass of a design.
struct DesignTimes
{
    std::string device{}; ///< "this CPU"
    std::vector<MeasuredPart> parts{};
    std::vector<PartTime> times{}; ///< parallel to the parts; a shorter one counts as pending
};

/// Puts the times of other designs beside the rows of a table that was measured on `device`;
/// `times` is parallel to the designs. A row stands beside the part in the same place of the block
/// and of the same name, else beside the next part in that place, else beside none; a stage has
/// nothing beside it. Designs measured on another device, or not at all, have no times, and the
/// note of the table says so.
void addGhosts(RunTimeTable& table,
               const std::string& device,
               std::span<const ComparedDesign> designs,
               std::span<const DesignTimes> times);

} // namespace flopsmith
