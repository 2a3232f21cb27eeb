// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_block.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace flopsmith::cpu {

/// The tokens of an FFN with a hidden layer, in blocks whose hidden activations take at most
/// 64 MiB: many tokens per pass over the weights, without a buffer that grows with the sequence.
class HiddenBlocks
{
public:
    HiddenBlocks(std::int64_t tokens,
                 std::int64_t hidden,
                 std::int64_t maxTokens = std::numeric_limits<std::int64_t>::max())
        : m_tokens(tokens)
        , m_hidden(hidden)
    {
        constexpr std::int64_t kMaxElements = std::int64_t{16} << 20;
        constexpr std::int64_t kMinTokens = 256;
        const std::int64_t max = std::min(std::max(kMinTokens, kMaxElements / hidden), maxTokens);
        const std::int64_t blocks = (tokens + max - 1) / max;
        m_block = (tokens + blocks - 1) / blocks; // equal blocks rather than a short last one
    }

    /// In bfloat16 at most one block of rows per thread: the product reads the weights again for
    /// each such block anyway, and the hidden activations stay in the caches.
    static HiddenBlocks of(const StageSize& size, std::int64_t hidden)
    {
        return size.precision == Precision::bfloat16
            ? HiddenBlocks(size.tokens, hidden, BlockSize::kMaxRows * size.threads.count)
            : HiddenBlocks(size.tokens, hidden);
    }

    std::int64_t tokens() const { return m_block; } ///< of a block
    std::int64_t elements() const { return m_block * m_hidden; }

    /// block(first token, tokens) in order.
    template <class Block>
    void forEach(const Block& block) const
    {
        for (std::int64_t first = 0; first < m_tokens; first += m_block) {
            block(first, std::min(m_block, m_tokens - first));
        }
    }

private:
    std::int64_t m_tokens;
    std::int64_t m_hidden;
    std::int64_t m_block = 1;
};

} // namespace flopsmith::cpu
