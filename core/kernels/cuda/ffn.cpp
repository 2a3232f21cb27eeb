// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn.h"

#include "core/ffn/ffn_variants.h"
#include "core/kernels/cuda/stage_kernel.h"

namespace flopsmith::cuda {
std::unique_ptr<Stage> makeStage(const FfnSpec& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return madeFor(ffn, [&](const auto& spec) { return makeStage(spec, size, weights, device); });
}

std::unique_ptr<BackwardStage> makeBackwardStage(const FfnSpec& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return madeFor(ffn, [&](const auto& spec) {
        return makeBackwardStage(spec, size, weights, gradients, device);
    });
}

Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && !shape.training);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<Stage>>(
            device, weights, x, x.size(), [&](DeviceWeights onDevice) {
                return makeStage(ffn, stageSizeOf(shape), onDevice, device);
            });
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const FfnSpec& ffn,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && dy.size() == x.size());
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<BackwardStageKernel>(
            device,
            weights,
            x,
            dy,
            x.size(),
            flopsmith::weights(ffn, shape.dModel),
            [&](DeviceWeights onDevice, DeviceGradients gradients) {
                return makeBackwardStage(ffn, stageSizeOf(shape), onDevice, gradients, device);
            });
    });
}

} // namespace flopsmith::cuda
