// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/threads.h"
#include "core/run/model_plan.h"
#include "core/train/executor.h"

namespace flopsmith {

/// A whole model by the CPU kernels, as modelExecutor() of core/train. What goes wrong in preparing
/// (too little memory) is said by the first forward pass.
ExecutorFactory<float> fastModelExecutor(ModelPlan plan, cpu::Threads threads);

} // namespace flopsmith
