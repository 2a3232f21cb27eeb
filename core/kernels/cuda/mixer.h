// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/mixer.h"

#include <memory>
#include <span>

// As core/kernels/cpu/mixer.h, on a GPU. Copies and errors are as in ffn.h.
namespace flopsmith::cuda {

/// The mixer without its residual: output() is [T, d]. With dy its backward pass in prefill (C = S):
/// output() is dx, sized like x, followed by the gradient of each weight; an Error with cached keys
/// (C > S).
Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        const Device& device,
                                        OptionalValues dy = {});

} // namespace flopsmith::cuda
