// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/spectral/spectral.h"

#include "core/kernels/cuda/linear/linear.h"

#include <utility>

namespace flopsmith::cuda {
namespace {

class ActivatedStage : public Stage
{
public:
    ActivatedStage(Activation activation,
                   const StageSize& size,
                   std::unique_ptr<Stage> stage,
                   const Device& device)
        : m_device(device)
        , m_activation(activation)
        , m_size(size)
        , m_stage(std::move(stage))
    {}

    void run(const float* x, float* y) override
    {
        m_stage->run(x, y);
        const Destination to = destinationAt(y, m_size.dModel);
        addBiasAndActivate(m_device, m_activation, nullptr, m_size.tokens, m_size.dModel, to, to);
    }

private:
    const Device& m_device;
    Activation m_activation;
    StageSize m_size;
    std::unique_ptr<Stage> m_stage;
};

class ActivatedBackwardStage : public BackwardStage
{
public:
    ActivatedBackwardStage(Activation activation,
                           const StageSize& size,
                           std::unique_ptr<BackwardStage> stage,
                           const Device& device)
        : m_device(device)
        , m_activation(activation)
        , m_size(size)
        , m_stage(std::move(stage))
        , m_before(device.memory(), static_cast<std::size_t>(size.activations()))
        , m_dBefore(device.memory(), static_cast<std::size_t>(size.activations()))
    {}

    void save(const float* x, float* y) override
    {
        const int d = m_size.dModel;
        m_stage->save(x, m_before.data());
        addBiasAndActivate(m_device,
                           m_activation,
                           nullptr,
                           m_size.tokens,
                           d,
                           operandAt(m_before.data(), d),
                           destinationAt(y, d));
    }

    void run(const float* dy, float* dx) override
    {
        const int d = m_size.dModel;
        activateBackward(m_device,
                         m_activation,
                         m_size.tokens,
                         d,
                         operandAt(m_before.data(), d),
                         operandAt(dy, d),
                         destinationAt(m_dBefore.data(), d));
        m_stage->run(m_dBefore.data(), dx);
    }

private:
    const Device& m_device;
    Activation m_activation;
    StageSize m_size;
    std::unique_ptr<BackwardStage> m_stage;
    DeviceBuffer<float> m_before; ///< input of the activation
    DeviceBuffer<float> m_dBefore;
};

} // namespace

std::unique_ptr<Stage> makeStage(const SpectralFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    const bool direct = ffn.algorithmFor(size.dModel) == SpectralAlgorithm::direct;
    auto* make = direct ? &makeSpectralDirect : &makeSpectralFft;
    std::unique_ptr<Stage> stage = make(ffn, size, weights[0], device);
    if (ffn.activation == Activation::none) {
        return stage;
    }
    return std::make_unique<ActivatedStage>(ffn.activation, size, std::move(stage), device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const SpectralFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    const bool direct = ffn.algorithmFor(size.dModel) == SpectralAlgorithm::direct;
    auto* make = direct ? &makeSpectralDirectBackward : &makeSpectralFftBackward;
    std::unique_ptr<BackwardStage> stage = make(ffn, size, weights[0], gradients[0], device);
    if (ffn.activation == Activation::none) {
        return stage;
    }
    return std::make_unique<ActivatedBackwardStage>(ffn.activation, size, std::move(stage), device);
}

} // namespace flopsmith::cuda
