// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_steps.h"

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

// A thread's scratch for one tile.
struct ForwardScratch
{
    float* queries; ///< [rows, keyDim]
    float* sums; ///< [rows, valueDim]

    ForwardScratch(const AttentionPlan& plan, float* from)
        : queries(from)
        , sums(queries + plan.tileRows * plan.keyDim)
    {}
};

} // namespace

std::size_t tileScratch(const AttentionPlan& plan)
{
    return wholeLines(static_cast<std::size_t>(plan.tileRows * (plan.keyDim + plan.valueDim)));
}

void writeScores(const AttentionTile& tile,
                 const AttentionPlan& plan,
                 float* scratch,
                 float* scores)
{
    float* queries = ForwardScratch(plan, scratch).queries;
    const Range keys = tile.visible();
    tile.gatherQueries(queries);
    tile.scores(queries, keys, {scores + tile.firstRow() * plan.keys() + keys.first, plan.keys()});
}

void applyScoreSteps(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     float* scores,
                     float* tanhs)
{
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        const Range seen = tile.visibleTo(row);
        const std::int64_t first = (tile.firstRow() + row) * plan.keys() + seen.first;
        steps.apply(
            tile.headRow(row), seen, scores + first, tanhs == nullptr ? nullptr : tanhs + first);
    }
}

void softmax(const AttentionTile& tile,
             const AttentionPlan& plan,
             const ScoreSteps& steps,
             float* scores,
             const SoftmaxRows& saved)
{
    const Range keys = tile.visible();
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        float* values = scores + (tile.firstRow() + row) * plan.keys();
        const Range seen = tile.visibleTo(row);
        std::fill(values + keys.first, values + seen.first, 0.0F);
        std::fill(values + seen.last, values + keys.last, 0.0F);
        float rowMax = largestIn(values + seen.first, seen.size());
        float sink = 0.0F;
        if (steps.sinks() != nullptr) {
            sink = steps.sinks()[tile.headRow(row).head];
            rowMax = std::max(rowMax, sink);
        }
        float rowSum = exponentiate(values + seen.first, seen.size(), rowMax);
        if (steps.sinks() != nullptr) {
            rowSum += std::exp(sink - rowMax);
        }
        scaleRow(values + seen.first, seen.size(), 1.0F / rowSum);
        if (saved.rowMax != nullptr) {
            saved.rowMax[tile.firstRow() + row] = rowMax;
            saved.rowSum[tile.firstRow() + row] = rowSum;
        }
    }
}

void weightedSums(const AttentionTile& tile,
                  const AttentionPlan& plan,
                  float* scratch,
                  const float* scores,
                  const MatrixAt<float>& sums)
{
    float* own = ForwardScratch(plan, scratch).sums;
    const Range keys = tile.visible();
    tile.weightedSum({scores + tile.firstRow() * plan.keys() + keys.first, plan.keys()},
                     keys,
                     Into::overwrite,
                     own);
    tile.scatter(own, plan.valueDim, sums);
}

} // namespace flopsmith::cpu
