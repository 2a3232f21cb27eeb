// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/attention_steps.h"

#include "core/kernels/cpu/row_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::cpu {
namespace {

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

// Scores of one row over `block` → unnormalised weights, 0 where the row does not see; keeps the
// running maximum and total and rescales the row's sums to the new maximum.
void weighRow(const AttentionTile& tile,
              const AttentionPlan& plan,
              const ScoreSteps& steps,
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
    if (steps.present()) {
        steps.apply(tile.headRow(row), seen, from, nullptr);
    }
    const float before = scratch.maxima[row];
    const float now = std::max(before, largestIn(from, seen.size()));
    const float total = exponentiate(from, seen.size(), now);
    const float shrink = std::exp(before - now); // 0 the first time without a sink: before is −∞
    scratch.maxima[row] = now;
    scratch.totals[row] = scratch.totals[row] * shrink + total;
    if (shrink != 1.0F) {
        scaleRow(scratch.sums + row * plan.headDim, plan.headDim, shrink);
    }
}

// Before the first key: nothing, or the sink alone.
void beginRows(const AttentionTile& tile, const ScoreSteps& steps, const Scratch& scratch)
{
    if (steps.sinks() == nullptr) {
        std::fill_n(scratch.maxima, tile.rows(), -std::numeric_limits<float>::infinity());
        std::fill_n(scratch.totals, tile.rows(), 0.0F);
        return;
    }
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        scratch.maxima[row] = steps.sinks()[tile.headRow(row).head];
        scratch.totals[row] = 1.0F;
    }
}

} // namespace

std::size_t tileScratch(const AttentionPlan& plan)
{
    return static_cast<std::size_t>(plan.tileRows() * (2 * plan.headDim + kKeysAtOnce + 2));
}

void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               float* from,
               float* mixed,
               const SoftmaxRows& kept)
{
    const Scratch scratch(plan, from);
    const std::int64_t rows = tile.rows();
    tile.gatherQueries(scratch.queries);
    std::fill_n(scratch.sums, rows * plan.headDim, 0.0F);
    beginRows(tile, steps, scratch);

    const Range keys = tile.visible();
    for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
        const Range block{first, std::min(keys.last, first + kKeysAtOnce)};
        tile.scores(scratch.queries, block, {scratch.scores, kKeysAtOnce});
        for (std::int64_t row = 0; row < rows; ++row) {
            weighRow(tile, plan, steps, scratch, row, block);
        }
        tile.weightedSum({scratch.scores, kKeysAtOnce}, block, Into::add, scratch.sums);
    }
    for (std::int64_t row = 0; row < rows; ++row) {
        scaleRow(scratch.sums + row * plan.headDim, plan.headDim, 1.0F / scratch.totals[row]);
    }
    tile.scatter(scratch.sums, mixed);
    if (kept.maxima != nullptr) {
        std::copy_n(scratch.maxima, rows, kept.maxima + tile.firstRow());
        std::copy_n(scratch.totals, rows, kept.totals + tile.firstRow());
    }
}

void writeScores(const AttentionTile& tile, const AttentionPlan& plan, float* from, float* scores)
{
    const Scratch scratch(plan, from);
    const Range keys = tile.visible();
    tile.gatherQueries(scratch.queries);
    tile.scores(
        scratch.queries, keys, {scores + tile.firstRow() * plan.keys + keys.first, plan.keys});
}

void finishScores(const AttentionTile& tile,
                  const AttentionPlan& plan,
                  const ScoreSteps& steps,
                  float* scores,
                  float* tanhs)
{
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        const Range seen = tile.visibleTo(row);
        const std::int64_t first = (tile.firstRow() + row) * plan.keys + seen.first;
        steps.apply(
            tile.headRow(row), seen, scores + first, tanhs == nullptr ? nullptr : tanhs + first);
    }
}

void turnIntoWeights(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     float* scores,
                     const SoftmaxRows& kept)
{
    const Range keys = tile.visible();
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        float* values = scores + (tile.firstRow() + row) * plan.keys;
        const Range seen = tile.visibleTo(row);
        std::fill(values + keys.first, values + seen.first, 0.0F);
        std::fill(values + seen.last, values + keys.last, 0.0F);
        float most = largestIn(values + seen.first, seen.size());
        float sink = 0.0F;
        if (steps.sinks() != nullptr) {
            sink = steps.sinks()[tile.headRow(row).head];
            most = std::max(most, sink);
        }
        float total = exponentiate(values + seen.first, seen.size(), most);
        if (steps.sinks() != nullptr) {
            total += std::exp(sink - most);
        }
        scaleRow(values + seen.first, seen.size(), 1.0F / total);
        if (kept.maxima != nullptr) {
            kept.maxima[tile.firstRow() + row] = most;
            kept.totals[tile.firstRow() + row] = total;
        }
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
