// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <memory>
#include <span>

// As core/kernels/cpu/ffn.h, on a GPU. Preparing copies weights and inputs from the host; later
// changes have no effect. run() enqueues on the device's stream and returns; output() waits and
// copies back. A failed CUDA call becomes an Error; DeviceOutOfMemory (a std::bad_alloc) passes
// through.
namespace flopsmith::cuda {

/// Inference of an FFN of any kind without its residual: output() is [T, d]. With dy its backward
/// pass: output() is dx [T, d] followed by the gradient of each weight, and preparing runs the forward
/// pass of training once.
Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device,
                                        OptionalValues dy = {});

} // namespace flopsmith::cuda
