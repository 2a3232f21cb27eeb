// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/attention_tile.h"

#include "core/kernels/cpu/vector_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kTileRows = 64;
constexpr std::int64_t kKeysAtOnce = 256; // a block of scores is 64 KiB

// A thread's scratch for one tile.
struct Scratch
{
    float* queries; ///< [rows, h]
    float* sums; ///< [rows, h]
    float* scores; ///< [rows, kKeysAtOnce]
    float* maxima; ///< [rows]
    float* totals; ///< [rows]

    Scratch(const AttentionPlan& plan, float* from)
        : queries(from)
        , sums(queries + plan.tileRows() * plan.headDim)
        , scores(sums + plan.tileRows() * plan.headDim)
        , maxima(scores + plan.tileRows() * kKeysAtOnce)
        , totals(maxima + plan.tileRows())
    {}
};

float largestIn(const float* values, std::int64_t count)
{
    Lanes most = all(values[0]);
    float rest = values[0];
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) { most = larger(most, load(values + i)); },
        [&](std::size_t i, std::size_t n) {
            for (std::size_t j = i; j < i + n; ++j) {
                rest = std::max(rest, values[j]);
            }
        });
    return std::max(rest, largestOf(most));
}

// values ← e^(values − shift); their sum.
float exponentiate(float* values, std::int64_t count, float shift)
{
    Lanes sum{};
    float rest = 0.0F;
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) {
            const Lanes e = exp(load(values + i) - shift);
            store(values + i, e);
            sum += e;
        },
        [&](std::size_t i, std::size_t n) {
            const Lanes e = exp(loadSome(values + i, n) - shift);
            storeSome(values + i, e, n);
            for (std::size_t j = 0; j < n; ++j) {
                rest += e[j];
            }
        });
    return sumOf(sum) + rest;
}

void scale(float* values, std::int64_t count, float factor)
{
    transform(values, values, static_cast<std::size_t>(count), [factor](Lanes v, std::size_t) {
        return v * factor;
    });
}

Range intersection(Range a, Range b)
{
    const std::int64_t first = std::max(a.first, b.first);
    return {first, std::max(first, std::min(a.last, b.last))};
}

// Scores of one row over `block` → unnormalised weights, 0 where the row does not see; keeps the
// running maximum and total and rescales the row's sums to the new maximum.
void weighRow(const AttentionTile& tile,
              const AttentionPlan& plan,
              const Scratch& scratch,
              std::int64_t row,
              Range block)
{
    float* scores = scratch.scores + row * kKeysAtOnce;
    const Range seen = intersection(tile.visibleTo(row), block);
    std::fill(scores, scores + (seen.first - block.first), 0.0F);
    std::fill(scores + (seen.last - block.first), scores + block.size(), 0.0F);
    if (seen.size() == 0) {
        std::fill_n(scores, block.size(), 0.0F);
        return;
    }
    float* from = scores + (seen.first - block.first);
    const float before = scratch.maxima[row];
    const float now = std::max(before, largestIn(from, seen.size()));
    const float total = exponentiate(from, seen.size(), now);
    const float shrink = std::exp(before - now); // 0 the first time: before is −∞
    scratch.maxima[row] = now;
    scratch.totals[row] = scratch.totals[row] * shrink + total;
    if (shrink != 1.0F) {
        scale(scratch.sums + row * plan.headDim, plan.headDim, shrink);
    }
}

} // namespace

AttentionPlan::AttentionPlan(const Attention& attention, const Shape& shape)
    : batch(shape.batch)
    , queries(shape.sequence)
    , keys(shape.context)
    , heads(attention.heads)
    , kvHeads(attention.kvHeads)
    , headDim(attention.headDimFor(shape.dModel))
    , window(attention.window > 0 ? attention.window : shape.context)
    , causal(attention.causal)
{}

std::int64_t AttentionPlan::tileQueries() const
{
    return std::clamp(kTileRows / sharers(), std::int64_t{1}, queries);
}

std::int64_t AttentionPlan::tilesPerSequence() const
{
    return (queries + tileQueries() - 1) / tileQueries();
}

Range AttentionPlan::visibleTo(std::int64_t position) const
{
    if (!causal) {
        return {0, keys};
    }
    return {std::max(std::int64_t{0}, position + 1 - window), position + 1};
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
    return m_plan.visibleTo(m_plan.cached() + m_queries.first + row / m_plan.sharers());
}

void AttentionTile::gatherQueries(float* to) const
{
    const float factor = 1.0F / std::sqrt(static_cast<float>(m_plan.headDim));
    const std::int64_t width = m_plan.sharers() * m_plan.headDim; // neighbours in a token's row
    for (std::int64_t q = m_queries.first; q < m_queries.last; ++q, to += width) {
        const std::int64_t token = m_sequence * m_plan.queries + q;
        std::copy_n(m_input.qkv + token * m_plan.rowWidth() + m_kvHead * width, width, to);
        scale(to, width, factor);
    }
}

void AttentionTile::scatter(const float* from, float* mixed) const
{
    const std::int64_t width = m_plan.sharers() * m_plan.headDim;
    for (std::int64_t q = m_queries.first; q < m_queries.last; ++q, from += width) {
        const std::int64_t token = m_sequence * m_plan.queries + q;
        std::copy_n(from, width, mixed + token * m_plan.heads * m_plan.headDim + m_kvHead * width);
    }
}

