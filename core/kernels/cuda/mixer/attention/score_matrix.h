// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/score_matrix_products.h"

namespace flopsmith::cuda {

/// Of the rows of the cache, in elements.
struct CacheStrides
{
    std::int64_t keys = 0;
    std::int64_t values = 0;
};

enum class Keeping {
    nothing,
    forBackward, ///< probabilities, and what else the backward pass asks for
};

/// The core of attention that writes its scores [batch, H, S, C]: products by cuBLAS, softmax in a
/// pass of its own.
class ScoreMatrix
{
public:
    /// Of the steps only which there are counts here.
    ScoreMatrix(const Device& device,
                const CoreSize& size,
                const ScoreSteps& steps,
                const CacheStrides& cache,
                Keeping keeping);

    /// As AttentionCore::run().
    void run(const CoreInput& input, const ScoreSteps& steps, const Destination& out);

    /// Of the last run(), without cached keys. dOut has the operands' element.
    void runBackward(const CoreInput& input,
                     const ScoreSteps& steps,
                     const Operand& dOut,
                     const CoreGradients& gradients);

private:
    bool isHalf() const { return m_rounded.element() == Element::bfloat16; }
    int strips() const;
    Destination probabilities() const;
    Destination gradientsOfScores() const;
    void softmax(const ScoreSteps& steps);
    void softmaxBackward(const ScoreSteps& steps, const CoreGradients& gradients);
    template <class Value>
    void softmaxBackwardAs(const ScoreSteps& steps, float* biases);
    void sumOffsets(float* biases);
    MatrixRows withCache(const HeadRows& rows, RoundedRows& cached) const;

    const Device* m_device;
    CoreSize m_size;
    DeviceBuffer<float> m_scores; ///< then probabilities where operands are float32
    OperandBuffer m_rounded; ///< probabilities in bfloat16
    DeviceBuffer<float> m_tangents; ///< of capped scores, if kept
    DeviceBuffer<float> m_dScores;
    OperandBuffer m_roundedGradients;
    DeviceBuffer<float> m_sinkShares; ///< of each row, if kept
    DeviceBuffer<float> m_centres;
    DeviceBuffer<float> m_partial; ///< [H, batch·strips, kOffsets]
    RoundedRows m_cachedKeys;
    RoundedRows m_cachedValues;
};

} // namespace flopsmith::cuda
