// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"
#include "core/run/model_run.h"

#include <memory>

namespace flopsmith {

/// A forward pass of a whole model, ready to run: output() equals the outputs of forward() in
/// core/run. Weights and inputs are borrowed. Errors: errors of forward(), too little memory, and
/// products that cannot be computed in the precision here.
Result<std::unique_ptr<Kernel>> prepareModel(const ModelPlan& plan,
                                             WeightView<float> weights,
                                             const ModelInputs<float>& inputs,
                                             cpu::Threads threads,
                                             cpu::Precision precision = cpu::Precision::float32);

} // namespace flopsmith
