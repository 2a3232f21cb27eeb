// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/shape.h"
#include "core/run/model_plan.h"
#include "core/train/executor.h"
#include "core/train/ffn_executor.h"
#include "core/train/model_executor.h"

#include <functional>
#include <utility>
#include <vector>

namespace flopsmith {

/// Which kernels train: how the executors of models and FFNs are made.
template <class S>
struct Engine
{
    std::function<ExecutorFactory<S>(ModelPlan)> model;
    /// With classes U [d, C], or without.
    std::function<ExecutorFactory<S>(FfnSpec, Shape, std::vector<S> classes)> ffn;
};

/// The reference kernels.
template <class S>
Engine<S> referenceEngine()
{
    return {.model = modelExecutor<S>, .ffn = classifyingFfnExecutor<S>};
}

} // namespace flopsmith
