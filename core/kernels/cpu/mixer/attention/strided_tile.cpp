// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/strided_tile.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kTileRows = 64;
constexpr std::int64_t kFewestRows = 4; // below, every thread only reads the same keys again

} // namespace

StridedPlan StridedPlan::withTiles(Threads threads) const
{
    StridedPlan plan = *this;
    const std::int64_t perGroup = (threads.count + batch * groups - 1) / (batch * groups);
    const std::int64_t even = (groupRows() + perGroup - 1) / perGroup;
    plan.tileRows = std::min(groupRows(), std::clamp(even, kFewestRows, kTileRows));
    return plan;
}

StridedTile::StridedTile(const StridedPlan& plan,
                         const StridedOperands& operands,
                         std::int64_t index)
    : m_plan(plan)
    , m_operands(operands)
    , m_sequence(index / plan.tilesPerGroup() / plan.groups)
    , m_group(index / plan.tilesPerGroup() % plan.groups)
{
    // The last tiles of a causal sequence see most keys: they go first, so that threads end
    // together.
    const std::int64_t inGroup = plan.tilesPerGroup() - 1 - index % plan.tilesPerGroup();
    m_rows.first = inGroup * plan.tileRows;
    m_rows.last = std::min(plan.groupRows(), m_rows.first + plan.tileRows);
}

std::int64_t StridedTile::visibleTo(std::int64_t row) const
{
    const std::int64_t query = (m_rows.first + row) / m_plan.sharers();
    return m_plan.causal ? m_plan.keys() - m_plan.queries + query + 1 : m_plan.keys();
}

std::int64_t StridedTile::place(std::int64_t row, std::int64_t width) const
{
    const std::int64_t query = (m_rows.first + row) / m_plan.sharers();
    const std::int64_t head = m_group * m_plan.sharers() + (m_rows.first + row) % m_plan.sharers();
    return ((m_sequence * m_plan.queries + query) * m_plan.heads + head) * width;
}

void StridedTile::gatherQueries(float* to) const
{
    gather(m_operands.queries, m_plan.keyDim, to);
    if (m_plan.scale != 1.0F) {
        scaleRow(to, rows() * m_plan.keyDim, m_plan.scale);
    }
}

void StridedTile::gather(const float* from, std::int64_t width, float* to) const
{
    for (std::int64_t row = 0; row < rows(); ++row) {
        std::copy_n(from + place(row, width), width, to + row * width);
    }
}

void StridedTile::scatter(const float* from, std::int64_t width, float* to) const
{
    for (std::int64_t row = 0; row < rows(); ++row) {
        std::copy_n(from + row * width, width, to + place(row, width));
    }
}

template <class Part>
void StridedTile::forEachPart(Range keys, const StridedSource& source, const Part& part) const
{
    const auto take = [&](Range range, const StridedRows& rows, Range all) {
        if (range.size() > 0) {
            const std::int64_t token = m_sequence * all.size() + range.first - all.first;
            part(range,
                 MatrixAt<const float>{rows.first + token * rows.stride + m_group * rows.perGroup,
                                       rows.stride});
        }
    };
    const Range cached{0, m_plan.cached};
    const Range fresh{m_plan.cached, m_plan.keys()};
    take(intersection(keys, cached), source.cached, cached);
    take(intersection(keys, fresh), source.fresh, fresh);
}

void StridedTile::multiplyBy(const StridedSource& source,
                             const MatrixAt<const float>& from,
                             Range keys,
                             Into into,
                             const MatrixAt<float>& scores) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& k) {
        multiply({rows(), source.width, range.size()},
                 from,
                 k,
                 Stored::transposed,
                 {scores.first + (range.first - keys.first), scores.stride},
                 into);
    });
}

void StridedTile::sumOf(const StridedSource& source,
                        const MatrixAt<const float>& weights,
                        Range keys,
                        Into into,
                        const MatrixAt<float>& sums) const
{
    forEachPart(keys, source, [&](Range range, const MatrixAt<const float>& v) {
        multiply({rows(), range.size(), source.width},
                 {weights.first + (range.first - keys.first), weights.stride},
                 v,
                 Stored::straight,
                 sums,
                 into);
        into = Into::accumulate;
    });
}

void StridedTile::scores(const float* queries, Range keys, const MatrixAt<float>& scores) const
{
    multiplyBy(m_operands.keys, {queries, m_plan.keyDim}, keys, Into::overwrite, scores);
    if (m_operands.sharedKeys.width > 0) {
        multiplyBy(m_operands.sharedKeys,
                   {queries + m_operands.keys.width, m_plan.keyDim},
                   keys,
                   Into::accumulate,
                   scores);
    }
}

void StridedTile::valueScores(const float* sums, Range keys, const MatrixAt<float>& scores) const
{
    multiplyBy(m_operands.values, {sums, m_plan.valueDim}, keys, Into::overwrite, scores);
}

void StridedTile::weightedSum(const MatrixAt<const float>& weights,
                              Range keys,
                              Into into,
                              float* sums) const
{
    sumOf(m_operands.values, weights, keys, into, {sums, m_plan.valueDim});
}

void StridedTile::weightedKeySum(const MatrixAt<const float>& weights,
                                 Range keys,
                                 Into into,
                                 float* sums) const
{
    sumOf(m_operands.keys, weights, keys, into, {sums, m_plan.keyDim});
    if (m_operands.sharedKeys.width > 0) {
        sumOf(m_operands.sharedKeys,
              weights,
              keys,
              into,
              {sums + m_operands.keys.width, m_plan.keyDim});
    }
}

std::int64_t StridedTile::firstRow() const
{
    return (m_sequence * m_plan.groups + m_group) * m_plan.groupRows() + m_rows.first;
}

} // namespace flopsmith::cpu
