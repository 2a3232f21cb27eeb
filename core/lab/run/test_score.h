// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/plan/task_spec.h"
#include "core/train/trainer.h"

#include <vector>

namespace flopsmith {

/// A loss and its score over test batches.
struct TestScore
{
    double loss = 0.0;
    double score = 0.0;
};

/// How well a trainer does on the task's test batches.
template <class S>
Result<TestScore> testScore(Trainer<S>& trainer,
                            const std::vector<TrainingBatch<S>>& batches,
                            Score score);

} // namespace flopsmith
