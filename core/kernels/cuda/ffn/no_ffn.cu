// SPDX-License-Identifier: MIT
#include "core/ffn/no_ffn.h"

#include "core/kernels/cuda/stage.h"
#include "core/kernels/cuda/zeros.h"

namespace flopsmith::cuda {

std::unique_ptr<Stage> makeStage(const NoFfn& /*ffn*/,
                                 const StageSize& size,
                                 DeviceWeights /*weights*/,
                                 const Device& device)
{
    return std::make_unique<ZeroStage>(device, size.activations());
}

std::unique_ptr<BackwardStage> makeBackwardStage(const NoFfn& /*ffn*/,
                                                 const StageSize& size,
                                                 DeviceWeights /*weights*/,
                                                 DeviceGradients /*gradients*/,
                                                 const Device& device)
{
    return std::make_unique<ZeroBackwardStage>(device, size.activations(), size.activations());
}

} // namespace flopsmith::cuda
