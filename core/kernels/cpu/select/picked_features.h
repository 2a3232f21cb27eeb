// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cpu/select/selection.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// The features of a step of token feedback: a window, which may wrap around, or a list.
struct PickedFeatures
{
    const int* list; ///< ascending; null for a window
    int start; ///< of the window
    int count;
    int dModel;

    /// piece(first feature, its place among the picked, how many) for the parts of a window.
    template <class Piece>
    void forEachPiece(const Piece& piece) const
    {
        const int tail = std::min(count, dModel - start);
        piece(start, 0, tail);
        piece(0, tail, count - tail);
    }

    void gather(const float* row, float* to) const
    {
        if (list != nullptr) {
            for (int i = 0; i < count; ++i) {
                to[i] = row[list[i]];
            }
            return;
        }
        forEachPiece([&](int from, int at, int n) { std::copy_n(row + from, n, to + at); });
    }

    void scatter(const float* from, float* row) const
    {
        if (list != nullptr) {
            for (int i = 0; i < count; ++i) {
                row[list[i]] = from[i];
            }
            return;
        }
        forEachPiece([&](int to, int at, int n) { std::copy_n(from + at, n, row + to); });
    }

    /// visit(read, changed, at, n): the picked features of some rows [d] as contiguous runs, from
    /// the picked feature number `at` on. Those of a window are in the rows; those of a list are
    /// gathered into scratch, [count] per row, and scattered back where changed.
    template <std::size_t kRead, std::size_t kChanged, class Visit>
    void inRuns(std::array<const float*, kRead> read,
                std::array<float*, kChanged> changed,
                float* scratch,
                const Visit& visit) const
    {
        if (list == nullptr) {
            forEachPiece([&](int first, int at, int n) {
                visit(from(read, first), from(changed, first), at, n);
            });
            return;
        }
        const std::array<float*, kChanged> rows = changed;
        const auto gathered = [&](const float* row) {
            float* const to = scratch;
            gather(row, to);
            scratch += count;
            return to;
        };
        std::ranges::transform(read, read.begin(), gathered);
        std::ranges::transform(changed, changed.begin(), gathered);
        visit(read, changed, 0, count);
        for (std::size_t i = 0; i < kChanged; ++i) {
            scatter(changed[i], rows[i]);
        }
    }

private:
    template <class Value, std::size_t kCount>
    static std::array<Value*, kCount> from(std::array<Value*, kCount> rows, int first)
    {
        for (Value*& row : rows) {
            row += first;
        }
        return rows;
    }
};

/// Successive steps that share their weights and pick disjoint features do not depend on each
/// other: with few tokens one product multiplies the rows of all of them. Returns the size of such
/// groups of steps; the last group may be smaller.
inline int stepsTogether(const TokenFeedbackFfn& ffn, std::int64_t tokens, int dModel)
{
    constexpr std::int64_t kMaxTokens = 64; // with more, products are as fast by themselves
    if (ffn.window != FeatureWindow::rotating || ffn.weightSets() > 1 || tokens > kMaxTokens) {
        return 1;
    }
    return std::min(ffn.steps, dModel / ffn.keptFeatures(dModel));
}

/// Picks the features of one token for a step. `list` [s] and `mask` [d] are scratch of top_k; the
/// answer refers to the list.
inline PickedFeatures pickFeatures(const TokenFeedbackFfn& ffn,
                                   int step,
                                   int dModel,
                                   const float* row,
                                   int* list,
                                   std::int32_t* mask)
{
    const int count = ffn.keptFeatures(dModel);
    if (ffn.window == FeatureWindow::rotating) {
        return {nullptr, ffn.windowStart(step, dModel), count, dModel};
    }
    maskLargest(row, dModel, count, mask);
    for (int j = 0, n = 0; n < count; ++j) {
        list[n] = j;
        n += mask[j] & 1;
    }
    return {list, 0, count, dModel};
}

} // namespace flopsmith::cpu
