// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/hidden/hidden_stage.h"
#include "core/kernels/cuda/ffn/kronecker/kronecker_layer.h"

namespace flopsmith::cuda {
namespace {

HiddenParts<ActivatedUp<KroneckerLayer>, KroneckerLayer> partsOf(const KroneckerFfn& ffn,
                                                                 const StageSize& size,
                                                                 DeviceWeights weights,
                                                                 const Device& device)
{
    using Factor = KroneckerFfn::Factor;
    const int d = size.dModel;
    const std::size_t each = ffn.bias ? 3 : 2; // tensors: left factors, right ones, b
    return {{device,
             ffn.activation,
             size.tokens,
             ffn.dFf,
             {device,
              ffn.up(d),
              ffn.keptColumns(Factor::upA, d),
              ffn.keptColumns(Factor::upB, d),
              weights.subspan(0, each),
              size.tokens}},
            {device,
             ffn.down(d),
             ffn.keptColumns(Factor::downA, d),
             ffn.keptColumns(Factor::downB, d),
             weights.subspan(each, each),
             size.tokens},
            each,
            each};
}

} // namespace

std::unique_ptr<Stage> makeStage(const KroneckerFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return makeHiddenStage(device, size, ffn.dFf, partsOf(ffn, size, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const KroneckerFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return makeHiddenBackwardStage(
        device, size, ffn.dFf, partsOf(ffn, size, weights, device), gradients);
}

} // namespace flopsmith::cuda
