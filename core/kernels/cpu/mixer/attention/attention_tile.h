// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"
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
    std::int64_t reachBack; ///< keys before itself that a query sees at most
    std::int64_t reachForward; ///< keys after itself
    float scale; ///< of scores: 1/√h, or 1
    bool capsScores;
    std::int64_t mostTileRows = 192;

    AttentionPlan(const Attention& attention, const Shape& shape);

    std::int64_t cached() const { return keys - queries; }
    std::int64_t sharers() const { return heads / kvHeads; } ///< query heads per key head
    std::int64_t rowWidth() const { return (heads + 2 * kvHeads) * headDim; } ///< of q | k | v

    /// Queries whose heads of one group form a tile of at most mostTileRows: 192 are enough for a
    /// product to run at its full rate and few enough that little of a causal tile is masked.
    std::int64_t tileQueries() const;

    std::int64_t tileRows() const { return tileQueries() * sharers(); }
    std::int64_t tilesPerSequence() const;
    std::int64_t tiles() const { return batch * kvHeads * tilesPerSequence(); }

    /// Keys that the query at a position (from 0, cached tokens included) sees.
    Range visibleTo(std::int64_t position) const;
};

/// One query head of one token: a row of scores.
struct HeadRow
{
    std::int64_t head;
    std::int64_t position; ///< of the token, from 0, cached ones included
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

    /// Which query head of which token a row is.
    HeadRow headRow(std::int64_t row) const;

    /// Copies the queries times the scale to to[rows, h], so that scores need no further scaling.
    void gatherQueries(float* to) const;

    /// Copies from the heads' places in mixed [T, H·h] to to[rows, h], and back.
    void gather(const float* mixed, float* to) const;
    void scatter(const float* from, float* mixed) const;

    /// Writes from[rows, h] to the queries' places in rows q | k | v.
    void scatterQueries(const float* from, float* qkv) const;

    /// scores[rows, keys of the range] = queries·kᵀ, and the same with v for k.
    void scores(const float* queries, Range keys, const MatrixAt<float>& scores) const;
    void valueScores(const float* queries, Range keys, const MatrixAt<float>& scores) const;

    /// sums[rows, h] (+)= weights[rows, keys of the range]·v, and the same with k for v.
    void weightedSum(const MatrixAt<const float>& weights,
                     Range keys,
                     Into into,
                     float* sums) const;
    void weightedKeySum(const MatrixAt<const float>& weights,
                        Range keys,
                        Into into,
                        float* sums) const;

    /// Keys and values of a range, [keys, h], all of them cached or none.
    MatrixAt<const float> keysAt(Range keys) const;
    MatrixAt<const float> valuesAt(Range keys) const;

    /// Where the sum of a row is in mixed [T, H·h].
    float* placeOf(std::int64_t row, float* mixed) const;

    /// The first row of the tile among all (sequence, key head, query, head): where the
    /// materialised scores of the tile begin.
    std::int64_t firstRow() const;

private:
    // Where keys or values are: the cached ones, and the first column in rows q | k | v.
    struct Source
    {
        const float* cached;
        std::int64_t column;
    };

    Source keySource() const;
    Source valueSource() const;

    MatrixAt<const float> rowsAt(const Source& source, Range keys) const;

    // Calls part(range, matrix) for the cached and the new part of a range of keys or values; a
    // matrix begins with the range's first row.
    template <class Part>
    void forEachPart(Range keys, const Source& source, const Part& part) const;

    void multiplyBy(const Source& source,
                    const float* queries,
                    Range keys,
                    const MatrixAt<float>& scores) const;
    void sumOf(const Source& source,
               const MatrixAt<const float>& weights,
               Range keys,
               Into into,
               float* sums) const;

    // Calls copy(rows of the tile from q on, token) for each query: its heads are neighbours.
    template <class Copy>
    void forEachQuery(const Copy& copy) const;

    const AttentionPlan& m_plan;
    AttentionInput m_input;
    std::int64_t m_sequence; ///< which of the batch
    std::int64_t m_kvHead;
    Range m_queries; ///< of the sequence's new tokens
};

} // namespace flopsmith::cpu
