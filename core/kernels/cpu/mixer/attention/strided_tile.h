// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstddef>
#include <cstdint>

// Scores, softmax and weighted sum with keys and values that lie anywhere and differ in width: the
// core of latent and cross-attention.
namespace flopsmith::cpu {

/// Rows of features, one per token of all sequences, and where each key head's begin.
struct StridedRows
{
    const float* first = nullptr; ///< of the first token and key head
    std::int64_t stride = 0; ///< from token to token
    std::int64_t perGroup = 0; ///< from key head to key head; 0: all share them
};

/// Features of keys or values: those of cached tokens, then those of this pass.
struct StridedSource
{
    StridedRows cached;
    StridedRows fresh;
    std::int64_t width = 0;
};

/// What the core reads. A key is its head's own features followed by those of `sharedKeys`.
struct StridedOperands
{
    const float* queries = nullptr; ///< [T, H·keyDim]
    StridedSource keys;
    StridedSource sharedKeys; ///< width 0 if there are none
    StridedSource values;
};

/// The sizes of the core.
struct StridedPlan
{
    std::int64_t batch = 1;
    std::int64_t queries = 1; ///< S
    std::int64_t cached = 0; ///< keys per sequence from the cache
    std::int64_t fresh = 1; ///< and from this pass
    std::int64_t heads = 1;
    std::int64_t groups = 1; ///< key heads; they divide the heads
    std::int64_t keyDim = 1;
    std::int64_t valueDim = 1;
    bool causal = false; ///< the queries stand at the end of the keys
    float scale = 1.0F; ///< of scores
    std::int64_t tileRows = 1; ///< see withTiles()

    std::int64_t keys() const { return cached + fresh; }
    std::int64_t sharers() const { return heads / groups; }

    /// Rows (query, head) that share one key head of one sequence, in this order.
    std::int64_t groupRows() const { return queries * sharers(); }
    std::int64_t rows() const { return batch * heads * queries; }
    std::int64_t tilesPerGroup() const { return (groupRows() + tileRows - 1) / tileRows; }
    std::int64_t tiles() const { return batch * groups * tilesPerGroup(); }

    /// Tiles of about 64 rows: enough for a product to run at its full rate and few enough that
    /// little of a causal tile is masked; smaller ones where threads would find none.
    StridedPlan withTiles(Threads threads) const;

    /// Threads worth waking.
    Threads busy(Threads threads) const
    {
        return worthwhile(threads, rows() * keys() * (keyDim + valueDim) / 2);
    }
};

/// Some neighbouring rows (query, head) of one key head of one sequence: the unit of work.
class StridedTile
{
public:
    StridedTile(const StridedPlan& plan, const StridedOperands& operands, std::int64_t index);

    std::int64_t rows() const { return m_rows.size(); }

    /// Keys that any of the rows sees, and those that one sees: the first so many.
    std::int64_t visible() const { return visibleTo(rows() - 1); }
    std::int64_t visibleTo(std::int64_t row) const;

    /// Copies the queries times the scale to to[rows, keyDim].
    void gatherQueries(float* to) const;

    /// Between rows [rows, width] and their places in [T, H·width].
    void gather(const float* from, std::int64_t width, float* to) const;
    void scatter(const float* from, std::int64_t width, float* to) const;

    /// scores[rows, keys] = queries·kᵀ, and gradients of sums [rows, valueDim] times vᵀ.
    void scores(const float* queries, Range keys, const MatrixAt<float>& scores) const;
    void valueScores(const float* sums, Range keys, const MatrixAt<float>& scores) const;

    /// sums[rows, valueDim] (+)= weights[rows, keys]·v, and [rows, keyDim] the same with k for v.
    void weightedSum(const MatrixAt<const float>& weights,
                     Range keys,
                     Into into,
                     float* sums) const;
    void weightedKeySum(const MatrixAt<const float>& weights,
                        Range keys,
                        Into into,
                        float* sums) const;

    /// The tile's first row among those of all sequences and key heads.
    std::int64_t firstRow() const;

private:
    // Calls part(range, matrix) for the cached and the new part of a range of keys; a matrix begins
    // with the range's first row.
    template <class Part>
    void forEachPart(Range keys, const StridedSource& source, const Part& part) const;

    void multiplyBy(const StridedSource& source,
                    const MatrixAt<const float>& from,
                    Range keys,
                    Into into,
                    const MatrixAt<float>& scores) const;
    void sumOf(const StridedSource& source,
               const MatrixAt<const float>& weights,
               Range keys,
               Into into,
               const MatrixAt<float>& sums) const;

    // Where a row stands in [T, H·width].
    std::int64_t place(std::int64_t row, std::int64_t width) const;

    const StridedPlan& m_plan;
    const StridedOperands& m_operands;
    std::int64_t m_sequence;
    std::int64_t m_group;
    Range m_rows; ///< of the group's
};

} // namespace flopsmith::cpu
