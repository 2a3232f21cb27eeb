// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/score_slices.h"
#include "core/mixer/attention.h"

namespace flopsmith::cuda {

/// Row strides of the cache, in elements.
struct CacheStrides
{
    std::int64_t keys = 0;
    std::int64_t values = 0;
};

enum class Keeping {
    nothing,
    forBackward,
};

/// Scores in memory at once where they are not kept: 32 MiB of float32, about as much as the L2
/// cache of a large GPU holds.
constexpr std::int64_t kScoresAtOnce = std::int64_t{1} << 23;

/// Scores [batch, H, S, C] by cuBLAS, softmax in a pass over them, weighted sums by cuBLAS.
/// Materialised attention writes the whole matrix and keeps its probabilities for the backward
/// pass. Flash attention never has more than `scoresAtOnce` of them in memory, or one row, and
/// computes them again in the backward pass.
class ScoreCore
{
public:
    /// Of `steps` only matters which pointers are null; run() gets the values.
    ScoreCore(const Device& device,
              AttentionAlgorithm algorithm,
              const CoreSize& size,
              const ScoreSteps& steps,
              const CacheStrides& cache,
              Keeping keeping,
              std::int64_t scoresAtOnce = kScoresAtOnce);

    /// out [batch·S, H·valueDim] of the operands' element or float32.
    void run(const CoreInput& input, const ScoreSteps& steps, const Destination& out);

    /// The backward pass of the last run(), which had no cached keys. dOut has the operands'
    /// element.
    void runBackward(const CoreInput& input,
                     const ScoreSteps& steps,
                     const Operand& dOut,
                     const CoreGradients& gradients);

private:
    bool isHalf() const { return m_rounded.element() == Element::bfloat16; }
    Destination probabilities() const;
    Destination gradientsOfScores() const;
    void computeProbabilities(const ScoreSlice& slice,
                              const Operand& queries,
                              const MatrixRows& keys,
                              const ScoreSteps& steps);
    void softmax(const CoreSize& size, const ScoreSteps& steps);
    void runBackward(const ScoreSlice& slice,
                     const MatrixRows& keys,
                     const MatrixRows& values,
                     const Operand& queries,
                     const Operand& dOut,
                     const ScoreSteps& steps,
                     const CoreGradients& gradients);
    void softmaxBackward(const ScoreSlice& slice,
                         const ScoreSteps& steps,
                         const CoreGradients& gradients);
    template <class Value>
    void softmaxBackwardAs(const ScoreSlice& slice, const ScoreSteps& steps, float* biases);
    void sumOffsets(const ScoreSlice& slice, float* biases);
    MatrixRows withCache(const HeadRows& rows, RoundedRows& cached) const;

    const Device* m_device;
    CoreSize m_size;
    std::vector<ScoreSlice> m_slices; ///< the buffers below hold one slice
    bool m_recomputes; ///< the scores in the backward pass
    DeviceBuffer<float> m_scores; ///< then probabilities where operands are float32
    OperandBuffer m_rounded; ///< probabilities in bfloat16
    DeviceBuffer<float> m_tangents; ///< of capped scores, if kept
    DeviceBuffer<float> m_dScores;
    OperandBuffer m_roundedGradients;
    DeviceBuffer<float> m_sinkShares; ///< of each row, if kept
    DeviceBuffer<float> m_centres;
    DeviceBuffer<float> m_partial; ///< [H, batch·strips, kOffsets]
    RoundedRows m_cachedKeys; ///< of all slices
    RoundedRows m_cachedValues;
};

} // namespace flopsmith::cuda
