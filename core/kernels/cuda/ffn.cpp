// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn.h"

#include "core/kernels/cuda/stage.h"
#include "core/kernels/cuda/tensors.h"

namespace flopsmith::cuda {
namespace {

class FfnKernel : public Kernel
{
public:
    FfnKernel(const FfnSpec& ffn,
              const Shape& shape,
              WeightView<float> weights,
              std::span<const float> x,
              const Device& device)
        : m_before(device.memory().bytes())
        , m_weights(device, weights)
        , m_x(device.memory(), x)
        , m_y(device, x.size())
        , m_stage(makeStage(ffn, stageSizeOf(shape), m_weights.view(), device))
        , m_bytes(device.memory().bytes() - m_before - m_y.bytesOnDevice())
    {}

    void run() override { m_stage->run(m_x.data(), m_y.values()); }
    std::span<const float> output() const override { return m_y.onHost(); }
    std::size_t workspaceBytes() const override { return m_bytes; }

private:
    std::size_t m_before;
    UploadedWeights m_weights;
    DeviceBuffer<float> m_x;
    DeviceOutput m_y;
    std::unique_ptr<Stage> m_stage;
    std::size_t m_bytes;
};

class FfnBackwardKernel : public Kernel
{
public:
    FfnBackwardKernel(const FfnSpec& ffn,
                      const Shape& shape,
                      WeightView<float> weights,
                      std::span<const float> x,
                      std::span<const float> dy,
                      const Device& device)
        : m_before(device.memory().bytes())
        , m_weights(device, weights)
        , m_x(device.memory(), x)
        , m_dy(device.memory(), dy)
        , m_output(device, x.size(), flopsmith::weights(ffn, shape.dModel))
        , m_stage(makeBackwardStage(ffn,
                                    stageSizeOf(shape),
                                    m_weights.view(),
                                    m_output.gradients(),
                                    device))
    {
        // Where y goes does not matter: dx replaces it.
        m_stage->remember(m_x.data(), m_output.values());
        m_bytes = device.memory().bytes() - m_before - m_output.bytesOnDevice();
    }

    void run() override { m_stage->run(m_dy.data(), m_output.values()); }
    std::span<const float> output() const override { return m_output.onHost(); }
    std::size_t workspaceBytes() const override { return m_bytes; }

private:
    std::size_t m_before;
    UploadedWeights m_weights;
    DeviceBuffer<float> m_x;
    DeviceBuffer<float> m_dy;
    DeviceOutput m_output;
    std::unique_ptr<BackwardStage> m_stage;
    std::size_t m_bytes = 0;
};

} // namespace

std::unique_ptr<Stage> makeStage(const FfnSpec& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::visit([&](const auto& spec) { return makeStage(spec, size, weights, device); },
                      ffn);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const FfnSpec& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::visit(
        [&](const auto& spec) { return makeBackwardStage(spec, size, weights, gradients, device); },
        ffn);
}

Result<std::unique_ptr<Kernel>> prepare(const FfnSpec& ffn,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        const Device& device)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && !shape.training);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<FfnKernel>(ffn, shape, weights, x, device);
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
        return std::make_unique<FfnBackwardKernel>(ffn, shape, weights, x, dy, device);
    });
}

} // namespace flopsmith::cuda
