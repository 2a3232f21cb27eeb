// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_tile.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
AttentionPlan::AttentionPlan(const Attention& attention, const Shape& shape)
    : batch(shape.batch)
    , queries(shape.sequence)
    , keys(shape.context)
    , heads(attention.heads)
    , kvHeads(attention.kvHeads)
    , headDim(attention.headDimFor(shape.dModel))
    , reachBack(attention.reachBack(shape.context))
    , reachForward(attention.reachForward(shape.context))
    , scale(attention.scaleScores ? 1.0F / std::sqrt(static_cast<float>(headDim)) : 1.0F)
    , capsScores(attention.hasSoftCap())
{}

std::int64_t AttentionPlan::tileQueries() const
{
    return std::clamp(mostTileRows / sharers(), std::int64_t{1}, queries);
}

std::int64_t AttentionPlan::tilesPerSequence() const
{
    return (queries + tileQueries() - 1) / tileQueries();
}

Range AttentionPlan::visibleTo(std::int64_t position) const
{
    return {std::max(std::int64_t{0}, position - reachBack),
            std::min(keys, position + reachForward + 1)};
}

AttentionTile::AttentionTile(const AttentionPlan& plan,
                             const AttentionInput& input,
                             std::int64_t index)
    : m_plan(plan)
    , m_input(input)
    , m_sequence(index / plan.tilesPerSequence() / plan.kvHeads)
    , m_kvHead(index / plan.tilesPerSequence() % plan.kvHeads)
{
    // The last tiles of a causal sequence see most keys: they go first, so that threads end
    // together.
    const std::int64_t inSequence = plan.tilesPerSequence() - 1 - index % plan.tilesPerSequence();
    m_queries.first = inSequence * plan.tileQueries();
    m_queries.last = std::min(plan.queries, m_queries.first + plan.tileQueries());
}

Range AttentionTile::visible() const
{
    return {visibleTo(0).first, visibleTo(rows() - 1).last};
}

Range AttentionTile::visibleTo(std::int64_t row) const
{
    return m_plan.visibleTo(headRow(row).position);
}

HeadRow AttentionTile::headRow(std::int64_t row) const
{
    return {m_kvHead * m_plan.sharers() + row % m_plan.sharers(),
            m_plan.cached() + m_queries.first + row / m_plan.sharers()};
}

template <class Copy>
void AttentionTile::forEachQuery(const Copy& copy) const
{
    std::int64_t row = 0;
    for (std::int64_t q = m_queries.first; q < m_queries.last; ++q, row += m_plan.sharers()) {
        copy(row * m_plan.headDim, m_sequence * m_plan.queries + q);
    }
}

void AttentionTile::gatherQueries(float* to) const
{
    const std::int64_t width = m_plan.sharers() * m_plan.headDim;
    forEachQuery([&](std::int64_t row, std::int64_t token) {
        std::copy_n(m_input.qkv + token * m_plan.rowWidth() + m_kvHead * width, width, to + row);
        scaleRow(to + row, width, m_plan.scale);
    });
}

void AttentionTile::gather(const float* mixed, float* to) const
{
    const std::int64_t width = m_plan.sharers() * m_plan.headDim;
    forEachQuery([&](std::int64_t row, std::int64_t token) {
        std::copy_n(
            mixed + token * m_plan.heads * m_plan.headDim + m_kvHead * width, width, to + row);
    });
}

void AttentionTile::scatter(const float* from, float* mixed) const
{
    const std::int64_t width = m_plan.sharers() * m_plan.headDim;
    forEachQuery([&](std::int64_t row, std::int64_t token) {
        std::copy_n(
            from + row, width, mixed + token * m_plan.heads * m_plan.headDim + m_kvHead * width);
    });
}

void AttentionTile::scatterQueries(const float* from, float* qkv) const
{
    const std::int64_t width = m_plan.sharers() * m_plan.headDim;
    forEachQuery([&](std::int64_t row, std::int64_t token) {
        std::copy_n(from + row, width, qkv + token * m_plan.rowWidth() + m_kvHead * width);
    });
}

