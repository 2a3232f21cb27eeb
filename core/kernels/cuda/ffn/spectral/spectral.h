// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cuda/stage.h"

// The two ways to run a spectral FFN, without its activation: spectral.cu adds that.
namespace flopsmith::cuda {

std::unique_ptr<Stage> makeSpectralFft(const SpectralFfn& ffn,
                                       const StageSize& size,
                                       DeviceSpan<const float> filter,
                                       const Device& device);
std::unique_ptr<BackwardStage> makeSpectralFftBackward(const SpectralFfn& ffn,
                                                       const StageSize& size,
                                                       DeviceSpan<const float> filter,
                                                       DeviceSpan<float> gradient,
                                                       const Device& device);

std::unique_ptr<Stage> makeSpectralDirect(const SpectralFfn& ffn,
                                          const StageSize& size,
                                          DeviceSpan<const float> filter,
                                          const Device& device);
std::unique_ptr<BackwardStage> makeSpectralDirectBackward(const SpectralFfn& ffn,
                                                          const StageSize& size,
                                                          DeviceSpan<const float> filter,
                                                          DeviceSpan<float> gradient,
                                                          const Device& device);

/// Bins 0 and d/2 stand for themselves alone, all others for a conjugate pair.
inline bool standsAlone(int bin, int dModel)
{
    return bin == 0 || 2 * bin == dModel;
}

} // namespace flopsmith::cuda
