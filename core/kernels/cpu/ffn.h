// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <memory>
#include <span>

namespace flopsmith::cpu {

/// Inference of an FFN of any kind without its residual: output() is [T, d]. `weights` are those of
/// weights(ffn, d), x is [T, d]; both are borrowed (see Kernel). An Error if memory is short, a
/// transform cannot be planned, or products cannot be computed in the precision here.
Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads,
                                        Precision precision = Precision::float32);

/// The backward pass: output() is dx [T, d] followed by the gradient of each weight in the order of
/// weights(ffn, d). Preparing runs the training forward pass on x once and saves its activations,
/// so that x must not change afterwards; dy [T, d] may.
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const FfnSpec& ffn,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision = Precision::float32);

} // namespace flopsmith::cpu
