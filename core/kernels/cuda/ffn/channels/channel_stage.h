// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/ffn/channels/channel_pass.cuh"
#include "core/kernels/cuda/stage.h"

#include <memory>

namespace flopsmith::cuda {

/// A stage that treats each channel alone, with what its descriptor points to on the device: on its
/// own it is a pass with one stage, in a composition one of several in a pass.
class PreparedChannelStage
{
public:
    PreparedChannelStage(const PolynomialFfn& ffn,
                         int dModel,
                         DeviceWeights weights,
                         const Device& device);
    /// Of mode `groups`.
    PreparedChannelStage(const MicroRefineFfn& ffn,
                         int dModel,
                         DeviceWeights weights,
                         const Device& device);

    const ChannelStage& descriptor() const { return m_descriptor; }
    void setGate(const OpenGate& gate) { m_descriptor.gate = gate; }

private:
    ChannelStage m_descriptor;
    DeviceBuffer<float> m_coefficients; ///< [terms, d], if they are per channel
    DeviceBuffer<unsigned> m_fixed;
    DeviceBuffer<int> m_keptOfGroups;
};

/// y = stage(x) for such a stage alone.
class ChannelStageAlone : public Stage
{
public:
    ChannelStageAlone(const Device& device, const StageSize& size, PreparedChannelStage stage);

    void run(const float* x, float* y) override;

    const ChannelStage& descriptor() const { return m_stage.descriptor(); }
    /// Also keeps which channels were chosen: [tokens, words]; null to stop.
    void keepChoice(unsigned* chosen) { m_chosen = chosen; }

private:
    const Device& m_device;
    StageSize m_size;
    PreparedChannelStage m_stage;
    DeviceBuffer<std::byte> m_rowMemory;
    unsigned* m_chosen = nullptr;
};

} // namespace flopsmith::cuda
