// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_scores.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {

/// Attention's core where every sequence has one new token: each cached key and value is read once
/// and nothing else takes time. All heads treat some keys before the next, so that memory is read
/// in the order in which it lies; a head's own keys are short pieces far apart. Threads share the
/// keys out and add their sums up at the end.
class DecodeCore
{
public:
    /// `threads` are the most that run() will be given.
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
