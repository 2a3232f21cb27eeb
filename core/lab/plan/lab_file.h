// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/lab/plan/lab_plan.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// The version of `.flopsmith-lab` files that this program writes, and the newest that it reads.
inline constexpr int kLabFormat = 1;

/// The key of the version in the file.
inline constexpr const char* kLabVersionKey = "flopsmith_lab";

/// The plan as JSON: task with its numbers, sizes, the chosen arms with their FFNs, seeds, budget,
/// rate. Arms that follow from the chosen ones are not listed.
Json labJson(const LabPlan& plan);

/// Refuses in one sentence that names `place` ("lab", or "file: ") and what would be right.
Result<LabPlan> labFromJson(const Json& json, const std::string& place);

/// What two labs differ in.
enum class PlanDifference {
    none,
    data, ///< nothing but the content of the file that is learned from
    plan,
};

PlanDifference differenceOf(const LabPlan& plan, const LabPlan& other);

/// A `.flopsmith-lab` file: labJson() with its version.
std::string labFileText(const LabPlan& plan);
Result<LabPlan> readLab(std::string_view text, const std::string& source);

} // namespace flopsmith
