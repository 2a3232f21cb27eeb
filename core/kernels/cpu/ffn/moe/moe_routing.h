// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/memory_ledger.h"
#include "core/kernels/cpu/stage.h"

#include <cstdint>
#include <vector>

namespace flopsmith::cpu {

/// Which experts the tokens of a block are routed to, with which weights, and the order of the
/// pairs of a token and an expert ("rows") sorted by expert.
class MoeRouting
{
public:
    /// For blocks of at most `tokens`. Weights are borrowed and begin with the router's.
    MoeRouting(const MoeFfn& ffn,
               std::int64_t tokens,
               const StageSize& size,
               WeightView<float> weights);

    /// Routes x [tokens, d].
    void route(const float* x, std::int64_t tokens);

    /// Gradients [E] of the balance loss by the scores, the same of all tokens that were routed;
    /// empty outside a scope that balances. Notes the loads.
    std::vector<float> balanceBackward(std::int64_t tokens) const;

    /// The gradients of a token's logits from the gradients of its weights [k], which are
    /// overwritten, and from those of the balance loss.
    void backward(std::int64_t token,
                  const std::vector<float>& balance,
                  float* dWeights,
                  float* dLogits) const;

    /// to[r, ·] = x[token of r, ·]
    void gather(const float* x, float* to) const;

    /// to = factor·base + Σ_j w_j·row_j over the rows of a token. Without a base it counts as 0,
    /// without weights they are 1. `base` may be `to`.
    void sumRows(std::int64_t token,
                 const float* rows,
                 const float* weights,
                 const float* base,
                 float factor,
                 float* to) const;

    /// Of an expert, some of [0, tokens·k).
    Range rowsOf(int expert) const;

    std::int64_t rows() const { return m_starts.back(); }

    /// Of a token, k each, by ascending expert.
    const std::int32_t* rowsOfToken(std::int64_t token) const
    {
        return m_rows.data() + token * m_perToken;
    }
    const float* weightsOfToken(std::int64_t token) const
    {
        return m_weights.data() + token * m_perToken;
    }

private:
    using Key = std::uint64_t; ///< orders by value, then by lower index
    static constexpr int kKeysPerExpert = 2; ///< its own, and at most one of a group

    void routeToken(float* logits, std::int64_t token, Key* keys);
    void choose(const float* values, std::int32_t* chosen, Key* keys) const;
    void keepBestGroups(Key* keys, Key* groupKeys) const;
    void weigh(std::int64_t token);
    void scoreRow(float* row, std::int64_t count) const;
    void sortByExpert(std::int64_t tokens);
    void scoreBackward(std::int64_t token,
                       float sum,
                       const std::vector<float>& balance,
                       const float* dScores,
                       float* dLogits) const;

    MoeFfn m_ffn;
    std::int64_t m_experts;
    std::int64_t m_dModel;
    std::int64_t m_perToken;
    Threads m_threads;
    Linear m_router;
    const float* m_correction; ///< null without one
    Buffer m_logits; ///< [tokens, E], then scores
    Buffer m_shares; ///< [tokens, k], chosen scores, renormalised
    Buffer m_weights; ///< [tokens, k], scaled
    Buffer m_sums; ///< [tokens], of the chosen scores if they are renormalised
    LedgerVector<std::int32_t> m_chosen; ///< [tokens, k], ascending
    LedgerVector<std::int32_t> m_rows; ///< [tokens, k]
    LedgerVector<std::int32_t> m_tokens; ///< of each row
    LedgerVector<std::int64_t> m_starts; ///< first row of each expert, and the end
    LedgerVector<Key> m_keys; ///< [threads, 2E]: of the experts, then of their groups
};

/// σ(x·w) of one token.
float gateFactor(const float* x, const float* weight, std::int64_t dModel);

} // namespace flopsmith::cpu
