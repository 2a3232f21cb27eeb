// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/run/prepared_run.h"
#include "core/lab/run/training_run.h"

#include <span>
#include <stop_token>

namespace flopsmith {

/// Steps that are taken before those that are timed: they allocate and fill caches.
inline constexpr int kUntimedSteps = 5;

/// The median of `seconds`, one number per step, without the first kUntimedSteps.
ArmTiming armTiming(std::span<const double> seconds);

/// Takes the job's timed steps and writes their line of the log. Errors come from the executor and
/// the sink.
template <class S>
Result<LabEnd> timeSteps(const RunJob& job,
                         const PreparedRun<S>& run,
                         const RunSink& sink,
                         const Clock& clock,
                         const std::stop_token& stop);

} // namespace flopsmith
