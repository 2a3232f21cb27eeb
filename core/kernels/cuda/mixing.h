// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {

/// Inputs of a mixer on the device, with the sizes of MixerOperands; null if empty.
struct MixerOnDevice
{
    const float* x = nullptr;
    const float* cachedKeys = nullptr;
    const float* cachedValues = nullptr;
};

/// A token mixer, prepared like a Stage.
class Mixing
{
public:
    virtual ~Mixing() = default;
    Mixing() = default;
    Mixing(const Mixing&) = delete;
    Mixing& operator=(const Mixing&) = delete;

    /// y [T, d], without the residual.
    virtual void run(const MixerOnDevice& input, float* y) = 0;
};

/// One pair per variant of the registry, in the source of its name. The backward pass is that of
/// prefill (C = S): save() writes y [T, d], run() reads dy [T, d] and writes dx, sized like x.
#define FLOPSMITH_DECLARE_CUDA_MIXER(Spec)                                                         \
    std::unique_ptr<Mixing> makeMixing(                                                            \
        const Spec& mixer, const Shape& shape, DeviceWeights weights, const Device& device);       \
    std::unique_ptr<BackwardStage> makeMixingBackward(const Spec& mixer,                           \
                                                      const Shape& shape,                          \
                                                      DeviceWeights weights,                       \
                                                      DeviceGradients gradients,                   \
                                                      const Device& device);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_CUDA_MIXER)
#undef FLOPSMITH_DECLARE_CUDA_MIXER

} // namespace flopsmith::cuda
