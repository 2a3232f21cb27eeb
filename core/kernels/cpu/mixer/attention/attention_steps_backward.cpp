// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_steps_backward.h"

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

// A thread's scratch for one tile.
struct BackwardScratch
{
    float* queries; ///< [rows, keyDim], times the scale
    float* dQueries; ///< [rows, keyDim]
    float* sums; ///< [rows, valueDim]
    float* dSums; ///< [rows, valueDim]
    float* probabilities; ///< [rows, kKeysAtOnce]
    float* dProbabilities; ///< [rows, kKeysAtOnce]
    float* deltas; ///< [rows]
    float* tanhs; ///< [rows, kKeysAtOnce]; null without a soft-cap

    BackwardScratch(const AttentionPlan& plan, float* from)
        : queries(from)
        , dQueries(queries + plan.tileRows * plan.keyDim)
        , sums(dQueries + plan.tileRows * plan.keyDim)
        , dSums(sums + plan.tileRows * plan.valueDim)
        , probabilities(dSums + plan.tileRows * plan.valueDim)
        , dProbabilities(probabilities + plan.tileRows * kKeysAtOnce)
        , deltas(dProbabilities + plan.tileRows * kKeysAtOnce)
        , tanhs(plan.hasSoftCap ? deltas + plan.tileRows : nullptr)
    {}

    float* tanhsOf(std::int64_t row) const
    {
        return tanhs == nullptr ? nullptr : tanhs + row * kKeysAtOnce;
    }
};

// to[keys of the block, width] += weightsᵀ·of with weights [rows, keys], of [rows, width]
void accumulateIntoKeys(const MatrixAt<const float>& weights,
                        std::int64_t rows,
                        Range block,
                        const float* of,
                        std::int64_t width,
                        float* to)
{
    multiplyTransposed({block.size(), rows, width},
                       weights,
                       {of, width},
                       {to + block.first * width, width},
                       Into::accumulate);
}

// Scores of one row over `block` → probabilities from its row max and row sum, 0 where masked.
void probabilityRow(float* scores, Range seen, Range block, float rowMax, float rowSum)
{
    std::fill(scores, scores + (seen.first - block.first), 0.0F);
    std::fill(scores + (seen.last - block.first), scores + block.size(), 0.0F);
    const float factor = 1.0F / rowSum;
    float* from = scores + (seen.first - block.first);
    transform(from, from, static_cast<std::size_t>(seen.size()), [=](Lanes v, std::size_t) {
        return expOfSmall(v - rowMax) * factor;
    });
}

// Replaces the gradient of the probabilities by that of the scores: p·(dp − delta), with delta = Σ
// p·dp = Σ output·dOutput of the row (Dao et al. 2022).
void softmaxBackwardRow(const float* probabilities,
                        float delta,
                        float* dProbabilities,
                        std::int64_t count)
{
    const auto n = static_cast<std::size_t>(count);
    along(
        n,
        [&](std::size_t i) {
            store(dProbabilities + i, load(probabilities + i) * (load(dProbabilities + i) - delta));
        },
        [&](std::size_t i, std::size_t rest) {
            const Lanes d = loadSome(dProbabilities + i, rest) - delta;
            storeSome(dProbabilities + i, loadSome(probabilities + i, rest) * d, rest);
        });
}

// Of softmax over one logit the gradient is 0, not the difference of two roundings.
bool seesOneLogit(const AttentionTile& tile, const ScoreSteps& steps, std::int64_t row)
{
    return steps.sinks() == nullptr && tile.visibleTo(row).size() == 1;
}

Range seenOf(const AttentionTile& tile, std::int64_t row, Range block)
{
    Range seen = intersection(tile.visibleTo(row), block);
    return seen.size() > 0 ? seen : Range{block.first, block.first};
}

// dsink −= p_sink·delta of one row.
void addToSink(const AttentionTile& tile,
               const ScoreSteps& steps,
               const SoftmaxRows& saved,
               std::int64_t row,
               float delta,
               float* sinks)
{
    const std::int64_t at = tile.firstRow() + row;
    const float sink = steps.sinks()[tile.headRow(row).head];
    sinks[tile.headInGroup(row)] -= std::exp(sink - saved.rowMax[at]) / saved.rowSum[at] * delta;
}

// The gradients of the biases of a row's head; null without learned biases.
float* biasesOf(const HeadGradients& gradients,
                const AttentionTile& tile,
                const ScoreSteps& steps,
                std::int64_t row)
{
    return gradients.biases == nullptr ? nullptr
                                       : gradients.biases + tile.headInGroup(row) * steps.offsets();
}

} // namespace

std::size_t tileBackwardScratch(const AttentionPlan& plan)
{
    const std::int64_t tanhs = plan.hasSoftCap ? kKeysAtOnce : 0;
    return wholeLines(static_cast<std::size_t>(
        plan.tileRows * (2 * (plan.keyDim + plan.valueDim + kKeysAtOnce) + tanhs + 1)));
}

