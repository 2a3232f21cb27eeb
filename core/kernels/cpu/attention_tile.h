// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/parallel.h"
#include "core/kernels/cpu/product.h"
#include "core/kernels/shape.h"
#include "core/mixer/attention.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// The sizes of attention's core in the terms of its loops.
struct AttentionPlan
{
    std::int64_t batch;
    std::int64_t queries; ///< S
    std::int64_t keys; ///< C
    std::int64_t heads; ///< H
    std::int64_t kvHeads; ///< G
    std::int64_t headDim; ///< h
    std::int64_t window; ///< keys a query sees at most; C if there is no limit
    bool causal;

    AttentionPlan(const Attention& attention, const Shape& shape);

    std::int64_t cached() const { return keys - queries; }
    std::int64_t sharers() const { return heads / kvHeads; } ///< query heads per key head
    std::int64_t rowWidth() const { return (heads + 2 * kvHeads) * headDim; } ///< of q | k | v

    /// Queries whose heads of one group form a tile of about 64 rows, enough for a product to run
    /// at its full rate and few enough that little of a causal tile is masked.
    std::int64_t tileQueries() const;

    std::int64_t tileRows() const { return tileQueries() * sharers(); }
    std::int64_t tilesPerSequence() const;
    std::int64_t tiles() const { return batch * kvHeads * tilesPerSequence(); }

    /// Keys that the query at a position (from 0, cached tokens included) sees.
    Range visibleTo(std::int64_t position) const;
};

/// Where queries, keys and values are.
struct AttentionInput
{
    const float* qkv; ///< [T, q | k | v], rotated
    const float* cachedKeys; ///< [batch, C − S, G·h]
    const float* cachedValues;
};

/// Some neighbouring queries of one sequence, all query heads that share one key head: the unit
/// of work of attention. Its rows are (query, head): row = query·sharers + head.
class AttentionTile
{
public:
    AttentionTile(const AttentionPlan& plan, const AttentionInput& input, std::int64_t index);

    std::int64_t rows() const { return m_queries.size() * m_plan.sharers(); }

    /// Keys that any of the tile's queries sees, and those that one row sees.
    Range visible() const;
    Range visibleTo(std::int64_t row) const;

    /// Copies the queries times 1/√h to to[rows, h], so that scores need no further scaling.
    void gatherQueries(float* to) const;

    /// Writes from[rows, h] to the heads' places in mixed [T, H·h].
    void scatter(const float* from, float* mixed) const;

    /// scores[rows, keys of the range] = queries·kᵀ.
    void scores(const float* queries, Range keys, const MatrixAt<float>& scores) const;

    /// sums[rows, h] (+)= weights[rows, keys of the range]·v.
    void weightedSum(const MatrixAt<const float>& weights,
                     Range keys,
                     Into into,
                     float* sums) const;

    /// The first row of the tile among all (sequence, key head, query, head): where the
    /// materialised scores of the tile begin.
    std::int64_t firstRow() const;

private:
    // Calls part(range, matrix) for the cached and the new part of a range of keys (offset 0) or
    // values; a matrix begins with the range's first row.
    template <class Part>
    void forEachSource(Range keys,
                       const float* cached,
                       std::int64_t column,
                       const Part& part) const;

    const AttentionPlan& m_plan;
    AttentionInput m_input;
    std::int64_t m_sequence; ///< which of the batch
    std::int64_t m_kvHead;
    Range m_queries; ///< of the sequence's new tokens
};

/// Floats of scratch that a thread needs for flashTile() and for the materialised steps.
std::size_t tileScratch(const AttentionPlan& plan);

/// One tile from queries to weighted sums, block of keys by block of keys with a running maximum
/// (Milakov and Gimelshein 2018; Dao et al. 2022): the scores never leave the cache.
void flashTile(const AttentionTile& tile, const AttentionPlan& plan, float* scratch, float* mixed);

/// The same in three steps, each over all tiles before the next: scores [H·B·S, C] are written,
/// turned into weights in place, and read again.
void writeScores(const AttentionTile& tile,
                 const AttentionPlan& plan,
                 float* scratch,
                 float* scores);
void turnIntoWeights(const AttentionTile& tile, const AttentionPlan& plan, float* scores);
void sumValues(const AttentionTile& tile,
               const AttentionPlan& plan,
               float* scratch,
               const float* scores,
               float* mixed);

} // namespace flopsmith::cpu
