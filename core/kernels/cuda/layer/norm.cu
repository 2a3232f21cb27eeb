// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/layer/norm_rows.h"
#include "core/kernels/cuda/stage_kernel.h"

namespace flopsmith::cuda {
namespace {

class NormBackwardStage : public BackwardStage
{
public:
    NormBackwardStage(const Device& device,
                      const Norm& norm,
                      const Shape& shape,
                      DeviceWeights weights,
                      DeviceGradients gradients)
        : m_rows(device,
                 norm,
                 static_cast<std::int64_t>(shape.tokens()),
                 shape.dModel,
                 weights,
                 gradients)
    {}

    void save(const float* x, float* y) override { m_rows.save(x, y); }
    void run(const float* dy, float* dx) override { m_rows.runBackward(dy, dx); }

private:
    NormRowsBackward m_rows;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Norm& norm,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<NormRows>>(
            device, weights, x, x.size(), [&](DeviceWeights onDevice) {
                const auto tokens = static_cast<std::int64_t>(shape.tokens());
                return std::make_unique<NormRows>(device, norm, tokens, shape.dModel, onDevice);
            });
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const Norm& norm,
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
            flopsmith::weights(norm, shape.dModel),
            [&](DeviceWeights onDevice, DeviceGradients gradients) {
                return std::make_unique<NormBackwardStage>(
                    device, norm, shape, onDevice, gradients);
            });
    });
}

} // namespace flopsmith::cuda
