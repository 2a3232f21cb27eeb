// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/lab/plan/lab_sizes.h"
#include "core/lab/task/task.h"
#include "core/model/model.h"
#include "core/train/engine.h"
#include "core/train/executor.h"
#include "core/train/settings/training_settings.h"
#include "core/train/step_cost.h"
#include "core/train/training_start.h"

#include <cstdint>
#include <vector>

namespace flopsmith {

/// A training step of the model that a task is learned with: pre-norm blocks of mixer and FFN, learned
/// positions, a tied head. For tasks that train models.
Scenario labScenario(const TaskShape& shape, const LabSizes& sizes, const FfnSpec& ffn);

/// What a trainer needs of an FFN on a task.
template <class S>
struct Learner
{
    TrainingStart start;
    ExecutorFactory<S> executor;
    StepCost cost;
};

/// Errors: a model that is not legal; a variant without kernels.
template <class S>
Result<Learner<S>> learnerOf(const Task& task,
                             const LabSizes& sizes,
                             const FfnSpec& ffn,
                             const TrainingSettings& settings,
                             std::uint64_t seed,
                             const Engine<S>& engine = referenceEngine<S>());

/// A batch in another precision.
template <class S>
TrainingBatch<S> batchAs(const TrainingBatch<float>& batch);

} // namespace flopsmith
