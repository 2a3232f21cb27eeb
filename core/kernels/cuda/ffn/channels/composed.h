// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/composed.h"
#include "core/kernels/cuda/ffn/channels/channel_pass.cuh"
#include "core/kernels/cuda/stage.h"

#include <vector>

namespace flopsmith::cuda {

/// σ of the gates of all stages of a composition, computed once per pass; empty without gates.
class OpenedGates
{
public:
    OpenedGates(const ComposedFfn& ffn, int dModel, DeviceWeights weights, const Device& device);

    OpenGate ofStage(std::size_t stage) const;
    /// Gates of one stage: 0, 1 or d.
    std::int64_t width() const { return m_width; }
    const float* values() const { return m_values.data(); }

private:
    std::int64_t m_width = 0;
    std::int64_t m_stride = 0;
    DeviceBuffer<float> m_values;
};

/// The tensors of one stage among those of the composition, which begin with the gates.
struct TensorRange
{
    std::size_t first = 0;
    std::size_t count = 0;
};

std::vector<TensorRange> tensorsOfStages(const ComposedFfn& ffn, int dModel);

/// A pass over all channels of [tokens, d] without terms or stages.
ChannelPass emptyPass(const StageSize& size);

inline void addTerm(ChannelPass& pass, const float* values, const OpenGate& gate = {})
{
    pass.terms[pass.termCount++] = {values, gate};
}

} // namespace flopsmith::cuda
