// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/weights.h"
#include "core/mixer/attention.h"

#include <cstdint>
#include <span>

namespace flopsmith::cpu {

/// The steps between q·k and softmax (soft-cap, then bias), and the sinks of the softmax. A bias
/// depends on the head and on key minus query position alone, so that the biases of a row of scores
/// are a slice of an array.
class ScoreSteps
{
public:
    /// Nothing between q·k and softmax.
    ScoreSteps() = default;

    ScoreSteps(const Attention& attention, const AttentionPlan& plan, WeightView<float> weights);

    /// Reads the learned bias of every offset from its table; ALiBi's biases are constant.
    void lookUp();

    bool present() const { return hasSoftCap() || hasBias(); }
    bool hasSoftCap() const { return m_cap > 0.0F; }
    bool hasBias() const { return m_offsets > 0; }
    bool learnsBias() const { return m_table != nullptr; }

    /// [H], or null.
    const float* sinks() const { return m_sinks; }

    /// Scores of a query head with the keys `seen`, from the first of them: s ← cap·tanh(s/cap) + b.
    /// `tanhs`, if it is not null, gets each tanh.
    void apply(HeadRow row, Range seen, float* scores, float* tanhs) const;

    /// Turns ds, the gradient of apply()'s output, into that of its input, and accumulates it into
    /// `biases`, the gradients of one head's [offsets()], if that is not null.
    void applyBackward(HeadRow row, Range seen, const float* tanhs, float* ds, float* biases) const;

    /// The number of different offsets between a key and a query that sees it.
    std::int64_t offsets() const { return m_offsets; }

    /// Adds the gradients of a head's biases to the table's [buckets, H].
    void addToTable(std::int64_t head, const float* biases, std::span<float> table) const;

private:
    std::int64_t indexOf(HeadRow row, Range seen) const
    {
        return seen.first - row.position - m_first;
    }
    const float* biasesOf(std::int64_t head) const { return m_biases.data() + head * m_offsets; }

    float m_cap = 0.0F;
    std::int64_t m_heads = 0;
    std::int64_t m_first = 0; ///< the lowest offset; negative where the key is before the query
    std::int64_t m_offsets = 0;
    const float* m_sinks = nullptr;
    const float* m_table = nullptr; ///< [buckets, H], or null
    LedgerVector<int> m_buckets; ///< of each offset
    Buffer m_biases; ///< [H, offsets]
};

} // namespace flopsmith::cpu
