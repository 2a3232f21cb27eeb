// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/weights.h"
#include "core/run/model_run.h"
#include "core/train/batch.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace flopsmith {

/// Computes a model, or a part of one, for a trainer. It reads weights that the trainer owns and
/// changes between steps; an executor that stores them in another form renews it in
/// weightsChanged().
template <class S>
class Executor
{
public:
    virtual ~Executor() = default;

    /// The outputs [rows, columns]. With Keep::forBackward it saves the inputs of backward().
    virtual Result<std::vector<S>> forward(const TrainingInputs<S>& inputs, Keep keep) = 0;

    /// The gradients of Σ dOutputs ⊙ outputs of the last forward pass that kept something: one
    /// tensor per weight, zeros where one does not train.
    virtual Result<Weights<S>> backward(std::span<const S> dOutputs) = 0;

    virtual void weightsChanged() = 0;
};

/// Makes an executor of weights that outlive it and stay where they are.
template <class S>
using ExecutorFactory = std::function<std::unique_ptr<Executor<S>>(const Weights<S>& weights)>;

} // namespace flopsmith
