// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/ffn/channels/channel_pass.cuh"
#include "core/kernels/cuda/stage.h"

#include <memory>

namespace flopsmith::cuda {

/// A per-channel stage and the device memory that its descriptor points to. Alone it is a pass of
/// one stage; in a composition several share a pass.
class PreparedChannelStage
{
public:
    PreparedChannelStage(const PolynomialFfn& ffn,
                         int dModel,
                         DeviceWeights weights,
                         const Device& device);
    /// For mode `groups`.
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

/// y = stage(x) as a pass of one stage.
class ChannelStageAlone : public Stage
{
public:
    ChannelStageAlone(const Device& device, const StageSize& size, PreparedChannelStage stage);

    void run(const float* x, float* y) override;

    const ChannelStage& descriptor() const { return m_stage.descriptor(); }
    /// Also saves which channels were chosen in `chosen` [tokens, words]; null: no longer.
    void keepChoice(unsigned* chosen) { m_chosen = chosen; }

private:
    const Device& m_device;
    StageSize m_size;
    PreparedChannelStage m_stage;
    DeviceBuffer<std::byte> m_rowMemory;
    unsigned* m_chosen = nullptr;
};

} // namespace flopsmith::cuda
