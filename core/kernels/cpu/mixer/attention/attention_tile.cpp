// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_tile.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {

AttentionPlan AttentionPlan::withTiles(std::int64_t maxRows, Threads threads) const
{
    constexpr std::int64_t kMinRows = 4; // with fewer, every thread reads the same keys again
    AttentionPlan plan = *this;
    const std::int64_t groups = batch * kvHeads;
    const std::int64_t perGroup = (threads.count + groups - 1) / groups;
    const std::int64_t even = (groupRows() + perGroup - 1) / perGroup;
    plan.tileRows = std::min({groupRows(), maxRows, std::max(even, kMinRows)});
    return plan;
}

Threads AttentionPlan::busy(Threads threads) const
{
    return threadsFor(threads, rows() * keys() * (keyDim + valueDim) / 2);
}

Range AttentionPlan::visibleTo(std::int64_t position) const
{
    return {std::max(std::int64_t{0}, position - reachBack),
            std::min(keys(), position + reachForward + 1)};
}

AttentionTile::AttentionTile(const AttentionPlan& plan, const CoreInput& input, std::int64_t index)
    : m_plan(plan)
    , m_input(input)
    , m_sequence(index / plan.tilesPerGroup() / plan.kvHeads)
    , m_kvHead(index / plan.tilesPerGroup() % plan.kvHeads)
{
    // The last tiles of a causal sequence have most keys: they are first, so that threads finish
    // together.
    const std::int64_t inGroup = plan.tilesPerGroup() - 1 - index % plan.tilesPerGroup();
    m_rows.first = inGroup * plan.tileRows;
    m_rows.last = std::min(plan.groupRows(), m_rows.first + plan.tileRows);
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
    const std::int64_t size = m_plan.groupSize();
    const std::int64_t inGroup = m_rows.first + row;
    return {m_kvHead * size + inGroup % size, m_plan.keys() - m_plan.queries + inGroup / size};
}

std::int64_t AttentionTile::headInGroup(std::int64_t row) const
{
    return (m_rows.first + row) % m_plan.groupSize();
}

std::int64_t AttentionTile::offsetOf(std::int64_t row,
                                     std::int64_t stride,
                                     std::int64_t width) const
{
    const std::int64_t size = m_plan.groupSize();
    const std::int64_t inGroup = m_rows.first + row;
    return (m_sequence * m_plan.queries + inGroup / size) * stride
        + (m_kvHead * size + inGroup % size) * width;
}

void AttentionTile::gatherQueries(float* to) const
{
    const std::int64_t width = m_plan.keyDim;
    const float scale = m_plan.scale;
    for (std::int64_t row = 0; row < rows(); ++row) {
        transform(m_input.queries.first + offsetOf(row, m_input.queries.stride, width),
                  to + row * width,
                  static_cast<std::size_t>(width),
                  [scale](Lanes v, std::size_t) { return v * scale; });
    }
}

void AttentionTile::gather(const MatrixAt<const float>& from, std::int64_t width, float* to) const
{
    for (std::int64_t row = 0; row < rows(); ++row) {
        copyRow(from.first + offsetOf(row, from.stride, width), to + row * width, width);
    }
}

void AttentionTile::scatter(const float* from, std::int64_t width, const MatrixAt<float>& to) const
{
    for (std::int64_t row = 0; row < rows(); ++row) {
        copyRow(from + row * width, to.first + offsetOf(row, to.stride, width), width);
    }
}

template <class Part>
void AttentionTile::forEachPart(Range keys, const KeyRows& source, const Part& part) const
{
    const auto take = [&](const HeadRows& rows, Range all) {
        const Range own = intersection(keys, all);
        if (own.size() > 0) {
            const std::int64_t token = m_sequence * all.size() + own.first - all.first;
            part(own,
                 MatrixAt<const float>{
                     rows.first + token * rows.stride + m_kvHead * rows.headStride, rows.stride});
        }
    };
    take(source.cached, {0, m_plan.cached});
    take(source.fresh, {m_plan.cached, m_plan.keys()});
}

MatrixAt<const float> AttentionTile::rowsAt(const KeyRows& source, Range keys) const
{
    MatrixAt<const float> rows{};
    forEachPart(keys, source, [&](Range, const MatrixAt<const float>& part) { rows = part; });
    return rows;
}

void AttentionTile::multiplyBy(const KeyRows& source,
                               const MatrixAt<const float>& queries,
                               Range keys,
                               Into into,
                               const MatrixAt<float>& scores) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& k) {
        multiply({rows(), source.width, range.size()},
                 queries,
                 k,
                 Stored::transposed,
                 {scores.first + (range.first - keys.first), scores.stride},
                 into);
    });
}

void AttentionTile::sumOf(const KeyRows& source,
                          const MatrixAt<const float>& weights,
                          Range keys,
                          Into into,
                          const MatrixAt<float>& sums) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& v) {
        multiply({rows(), range.size(), source.width},
                 {weights.first + (range.first - keys.first), weights.stride},
                 v,
                 Stored::notTransposed,
                 sums,
                 into);
        into = Into::accumulate;
    });
}

void AttentionTile::scores(const float* queries, Range keys, const MatrixAt<float>& scores) const
{
    multiplyBy(m_input.keys, {queries, m_plan.keyDim}, keys, Into::overwrite, scores);
    if (m_input.sharedKeys.width > 0) {
        multiplyBy(m_input.sharedKeys,
                   {queries + m_input.keys.width, m_plan.keyDim},
                   keys,
                   Into::accumulate,
                   scores);
    }
}

void AttentionTile::valueScores(const float* sums, Range keys, const MatrixAt<float>& scores) const
{
    multiplyBy(m_input.values, {sums, m_plan.valueDim}, keys, Into::overwrite, scores);
}

void AttentionTile::weightedSum(const MatrixAt<const float>& weights,
                                Range keys,
                                Into into,
                                float* sums) const
{
    sumOf(m_input.values, weights, keys, into, {sums, m_plan.valueDim});
}

void AttentionTile::weightedKeySum(const MatrixAt<const float>& weights,
                                   Range keys,
                                   Into into,
                                   float* sums) const
{
    sumOf(m_input.keys, weights, keys, into, {sums, m_plan.keyDim});
    if (m_input.sharedKeys.width > 0) {
        sumOf(m_input.sharedKeys, weights, keys, into, {sums + m_input.keys.width, m_plan.keyDim});
    }
}

std::int64_t AttentionTile::firstRow() const
{
    return (m_sequence * m_plan.kvHeads + m_kvHead) * m_plan.groupRows() + m_rows.first;
}

} // namespace flopsmith::cpu
