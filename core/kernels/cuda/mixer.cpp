// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer.h"

#include "core/kernels/cuda/mixing.h"
#include "core/kernels/cuda/stage_kernel.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith::cuda {
namespace {

class MixerKernel : public Kernel
{
public:
    MixerKernel(const MixerSpec& mixer,
                const Shape& shape,
                WeightView<float> weights,
                const MixerInput& input,
                const Device& device)
        : m_weights(device, weights)
        , m_x(device.memory(), input.x)
        , m_cachedKeys(device.memory(), input.cachedKeys)
        , m_cachedValues(device.memory(), input.cachedValues)
        , m_y(device, shape.activations())
        , m_mixing(plannedFor(mixer, [&](const auto& spec) {
            return makeMixing(spec, shape, m_weights.view(), device);
        }))
    {}

    void run() override
    {
        m_mixing->run({m_x.data(), m_cachedKeys.data(), m_cachedValues.data()}, m_y.values());
    }
    std::span<const float> output() const override { return m_y.onHost(); }

private:
    UploadedWeights m_weights;
    DeviceBuffer<float> m_x;
    DeviceBuffer<float> m_cachedKeys;
    DeviceBuffer<float> m_cachedValues;
    DeviceOutput m_y;
    std::unique_ptr<Mixing> m_mixing;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        const Device& device)
{
    FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    const MixerOperands operands = operandsOf(mixer, shape);
    FLOPSMITH_CHECK(input.x.size() == operands.x);
    FLOPSMITH_CHECK(input.cachedKeys.size() == operands.cachedKeys);
    FLOPSMITH_CHECK(input.cachedValues.size() == operands.cachedValues);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<MixerKernel>(mixer, shape, weights, input, device);
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const MixerSpec& mixer,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                const Device& device)
{
    FLOPSMITH_CHECK(dy.size() == shape.activations());
    if (shape.context != shape.sequence) {
        return Error{"The backward pass of " + std::string(info(mixer).title) + " has no "
                     + std::to_string(shape.context - shape.sequence)
                     + " cached keys: training sees whole sequences, so context must be sequence"};
    }
    FLOPSMITH_CHECK(x.size() == operandsOf(mixer, shape).x);
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<BackwardStageKernel>(
            device,
            weights,
            x,
            dy,
            x.size(),
            flopsmith::weights(mixer, shape.dModel),
            [&](DeviceWeights onDevice, DeviceGradients gradients) {
                return plannedFor(mixer, [&](const auto& spec) {
                    return makeMixingBackward(spec, shape, onDevice, gradients, device);
                });
            });
    });
}

} // namespace flopsmith::cuda
