// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/score_matrix.h"
#include "core/mixer/attention.h"

#include <optional>

namespace flopsmith::cuda {

/// The core of attention by either algorithm, with what its backward pass needs.
class ScoreCore
{
public:
    /// Of the steps only which there are counts here.
    ScoreCore(const Device& device,
              AttentionAlgorithm algorithm,
              const CoreSize& size,
              const ScoreSteps& steps,
              const CacheStrides& cache,
              Keeping keeping);

    /// out [batch·S, H·valueDim]
    void run(const CoreInput& input, const ScoreSteps& steps, const Destination& out);

    /// Of the last run(), `out` being what it wrote; dOut has the same element.
    void runBackward(const CoreInput& input,
                     const ScoreSteps& steps,
                     const Operand& out,
                     const Operand& dOut,
                     const CoreGradients& gradients);

private:
    RowSums sums() const { return {m_largest.data(), m_total.data()}; }

    std::optional<ScoreMatrix> m_matrix; ///< materialised
    std::optional<AttentionCore> m_core; ///< flash
    std::optional<AttentionCoreBackward> m_backward;
    DeviceBuffer<float> m_largest; ///< of each row of scores, if kept
    DeviceBuffer<float> m_total;
};

} // namespace flopsmith::cuda
