// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/cuda/gemm/grouped_product.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {

/// The experts and weights of each token, and the (token, expert) pairs ("rows") sorted by expert
/// and, within an expert, by token. All of it stays on the device.
class MoeRouting
{
public:
    MoeRouting(const MoeFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device);

    /// Routes x [tokens, d].
    void route(const float* x);

    /// Computes the gradients of the logits from those of the weights [tokens, k].
    void backward(const float* dWeights, float* dLogits) const;

    RowGroups groups() const;
    std::int64_t rows() const { return m_tokens * m_ffn.perToken; }
    const int* tokenOfRow() const { return m_tokenOfRow.data(); }
    const int* placeOfRow() const { return m_placeOfRow.data(); } ///< token·k + place
    const int* expertOfRow() const { return m_expertOfRow.data(); }
    const int* rowOfPlace() const
    {
        return m_rowOfPlace.data();
    } ///< [tokens, k], experts ascending
    const float* weightOfPlace() const { return m_weights.data(); } ///< [tokens, k]

private:
    const Device& m_device;
    MoeFfn m_ffn;
    std::int64_t m_tokens;
    int m_d;
    const float* m_router;
    const float* m_routerBias;
    const float* m_correction;
    DeviceBuffer<float> m_logits; ///< [tokens, E]; overwritten by scores if all experts are scored
    DeviceBuffer<int> m_experts; ///< [tokens, k]
    DeviceBuffer<float> m_weights;
    DeviceBuffer<float> m_shares; ///< before they are scaled
    DeviceBuffer<float> m_scores; ///< of the chosen
    DeviceBuffer<float> m_sums; ///< [tokens]: of the chosen scores
    DeviceBuffer<int> m_counts; ///< [E]
    DeviceBuffer<int> m_starts; ///< [E + 1]
    DeviceBuffer<int> m_tileStarts;
    DeviceBuffer<int> m_tokenOfRow;
    DeviceBuffer<int> m_placeOfRow;
    DeviceBuffer<int> m_expertOfRow;
    DeviceBuffer<int> m_rowOfPlace;
};

} // namespace flopsmith::cuda
