// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

#include <vector>

namespace flopsmith::cuda {

/// The features that a step works on: a list per token, or one cyclic window for all tokens.
struct PickedFeatures
{
    int columns = 1; ///< d
    int kept = 1; ///< s
    int start = 0;
    const int* lists = nullptr; ///< [tokens, s] of top_k

    __device__ int feature(std::int64_t token, std::int64_t k) const
    {
        if (lists != nullptr) {
            return lists[token * kept + k];
        }
        const int at = static_cast<int>(k) + start;
        return at < columns ? at : at - columns;
    }
};

/// The gates of a step, sigmoid(c ⊙ φ + e).
struct FeedbackGates
{
    const float* scale = nullptr; ///< c [d]
    const float* shift = nullptr; ///< e [d]

    __device__ float operator()(int feature, float phi) const
    {
        return sigmoid(fmaf(scale[feature], phi, shift[feature]));
    }
};

/// Activations of one step for all tokens; the backward pass saves one per step.
struct FeedbackMemory
{
    DeviceBuffer<int> lists; ///< [tokens, s] of top_k
    OperandBuffer x; ///< [tokens, s], the picked features
    DeviceBuffer<float> phi; ///< [tokens, s], inputs of their gates
    OperandBuffer before; ///< [tokens, r], input of the activation
    OperandBuffer u; ///< [tokens, r], its output
    DeviceBuffer<float> v; ///< [tokens, s]

    FeedbackMemory(const TokenFeedbackFfn& ffn, const StageSize& size, const Device& device);
};

/// Weights and forward pass of the steps of token feedback.
class FeedbackSteps
{
public:
    FeedbackSteps(const TokenFeedbackFfn& ffn,
                  const StageSize& size,
                  DeviceWeights weights,
                  const Device& device);

    const Linear& down(int step) const { return m_down[setOf(step)]; }
    const Linear& up(int step) const { return m_up[setOf(step)]; }
    FeedbackGates gates(int step) const { return m_gates[setOf(step)]; }
    PickedFeatures picked(int step, const FeedbackMemory& memory) const;

    /// One step on the features [tokens, d], in place.
    void run(int step, float* now, FeedbackMemory& memory) const;

private:
    std::size_t setOf(int step) const
    {
        return m_ffn.stepWeights == StepWeights::shared ? 0 : static_cast<std::size_t>(step);
    }

    const Device& m_device;
    TokenFeedbackFfn m_ffn;
    StageSize m_size;
    std::vector<Linear> m_down;
    std::vector<Linear> m_up;
    std::vector<FeedbackGates> m_gates;
};

} // namespace flopsmith::cuda
