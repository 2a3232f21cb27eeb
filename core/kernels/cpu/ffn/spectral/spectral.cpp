// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/spectral/spectral_direct.h"
#include "core/kernels/cpu/ffn/spectral/spectral_fft.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Stage>> makeStage(const SpectralFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return ffn.algorithmFor(size.dModel) == SpectralAlgorithm::direct
        ? makeSpectralDirect(ffn, size, weights[0])
        : makeSpectralFft(ffn, size, weights[0]);
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const SpectralFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    if (ffn.algorithmFor(size.dModel) == SpectralAlgorithm::direct) {
        return makeSpectralDirectBackward(ffn, size, weights[0], gradients[0]);
    }
    return makeSpectralFftBackward(ffn, size, weights[0], gradients[0]);
}

} // namespace flopsmith::cpu
