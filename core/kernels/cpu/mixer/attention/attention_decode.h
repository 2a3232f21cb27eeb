// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_scores.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {

/// The core of decoding, one new token per sequence: bound by reading each cached key and value
/// once. All heads process a block of keys before the next, so that memory is read sequentially; the
/// keys of one head are short pieces with a large stride. The keys are divided among the threads,
/// whose sums are added at the end.
class DecodeCore
{
public:
    /// `threads`: an upper bound of run()'s.
    DecodeCore(const AttentionPlan& plan, Threads threads);

    static bool serves(const AttentionPlan& plan) { return plan.queries == 1 && plan.cached > 0; }

    /// From queries and keys to the weighted sums [B, H·valueDim].
    void run(const CoreInput& input, const ScoreSteps& steps, Threads threads, float* sums);

private:
    // Calls each(tile, keys) for a part of the keys of all sequences.
    template <class Each>
    void forEachBlock(const CoreInput& input, int parts, int part, const Each& each) const;

    std::int64_t sumFloats() const { return m_plan.rows() * m_plan.valueDim; }

    AttentionPlan m_plan; ///< a tile is a KV head of a sequence
    Buffer m_queries; ///< [B·H, keyDim], scaled
    Buffer m_scores; ///< [B·H, C]
    Buffer m_sums; ///< [threads, B·H, valueDim]
};

} // namespace flopsmith::cpu
