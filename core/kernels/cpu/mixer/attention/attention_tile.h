// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstddef>
#include <cstdint>
#include <limits>

// The sizes, the operands and the unit of work of the attention core: scores, softmax, weighted sum.
namespace flopsmith::cpu {

/// A window that masks no key.
inline constexpr std::int64_t kEveryKey = std::numeric_limits<std::int64_t>::max() / 2;

/// Rows of a tile outside of flash attention's forward pass: enough for a product to run at its full
/// rate, few enough that little of a causal tile is masked.
inline constexpr std::int64_t kTileRows = 192;

/// The sizes of the attention core.
struct AttentionPlan
{
    std::int64_t batch = 1;
    std::int64_t queries = 1; ///< S; their positions are the last S of the keys
    std::int64_t cached = 0; ///< keys per sequence in the cache
    std::int64_t fresh = 1; ///< keys per sequence of this pass
    std::int64_t heads = 1; ///< H
    std::int64_t kvHeads = 1; ///< G, a divisor of H
    std::int64_t keyDim = 1; ///< features of a query and of a key
    std::int64_t valueDim = 1;
    std::int64_t reachBack = kEveryKey; ///< window: earlier keys that a query sees
    std::int64_t reachForward = kEveryKey; ///< keys after it
    float scale = 1.0F; ///< of scores
    bool hasSoftCap = false;
    std::int64_t tileRows = 1; ///< see withTiles()

    std::int64_t keys() const { return cached + fresh; } ///< C
    std::int64_t groupSize() const { return heads / kvHeads; } ///< query heads per KV head
    std::int64_t qkvWidth() const { return heads * keyDim + kvHeads * (keyDim + valueDim); }
    std::int64_t rows() const { return batch * heads * queries; } ///< of scores

    /// Rows (query, head of the group) of one KV head of one sequence, heads varying fastest.
    std::int64_t groupRows() const { return queries * groupSize(); }
    std::int64_t tilesPerGroup() const { return (groupRows() + tileRows - 1) / tileRows; }
    std::int64_t tiles() const { return batch * kvHeads * tilesPerGroup(); }

    /// Tiles of at most `maxRows`, smaller ones if threads would be idle.
    AttentionPlan withTiles(std::int64_t maxRows, Threads threads) const;

    /// Threads worth waking for the core.
    Threads busy(Threads threads) const;

    /// The keys that are not masked for a query; positions count from 0, cached tokens included.
    Range visibleTo(std::int64_t position) const;

    /// Sums of all tokens and heads, [T, H·valueDim].
    template <class Value>
    MatrixAt<Value> sumsAt(Value* first) const
    {
        return {first, heads * valueDim};
    }
};

/// Features of keys or values: one row per token of all sequences.
struct HeadRows
{
    const float* first = nullptr; ///< of the first token and KV head
    std::int64_t stride = 0; ///< from token to token
    std::int64_t headStride = 0; ///< from KV head to KV head; 0: all heads share the features
};

/// Rows of the cache, followed by those of this pass.
struct KeyRows
{
    HeadRows cached;
    HeadRows fresh;
    std::int64_t width = 0; ///< features of one head
};

/// The operands of the core. A key consists of its head's features and the features shared by all
/// heads.
struct CoreInput
{
    MatrixAt<const float> queries; ///< [T, H·keyDim], heads side by side
    KeyRows keys;
    KeyRows sharedKeys; ///< width 0 without shared features
    KeyRows values;
};

/// Query head and token of a row of scores.
struct HeadRow
{
    std::int64_t head;
    std::int64_t position; ///< of the token, from 0, including cached ones
};

/// Some consecutive rows (query, head) of one KV head of one sequence: attention's unit of work.
/// Plan and input are borrowed.
class AttentionTile
{
public:
    AttentionTile(const AttentionPlan& plan, const CoreInput& input, std::int64_t index);

    std::int64_t rows() const { return m_rows.size(); }

    /// The keys that at least one row of the tile sees, and those that one row sees.
    Range visible() const;
    Range visibleTo(std::int64_t row) const;

    /// Query head and token of a row, and the index of that head in its group.
    HeadRow headRow(std::int64_t row) const;
    std::int64_t headInGroup(std::int64_t row) const;

    /// Copies the queries times the scale to to[rows, keyDim], so that scores need no scaling.
    void gatherQueries(float* to) const;

    /// Copies the rows' features from [T, H·width] to to[rows, width], and back.
    void gather(const MatrixAt<const float>& from, std::int64_t width, float* to) const;
    void scatter(const float* from, std::int64_t width, const MatrixAt<float>& to) const;

    /// Offset of a row's features in [T, H·width].
    std::int64_t offsetOf(std::int64_t row, std::int64_t stride, std::int64_t width) const;

    /// scores[rows, keys of the range] = queries·kᵀ, and sums·vᵀ of sums [rows, valueDim].
    void scores(const float* queries, Range keys, const MatrixAt<float>& scores) const;
    void valueScores(const float* sums, Range keys, const MatrixAt<float>& scores) const;

    /// sums[rows, valueDim] (+)= weights[rows, keys of the range]·v; [rows, keyDim] with k for v.
    void weightedSum(const MatrixAt<const float>& weights,
                     Range keys,
                     Into into,
                     float* sums) const;
    void weightedKeySum(const MatrixAt<const float>& weights,
                        Range keys,
                        Into into,
                        float* sums) const;

    /// The tile's rows of a range of keys, all of them cached or none.
    MatrixAt<const float> rowsAt(const KeyRows& source, Range keys) const;

    const CoreInput& input() const { return m_input; }

    /// The first row of the tile among all (sequence, KV head, query, head): where the
    /// materialised scores of the tile begin.
    std::int64_t firstRow() const;

private:
    // Calls part(range, matrix) for the cached and the new part of a range of keys or values; a
    // matrix begins with the range's first row.
    template <class Part>
    void forEachPart(Range keys, const KeyRows& source, const Part& part) const;

    void multiplyBy(const KeyRows& source,
                    const MatrixAt<const float>& queries,
                    Range keys,
                    Into into,
                    const MatrixAt<float>& scores) const;
    void sumOf(const KeyRows& source,
               const MatrixAt<const float>& weights,
               Range keys,
               Into into,
               const MatrixAt<float>& sums) const;

    const AttentionPlan& m_plan;
    const CoreInput& m_input;
    std::int64_t m_sequence; ///< which of the batch
    std::int64_t m_kvHead;
    Range m_rows; ///< of the KV head's
};

} // namespace flopsmith::cpu
