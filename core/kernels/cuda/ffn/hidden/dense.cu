// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/kernels/cuda/ffn/hidden/hidden_stage.h"

namespace flopsmith::cuda {
namespace {

HiddenParts<ActivatedUp<DenseProjection>, DenseProjection> partsOf(const DenseFfn& ffn,
                                                                   const StageSize& size,
                                                                   DeviceWeights weights,
                                                                   const Device& device)
{
    const int d = size.dModel;
    const std::size_t each = ffn.bias ? 2 : 1; // tensors: W, b
    return {{device,
             ffn.activation,
             size.tokens,
             ffn.dFf,
             {device, d, ffn.dFf, size.tokens, weights.subspan(0, each)}},
            {device, ffn.dFf, d, size.tokens, weights.subspan(each, each)},
            each,
            each};
}

} // namespace

std::unique_ptr<Stage> makeStage(const DenseFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return makeHiddenStage(device, size, ffn.dFf, partsOf(ffn, size, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const DenseFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return makeHiddenBackwardStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device), gradients);
}

} // namespace flopsmith::cuda
