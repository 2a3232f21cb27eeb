// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/count/op_count.h"
#include "core/train/batch.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith {

/// How far outputs are from their targets.
template <class S>
struct BatchLoss
{
    S mean{}; ///< over the compared rows or numbers
    std::vector<S> dOutputs; ///< its gradient; zero for outputs without a target
    std::size_t compared = 0; ///< rows with a label, or numbers
    std::size_t right = 0; ///< rows whose largest output is the label's
};

/// The mean cross-entropy of the labelled rows in nats, or the mean squared error of the numbers.
/// Outputs without a target are skipped; choosing the largest output is not counted. Errors: labels
/// or numbers that do not fit the outputs; no targets.
template <class S>
Result<BatchLoss<S>> batchLoss(std::span<const S> outputs, const TrainingTargets<S>& targets);

/// The operations of batchLoss() on [rows, classes].
OpCount<Count> crossEntropyStepCount(const Count& rows, const Count& classes);

/// On n numbers, with the mean of (y − t)² and its gradient 2/n·(y − t):
///   n add, n mul, n − 1 add, 1 div; n mul
OpCount<Count> squaredErrorStepCount(const Count& n);

} // namespace flopsmith
