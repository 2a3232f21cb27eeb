// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/strided_core.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::cpu {
namespace {

// A thread's scratch for one tile.
struct Scratch
{
    float* queries; ///< [rows, keyDim]
    float* sums; ///< [rows, valueDim]
    float* scores; ///< [rows, kStridedKeysAtOnce]
    float* maxima; ///< [rows]
    float* totals; ///< [rows]

    Scratch(const StridedPlan& plan, float* from)
        : queries(from)
        , sums(queries + plan.tileRows * plan.keyDim)
        , scores(sums + plan.tileRows * plan.valueDim)
        , maxima(scores + plan.tileRows * kStridedKeysAtOnce)
        , totals(maxima + plan.tileRows)
    {}
};

std::size_t scratchFloats(const StridedPlan& plan)
{
    return wholeLines(static_cast<std::size_t>(
        plan.tileRows * (plan.keyDim + plan.valueDim + kStridedKeysAtOnce + 2)));
}

std::size_t scoreFloats(const StridedPlan& plan, AttentionAlgorithm algorithm)
{
    return algorithm == AttentionAlgorithm::materialised ? bufferSize(plan.rows(), plan.keys()) : 0;
}

// Scores of one row over `block` → unnormalised weights, 0 where the row does not see; keeps the
// running maximum and total and rescales the row's sums to the new maximum.
void weighRow(const StridedTile& tile,
              const StridedPlan& plan,
              const Scratch& scratch,
              std::int64_t row,
              Range block)
{
    float* scores = scratch.scores + row * kStridedKeysAtOnce;
    const std::int64_t seen =
        std::clamp(tile.visibleTo(row) - block.first, std::int64_t{0}, block.size());
    std::fill(scores + seen, scores + block.size(), 0.0F);
    if (seen == 0) {
        return;
    }
    const float before = scratch.maxima[row];
    const float now = std::max(before, largestIn(scores, seen));
    const float total = exponentiate(scores, seen, now);
    const float shrink = std::exp(before - now); // 0 the first time: before is −∞
    scratch.maxima[row] = now;
    scratch.totals[row] = scratch.totals[row] * shrink + total;
    if (shrink != 1.0F) {
        scaleRow(scratch.sums + row * plan.valueDim, plan.valueDim, shrink);
    }
}

void flashTile(const StridedTile& tile,
               const StridedPlan& plan,
               const Scratch& scratch,
               float* sums,
               const StridedRowSums& kept)
{
    const std::int64_t rows = tile.rows();
    tile.gatherQueries(scratch.queries);
    std::fill_n(scratch.sums, rows * plan.valueDim, 0.0F);
    std::fill_n(scratch.maxima, rows, -std::numeric_limits<float>::infinity());
    std::fill_n(scratch.totals, rows, 0.0F);
    const std::int64_t keys = tile.visible();
    for (std::int64_t first = 0; first < keys; first += kStridedKeysAtOnce) {
        const Range block{first, std::min(keys, first + kStridedKeysAtOnce)};
        tile.scores(scratch.queries, block, {scratch.scores, kStridedKeysAtOnce});
        for (std::int64_t row = 0; row < rows; ++row) {
            weighRow(tile, plan, scratch, row, block);
        }
        tile.weightedSum(
            {scratch.scores, kStridedKeysAtOnce}, block, Into::accumulate, scratch.sums);
    }
    for (std::int64_t row = 0; row < rows; ++row) {
        scaleRow(scratch.sums + row * plan.valueDim, plan.valueDim, 1.0F / scratch.totals[row]);
    }
    tile.scatter(scratch.sums, plan.valueDim, sums);
    if (kept.maxima != nullptr) {
        std::copy_n(scratch.maxima, rows, kept.maxima + tile.firstRow());
        std::copy_n(scratch.totals, rows, kept.totals + tile.firstRow());
    }
}

void turnIntoWeights(const StridedTile& tile, const StridedPlan& plan, float* scores)
{
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        float* values = scores + (tile.firstRow() + row) * plan.keys();
        const std::int64_t seen = tile.visibleTo(row);
        std::fill(values + seen, values + tile.visible(), 0.0F);
        const float most = largestIn(values, seen);
        const float total = exponentiate(values, seen, most);
        scaleRow(values, seen, 1.0F / total);
    }
}

} // namespace

StridedCore::StridedCore(const StridedPlan& plan, AttentionAlgorithm algorithm, Threads threads)
    : m_plan(plan)
    , m_algorithm(algorithm)
    , m_threads(threads)
    , m_scores(scoreFloats(plan, algorithm))
    , m_scratch(scratchFloats(plan) * static_cast<std::size_t>(threads.count))
{}

void StridedCore::run(const StridedOperands& operands, float* sums, const StridedRowSums& kept)
{
    if (m_algorithm == AttentionAlgorithm::flash) {
        forEachTile(operands, [&](const StridedTile& tile, const Scratch& scratch) {
            flashTile(tile, m_plan, scratch, sums, kept);
        });
        return;
    }
    const auto scoresOf = [&](const StridedTile& tile) {
        return m_scores.data() + tile.firstRow() * m_plan.keys();
    };
    forEachTile(operands, [&](const StridedTile& tile, const Scratch& scratch) {
        tile.gatherQueries(scratch.queries);
        tile.scores(scratch.queries, {0, tile.visible()}, {scoresOf(tile), m_plan.keys()});
    });
    forEachTile(operands, [&](const StridedTile& tile, const Scratch&) {
        turnIntoWeights(tile, m_plan, m_scores.data());
    });
    forEachTile(operands, [&](const StridedTile& tile, const Scratch& scratch) {
        tile.weightedSum(
            {scoresOf(tile), m_plan.keys()}, {0, tile.visible()}, Into::overwrite, scratch.sums);
        tile.scatter(scratch.sums, m_plan.valueDim, sums);
    });
}

template <class Step>
void StridedCore::forEachTile(const StridedOperands& operands, const Step& step)
{
    shareOut(m_plan.busy(m_threads), m_plan.tiles(), [&](std::int64_t index, int thread) {
        float* scratch =
            m_scratch.data() + static_cast<std::size_t>(thread) * scratchFloats(m_plan);
        step(StridedTile(m_plan, operands, index), Scratch(m_plan, scratch));
    });
}

Count stridedCoreBytes(const StridedPlan& plan, AttentionAlgorithm algorithm, Threads threads)
{
    const Count scores =
        algorithm == AttentionAlgorithm::materialised ? Count{plan.rows()} * plan.keys() : Count{0};
    return Count{sizeof(float)}
    * (scores + static_cast<Count>(scratchFloats(plan)) * threads.count);
}

} // namespace flopsmith::cpu