template <class Part>
void AttentionTile::forEachSource(Range keys,
                                  const float* cached,
                                  std::int64_t column,
                                  const Part& part) const
{
    const Range old = intersection(keys, {0, m_plan.cached()});
    if (old.size() > 0) {
        const std::int64_t stride = m_plan.kvHeads * m_plan.headDim;
        const std::int64_t row = m_sequence * m_plan.cached() + old.first;
        part(old, MatrixAt<const float>{cached + row * stride + m_kvHead * m_plan.headDim, stride});
    }
    const Range fresh = intersection(keys, {m_plan.cached(), m_plan.keys});
    if (fresh.size() > 0) {
        const std::int64_t row = m_sequence * m_plan.queries + fresh.first - m_plan.cached();
        part(fresh,
             MatrixAt<const float>{m_input.qkv + row * m_plan.rowWidth() + column
                                       + m_kvHead * m_plan.headDim,
                                   m_plan.rowWidth()});
    }
}

void AttentionTile::scores(const float* queries, Range keys, const MatrixAt<float>& scores) const
{
    const std::int64_t column = m_plan.heads * m_plan.headDim;
    forEachSource(
        keys, m_input.cachedKeys, column, [&](Range range, const MatrixAt<const float>& k) {
            multiply({rows(), m_plan.headDim, range.size()},
                     {queries, m_plan.headDim},
                     k,
                     Stored::transposed,
                     {scores.first + (range.first - keys.first), scores.stride});
        });
}

void AttentionTile::weightedSum(const MatrixAt<const float>& weights,
                                Range keys,
                                Into into,
                                float* sums) const
{
    const std::int64_t column = (m_plan.heads + m_plan.kvHeads) * m_plan.headDim;
    forEachSource(
        keys, m_input.cachedValues, column, [&](Range range, const MatrixAt<const float>& v) {
            multiply({rows(), range.size(), m_plan.headDim},
                     {weights.first + (range.first - keys.first), weights.stride},
                     v,
                     Stored::straight,
                     {sums, m_plan.headDim},
                     into);
            into = Into::add;
        });
}

std::int64_t AttentionTile::firstRow() const
{
    return ((m_sequence * m_plan.kvHeads + m_kvHead) * m_plan.queries + m_queries.first)
        * m_plan.sharers();
}

std::size_t tileScratch(const AttentionPlan& plan)
{
    return static_cast<std::size_t>(plan.tileRows() * (2 * plan.headDim + kKeysAtOnce + 2));
}

void flashTile(const AttentionTile& tile, const AttentionPlan& plan, float* from, float* mixed)
{
    const Scratch scratch(plan, from);
    const std::int64_t rows = tile.rows();
    tile.gatherQueries(scratch.queries);
    std::fill_n(scratch.sums, rows * plan.headDim, 0.0F);
    std::fill_n(scratch.maxima, rows, -std::numeric_limits<float>::infinity());
    std::fill_n(scratch.totals, rows, 0.0F);

    const Range keys = tile.visible();
    for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
        const Range block{first, std::min(keys.last, first + kKeysAtOnce)};
        tile.scores(scratch.queries, block, {scratch.scores, kKeysAtOnce});
        for (std::int64_t row = 0; row < rows; ++row) {
            weighRow(tile, plan, scratch, row, block);
        }
        tile.weightedSum({scratch.scores, kKeysAtOnce}, block, Into::add, scratch.sums);
    }
    for (std::int64_t row = 0; row < rows; ++row) {
        scale(scratch.sums + row * plan.headDim, plan.headDim, 1.0F / scratch.totals[row]);
    }
    tile.scatter(scratch.sums, mixed);
}

void writeScores(const AttentionTile& tile, const AttentionPlan& plan, float* from, float* scores)
{
    const Scratch scratch(plan, from);
    const Range keys = tile.visible();
    tile.gatherQueries(scratch.queries);
    tile.scores(
        scratch.queries, keys, {scores + tile.firstRow() * plan.keys + keys.first, plan.keys});
}

void turnIntoWeights(const AttentionTile& tile, const AttentionPlan& plan, float* scores)
{
    const Range keys = tile.visible();
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        float* values = scores + (tile.firstRow() + row) * plan.keys;
        const Range seen = tile.visibleTo(row);
        std::fill(values + keys.first, values + seen.first, 0.0F);
        std::fill(values + seen.last, values + keys.last, 0.0F);
        const float most = largestIn(values + seen.first, seen.size());
        const float total = exponentiate(values + seen.first, seen.size(), most);
        scale(values + seen.first, seen.size(), 1.0F / total);
    }
}

void sumValues(const AttentionTile& tile,
               const AttentionPlan& plan,
               float* from,
               const float* scores,
               float* mixed)
{
    const Scratch scratch(plan, from);
    const Range keys = tile.visible();
    tile.weightedSum({scores + tile.firstRow() * plan.keys + keys.first, plan.keys},
                     keys,
                     Into::overwrite,
                     scratch.sums);
    tile.scatter(scratch.sums, mixed);
}

} // namespace flopsmith::cpu
