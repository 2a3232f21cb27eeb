// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/threads.h"
#include "core/run/model_plan.h"
#include "core/train/executor.h"

namespace flopsmith {

/// A whole model by the CPU kernels, like modelExecutor() of core/train. Errors of preparation (too
/// little memory) are returned by the first forward pass.
ExecutorFactory<float> fastModelExecutor(ModelPlan plan, cpu::Threads threads);

} // namespace flopsmith