void flashTileBackward(const AttentionTile& tile,
                       const AttentionPlan& plan,
                       const ScoreSteps& steps,
                       const SoftmaxRows& saved,
                       const float* sums,
                       const float* dSums,
                       float* from,
                       const HeadGradients& gradients,
                       const MatrixAt<float>& dQueries)
{
    const BackwardScratch scratch(plan, from);
    const std::int64_t rows = tile.rows();
    const std::int64_t k = plan.keyDim;
    const std::int64_t v = plan.valueDim;
    const MatrixAt<float> probabilities{scratch.probabilities, kKeysAtOnce};
    const MatrixAt<float> dProbabilities{scratch.dProbabilities, kKeysAtOnce};
    tile.gatherQueries(scratch.queries);
    tile.gather(plan.sumsAt(sums), v, scratch.sums);
    tile.gather(plan.sumsAt(dSums), v, scratch.dSums);
    for (std::int64_t row = 0; row < rows; ++row) {
        scratch.deltas[row] =
            dotOfRows(scratch.sums + row * v, scratch.dSums + row * v, static_cast<std::size_t>(v));
        if (gradients.sinks != nullptr) {
            addToSink(tile, steps, saved, row, scratch.deltas[row], gradients.sinks);
        }
    }
    std::fill_n(scratch.dQueries, rows * k, 0.0F);

    const Range keys = tile.visible();
    for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
        const Range block{first, std::min(keys.last, first + kKeysAtOnce)};
        tile.scores(scratch.queries, block, probabilities);
        tile.valueScores(scratch.dSums, block, dProbabilities);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* p = probabilities.first + row * kKeysAtOnce;
            const std::int64_t at = tile.firstRow() + row;
            const Range seen = seenOf(tile, row, block);
            if (steps.present()) {
                steps.apply(
                    tile.headRow(row), seen, p + (seen.first - block.first), scratch.tanhsOf(row));
            }
            probabilityRow(p, seen, block, saved.rowMax[at], saved.rowSum[at]);
        }
        accumulateIntoKeys(
            {probabilities.first, kKeysAtOnce}, rows, block, scratch.dSums, v, gradients.values);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* d = dProbabilities.first + row * kKeysAtOnce;
            if (seesOneLogit(tile, steps, row)) {
                std::fill_n(d, block.size(), 0.0F);
            } else {
                softmaxBackwardRow(
                    probabilities.first + row * kKeysAtOnce, scratch.deltas[row], d, block.size());
            }
            if (steps.present()) {
                const Range seen = seenOf(tile, row, block);
                steps.applyBackward(tile.headRow(row),
                                    seen,
                                    scratch.tanhsOf(row),
                                    d + (seen.first - block.first),
                                    biasesOf(gradients, tile, steps, row));
            }
        }
        tile.weightedKeySum(
            {dProbabilities.first, kKeysAtOnce}, block, Into::accumulate, scratch.dQueries);
        accumulateIntoKeys(
            {dProbabilities.first, kKeysAtOnce}, rows, block, scratch.queries, k, gradients.keys);
    }
    scaleRow(scratch.dQueries, rows * k, plan.scale);
    tile.scatter(scratch.dQueries, k, dQueries);
}

void weightedSumBackward(const AttentionTile& tile,
                         const AttentionPlan& plan,
                         const float* probabilities,
                         const float* dSums,
                         float* from,
                         float* dScores,
                         const HeadGradients& gradients)
{
    float* own = BackwardScratch(plan, from).dSums;
    const std::int64_t width = plan.valueDim;
    const Range keys = tile.visible();
    const std::int64_t first = tile.firstRow() * plan.keys() + keys.first;
    tile.gather(plan.sumsAt(dSums), width, own);
    tile.valueScores(own, keys, {dScores + first, plan.keys()});
    accumulateIntoKeys(
        {probabilities + first, plan.keys()}, tile.rows(), keys, own, width, gradients.values);
}

void softmaxBackward(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     const SoftmaxRows& saved,
                     const float* probabilities,
                     const HeadGradients& gradients,
                     float* dScores)
{
    const Range keys = tile.visible();
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        const std::int64_t first = (tile.firstRow() + row) * plan.keys() + keys.first;
        const float* p = probabilities + first;
        float* d = dScores + first;
        const float delta = dotOfRows(p, d, static_cast<std::size_t>(keys.size()));
        if (gradients.sinks != nullptr) {
            addToSink(tile, steps, saved, row, delta, gradients.sinks);
        }
        softmaxBackwardRow(p, delta, d, keys.size());
    }
}

void scoreStepsBackward(const AttentionTile& tile,
                        const AttentionPlan& plan,
                        const ScoreSteps& steps,
                        const float* tanhs,
                        const HeadGradients& gradients,
                        float* dScores)
{
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        const Range seen = tile.visibleTo(row);
        const std::int64_t first = (tile.firstRow() + row) * plan.keys() + seen.first;
        steps.applyBackward(tile.headRow(row),
                            seen,
                            tanhs == nullptr ? nullptr : tanhs + first,
                            dScores + first,
                            biasesOf(gradients, tile, steps, row));
    }
}

void scoresBackward(const AttentionTile& tile,
                    const AttentionPlan& plan,
                    const float* dScores,
                    float* from,
                    const HeadGradients& gradients,
                    const MatrixAt<float>& dQueries)
{
    const BackwardScratch scratch(plan, from);
    const std::int64_t width = plan.keyDim;
    const Range keys = tile.visible();
    const MatrixAt<const float> ds{dScores + tile.firstRow() * plan.keys() + keys.first,
                                   plan.keys()};
    tile.gatherQueries(scratch.queries);
    tile.weightedKeySum(ds, keys, Into::overwrite, scratch.dQueries);
    accumulateIntoKeys(ds, tile.rows(), keys, scratch.queries, width, gradients.keys);
    scaleRow(scratch.dQueries, tile.rows() * width, plan.scale);
    tile.scatter(scratch.dQueries, width, dQueries);
}

} // namespace flopsmith::cpu
