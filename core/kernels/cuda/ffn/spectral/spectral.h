// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/spectral.h"
#include "core/kernels/cuda/stage.h"

// The two implementations of a spectral FFN, by FFT and by dense products; spectral.cu adds the
// activation.
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

/// Whether the bin is real (0 or d/2) and has no conjugate partner.
inline bool standsAlone(int bin, int dModel)
{
    return bin == 0 || 2 * bin == dModel;
}

} // namespace flopsmith::cuda
