// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/cpu/variants.h"
#include "core/kernels/kernel.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/mixer.h"

#include <cstddef>
#include <memory>
#include <span>

namespace flopsmith::cpu {

/// The mixer without its residual: output() is [T, d]. One function per variant of the registry, in
/// the source of its name.
#define FLOPSMITH_DECLARE_MIXER(Spec)                                                              \
    Result<std::unique_ptr<Kernel>> prepare(const Spec& mixer,                                     \
                                            const Shape& shape,                                    \
                                            WeightView<float> weights,                             \
                                            const MixerInput& input,                               \
                                            Threads threads,                                       \
                                            Precision precision);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_MIXER)
#undef FLOPSMITH_DECLARE_MIXER

/// The backward pass in prefill (C = S): output() is dx, sized like x, followed by the gradient of
/// each weight in the order of weights(mixer, d). Preparing runs the forward pass on x once and
/// saves its activations, so that x must not change afterwards; dy [T, d] may.
#define FLOPSMITH_DECLARE_MIXER_BACKWARD(Spec)                                                     \
    Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Spec& mixer,                     \
                                                            const Shape& shape,                    \
                                                            WeightView<float> weights,             \
                                                            std::span<const float> x,              \
                                                            std::span<const float> dy,             \
                                                            Threads threads,                       \
                                                            Precision precision);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_MIXER_BACKWARD)
#undef FLOPSMITH_DECLARE_MIXER_BACKWARD

/// An Error with cached keys (C > S), for a mixer without a kernel, or if products cannot be
/// computed in the precision here.
Result<std::unique_ptr<TrainingKernel>> prepareBackward(const MixerSpec& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision = Precision::float32);

Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision = Precision::float32);

} // namespace flopsmith::cpu
