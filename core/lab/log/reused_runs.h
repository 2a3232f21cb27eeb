// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/log/lab_log.h"

namespace flopsmith {

/// A log of another plan with the finished runs that the plan would train identically: task, sizes,
/// budget, rates and arm are the same. A plan with more or fewer arms, or more seeds, reuses them.
LabLog withPlan(const LabLog& log, const LabPlan& plan);

} // namespace flopsmith
