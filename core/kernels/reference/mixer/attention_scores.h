// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/mixer/attention_parts.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

// Scale, soft cap and position biases between q·k and softmax.
namespace flopsmith::reference {

/// The scores of one query head with its visible keys. `weights` are the attention's.
template <class S>
struct LogitRow
{
    const Attention& attention;
    const Sizes& n;
    WeightView<S> weights;
    std::size_t head;
    std::size_t position; ///< of the query
    std::size_t firstKey; ///< position of the first visible key

    /// The head's sink, or null.
    const S* sink() const
    {
        const AttentionTensors places(attention);
        return places.sinks == 0 ? nullptr : &weights[places.sinks][head];
    }

    /// Index of the bias of the j-th seen key in the table [buckets, H].
    std::size_t entry(std::size_t j) const
    {
        const int bucket =
            relativeBucket(offset(j), attention.relativeBuckets, attention.direction());
        return static_cast<std::size_t>(bucket) * n.heads + head;
    }

    /// Turns products q·k into logits of softmax: scaled, capped (each tanh is saved), biased.
    void finish(std::span<S> scores, std::vector<S>& tanhs) const
    {
        using std::tanh;
        tanhs.clear();
        for (std::size_t j = 0; j < scores.size(); ++j) {
            S& score = scores[j];
            if (attention.scaleScores) {
                score = score * scoreScale<S>(n);
            }
            if (attention.hasSoftCap()) {
                tanhs.push_back(tanh(score * S(1.0 / attention.softCap)));
                score = tanhs.back() * S(attention.softCap);
            }
            if (attention.biasesScores()) {
                score = score + bias(j);
            }
        }
    }

    /// Turns gradients of the logits into those of the scaled products, and accumulates the
    /// gradients of the table's entries. `table` is null without a table.
    void finishBackward(const std::vector<S>& tanhs, std::span<S> ds, std::vector<S>* table) const
    {
        for (std::size_t j = 0; j < ds.size(); ++j) {
            if (table != nullptr) {
                noteMoves<S>(1);
                (*table)[entry(j)] += ds[j];
            }
            if (attention.hasSoftCap()) {
                ds[j] = ds[j] * (S(1) - tanhs[j] * tanhs[j]);
            }
        }
    }

private:
    int offset(std::size_t j) const
    {
        return static_cast<int>(firstKey + j) - static_cast<int>(position);
    }

    // ALiBi's biases come from a table computed once, so only look-ups of learned biases are
    // counted.
    S bias(std::size_t j) const
    {
        if (!attention.readsBiasTable()) {
            return S(fixedBias(attention, static_cast<int>(head), offset(j)));
        }
        noteMoves<S>(1);
        return weights[AttentionTensors(attention).relativeBias][entry(j)];
    }
};

} // namespace flopsmith::reference
