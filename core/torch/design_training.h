// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/plan/task_spec.h"
#include "core/model/model.h"
#include "core/torch/training_folder.h"

#include <cstdint>

namespace flopsmith::torch {

/// How a design is trained on a task.
struct DesignTrainingOptions
{
    TaskSpec task{};
    double rate = 3e-3;
    std::int64_t steps = 500;
    std::uint64_t seed = 7; ///< of the weights and the task

    bool operator==(const DesignTrainingOptions&) const = default;
};

/// The training of any design of tokens from its first step: weights as labs begin them, the task's
/// batches, AdamW and schedule. Errors: a task that trains no model of tokens, or has more tokens
/// than the design; a head that does not give each token's logits; an encoder-decoder.
Result<Training> designTraining(Scenario scenario, const DesignTrainingOptions& options);

} // namespace flopsmith::torch
