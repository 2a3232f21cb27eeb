// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/log/lab_log.h"

namespace flopsmith {

/// A log of another plan with those finished runs that the plan would train just so: task, sizes,
/// budget and rates are the same, and so is the arm. More arms, fewer, or more seeds go on from them.
LabLog withPlan(const LabLog& log, const LabPlan& plan);

} // namespace flopsmith
