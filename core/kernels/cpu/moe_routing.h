// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/ffn/moe.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/stage.h"

#include <cstdint>
#include <vector>

namespace flopsmith::cpu {

/// Which experts the tokens of a block are sent to, with which weights, and in which order the
/// pairs of a token and an expert ("rows") lie when they are sorted by expert.
class MoeRouting
{
public:
    /// For blocks of at most `tokens`. Weights are lent and begin with the router's.
    MoeRouting(const MoeFfn& ffn,
               std::int64_t tokens,
               const StageSize& size,
               WeightView<float> weights);

    /// Routes x [tokens, d].
    void route(const float* x, std::int64_t tokens);

    /// Of an expert, some of [0, tokens·k).
    Range rowsOf(int expert) const;

    std::int64_t rows() const { return m_starts.back(); }
    std::int64_t tokenOf(std::int64_t row) const { return m_tokens[static_cast<std::size_t>(row)]; }

    /// Of a token, k each, by ascending expert.
    const std::int32_t* rowsOfToken(std::int64_t token) const
    {
        return m_rows.data() + token * m_perToken;
    }
    const float* weightsOfToken(std::int64_t token) const
    {
        return m_weights.data() + token * m_perToken;
    }

    std::size_t bytes() const;
    static Count mostBytes(const MoeFfn& ffn, std::int64_t tokens, Threads threads);

private:
    using Key = std::uint64_t; ///< orders by value, then by lower index

    void routeToken(float* logits, std::int64_t token, Key* keys);
    void choose(const float* values, std::int32_t* chosen, Key* keys) const;
    void weigh(float* weights) const;
    void scoreRow(float* row, std::int64_t count) const;
    void sortByExpert(std::int64_t tokens);

    MoeFfn m_ffn;
    std::int64_t m_experts;
    std::int64_t m_perToken;
    Threads m_threads;
    Linear m_router;
    const float* m_correction; ///< null without one
    Buffer m_logits; ///< [tokens, E], then scores
    Buffer m_weights; ///< [tokens, k]
    std::vector<std::int32_t> m_chosen; ///< [tokens, k], ascending
    std::vector<std::int32_t> m_rows; ///< [tokens, k]
    std::vector<std::int32_t> m_tokens; ///< of each row
    std::vector<std::int64_t> m_starts; ///< first row of each expert, and the end
    std::vector<Key> m_keys; ///< [threads, E]
};

} // namespace flopsmith::cpu
