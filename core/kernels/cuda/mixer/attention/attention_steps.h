// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/core_operands.h"
#include "core/kernels/cuda/stage.h"
#include "core/mixer/attention.h"

namespace flopsmith::cuda {

/// Scale, cap, bias and sinks of the scores, and the gradient of the table of biases.
class AttentionSteps
{
public:
    AttentionSteps(const Device& device,
                   const Attention& attention,
                   int headDim,
                   DeviceWeights weights);

    /// Enqueues the expansion of the bias table to one bias per offset.
    ScoreSteps run();

    /// The same without enqueuing anything.
    const ScoreSteps& steps() const { return m_steps; }

    /// [H, kOffsets], null without a table.
    float* offsetGradients() const { return m_offsetGradients.data(); }
    /// Sums offsetGradients() by bucket into `gradient` [buckets, H].
    void addToTable(float* gradient) const;

private:
    const Device* m_device;
    Attention m_attention;
    ScoreSteps m_steps;
    const float* m_table = nullptr;
    DeviceBuffer<float> m_slopes;
    DeviceBuffer<int> m_buckets; ///< [kOffsets]
    DeviceBuffer<float> m_biases; ///< [H, kOffsets]
    DeviceBuffer<float> m_offsetGradients;
};

} // namespace flopsmith::cuda