AttentionTile::Source AttentionTile::keySource() const
{
    return {m_input.cachedKeys, m_plan.heads * m_plan.headDim};
}

AttentionTile::Source AttentionTile::valueSource() const
{
    return {m_input.cachedValues, (m_plan.heads + m_plan.kvHeads) * m_plan.headDim};
}

template <class Part>
void AttentionTile::forEachPart(Range keys, const Source& source, const Part& part) const
{
    const Range old = intersection(keys, {0, m_plan.cached()});
    if (old.size() > 0) {
        const std::int64_t stride = m_plan.kvHeads * m_plan.headDim;
        const std::int64_t row = m_sequence * m_plan.cached() + old.first;
        part(old,
             MatrixAt<const float>{source.cached + row * stride + m_kvHead * m_plan.headDim,
                                   stride});
    }
    const Range fresh = intersection(keys, {m_plan.cached(), m_plan.keys});
    if (fresh.size() > 0) {
        const std::int64_t row = m_sequence * m_plan.queries + fresh.first - m_plan.cached();
        part(fresh,
             MatrixAt<const float>{m_input.qkv + row * m_plan.rowWidth() + source.column
                                       + m_kvHead * m_plan.headDim,
                                   m_plan.rowWidth()});
    }
}

MatrixAt<const float> AttentionTile::rowsAt(const Source& source, Range keys) const
{
    MatrixAt<const float> rows{};
    forEachPart(keys, source, [&](Range, const MatrixAt<const float>& part) { rows = part; });
    return rows;
}

MatrixAt<const float> AttentionTile::keysAt(Range keys) const
{
    return rowsAt(keySource(), keys);
}

MatrixAt<const float> AttentionTile::valuesAt(Range keys) const
{
    return rowsAt(valueSource(), keys);
}

float* AttentionTile::placeOf(std::int64_t row, float* mixed) const
{
    const std::int64_t token =
        m_sequence * m_plan.queries + m_queries.first + row / m_plan.sharers();
    const std::int64_t head = m_kvHead * m_plan.sharers() + row % m_plan.sharers();
    return mixed + (token * m_plan.heads + head) * m_plan.headDim;
}

void AttentionTile::multiplyBy(const Source& source,
                               const float* queries,
                               Range keys,
                               const MatrixAt<float>& scores) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& k) {
        multiply({rows(), m_plan.headDim, range.size()},
                 {queries, m_plan.headDim},
                 k,
                 Stored::transposed,
                 {scores.first + (range.first - keys.first), scores.stride});
    });
}

void AttentionTile::sumOf(const Source& source,
                          const MatrixAt<const float>& weights,
                          Range keys,
                          Into into,
                          float* sums) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& v) {
        multiply({rows(), range.size(), m_plan.headDim},
                 {weights.first + (range.first - keys.first), weights.stride},
                 v,
                 Stored::straight,
                 {sums, m_plan.headDim},
                 into);
        into = Into::accumulate;
    });
}

void AttentionTile::scores(const float* queries, Range keys, const MatrixAt<float>& scores) const
{
    multiplyBy(keySource(), queries, keys, scores);
}

void AttentionTile::valueScores(const float* queries,
                                Range keys,
                                const MatrixAt<float>& scores) const
{
    multiplyBy(valueSource(), queries, keys, scores);
}

void AttentionTile::weightedSum(const MatrixAt<const float>& weights,
                                Range keys,
                                Into into,
                                float* sums) const
{
    sumOf(valueSource(), weights, keys, into, sums);
}

void AttentionTile::weightedKeySum(const MatrixAt<const float>& weights,
                                   Range keys,
                                   Into into,
                                   float* sums) const
{
    sumOf(keySource(), weights, keys, into, sums);
}

std::int64_t AttentionTile::firstRow() const
{
    return ((m_sequence * m_plan.kvHeads + m_kvHead) * m_plan.queries + m_queries.first)
        * m_plan.sharers();
}

} // namespace flopsmith::cpu
