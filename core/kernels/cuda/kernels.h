// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/mixer.h"

#include <memory>
#include <span>

// The place of the third back end: what flopsmith-bench-cuda needs of every variant of the
// registries. Its sources stand beside this header, one per variant, under the name that the
// variant has in kernels/reference and kernels/cpu; a program that links this back end does not
// link while one is missing. There is none yet, and no program that links it.
namespace flopsmith::cuda {

/// As cpu::prepare() and cpu::prepareBackward(), on the current device. Weights and inputs are in
/// the host's memory and copied before the first run; output() is copied back when it is asked for.
#define FLOPSMITH_DECLARE_CUDA_KERNEL(Spec)                                                        \
    Result<std::unique_ptr<Kernel>> prepare(const Spec& spec,                                      \
                                            const Shape& shape,                                    \
                                            WeightView<float> weights,                             \
                                            std::span<const float> x);                             \
    Result<std::unique_ptr<Kernel>> prepareBackward(const Spec& spec,                              \
                                                    const Shape& shape,                            \
                                                    WeightView<float> weights,                     \
                                                    std::span<const float> x,                      \
                                                    std::span<const float> dy);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_CUDA_KERNEL)
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_CUDA_KERNEL)
#undef FLOPSMITH_DECLARE_CUDA_KERNEL

} // namespace flopsmith::cuda
