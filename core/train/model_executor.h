// SPDX-License-Identifier: MIT
#pragma once

#include "core/run/model_plan.h"
#include "core/train/executor.h"

namespace flopsmith {

/// A whole model by the reference kernels: outputs as forward() of core/run. S is float, double or
/// reference::Counted.
template <class S>
ExecutorFactory<S> modelExecutor(ModelPlan plan);

} // namespace flopsmith
