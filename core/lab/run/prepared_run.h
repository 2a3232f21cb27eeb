// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/log/lab_log.h"
#include "core/lab/task/learner.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace flopsmith {

/// What a run is trained with, before its first step.
template <class S>
struct PreparedRun
{
    std::unique_ptr<Task> task;
    Learner<S> learner;
    TrainingSettings settings;
    Count stepFlops = 0; ///< lens exact
    std::int64_t steps = 0; ///< that the budget allows
    std::int64_t parameters = 0; ///< numbers that are trained
};

/// `teachers` compute what a teacher's students learn. Errors: an arm that the plan does not have; a
/// task or a model that cannot be.
template <class S>
Result<PreparedRun<S>> preparedRun(const LabPlan& plan,
                                   const RunKey& key,
                                   const Engine<S>& engine,
                                   const Engine<float>& teachers);

/// How many rows or numbers a loss is taken over.
std::size_t comparedIn(const TrainingBatch<float>& batch);

} // namespace flopsmith
