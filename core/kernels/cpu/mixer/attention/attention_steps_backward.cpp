// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_steps_backward.h"

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

// A thread's scratch for one tile.
struct Scratch
{
    float* queries; ///< [rows, keyDim], times the scale
    float* dQueries; ///< [rows, keyDim]
    float* sums; ///< [rows, valueDim]
    float* dSums; ///< [rows, valueDim]
    float* weights; ///< [rows, kKeysAtOnce]
    float* dWeights; ///< [rows, kKeysAtOnce]
    float* centres; ///< [rows]
    float* tanhs; ///< [rows, kKeysAtOnce]; null without a soft-cap

    Scratch(const AttentionPlan& plan, float* from)
        : queries(from)
        , dQueries(queries + plan.tileRows * plan.keyDim)
        , sums(dQueries + plan.tileRows * plan.keyDim)
        , dSums(sums + plan.tileRows * plan.valueDim)
        , weights(dSums + plan.tileRows * plan.valueDim)
        , dWeights(weights + plan.tileRows * kKeysAtOnce)
        , centres(dWeights + plan.tileRows * kKeysAtOnce)
        , tanhs(plan.hasSoftCap ? centres + plan.tileRows : nullptr)
    {}

    float* tanhsOf(std::int64_t row) const
    {
        return tanhs == nullptr ? nullptr : tanhs + row * kKeysAtOnce;
    }
};

// to[keys of the block, width] += weightsᵀ·rows.
void addToKeys(const MatrixAt<const float>& weights,
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

// Scores of one row over `block` → probabilities, 0 where the row does not see.
void weighRow(float* scores, Range seen, Range block, float largest, float total)
{
    std::fill(scores, scores + (seen.first - block.first), 0.0F);
    std::fill(scores + (seen.last - block.first), scores + block.size(), 0.0F);
    const float factor = 1.0F / total;
    float* from = scores + (seen.first - block.first);
    transform(from, from, static_cast<std::size_t>(seen.size()), [=](Lanes v, std::size_t) {
        return expOfSmall(v - largest) * factor;
    });
}

// dWeights ← weights·(dWeights − centre)
void centreRow(const float* weights, float centre, float* dWeights, std::int64_t count)
{
    const auto n = static_cast<std::size_t>(count);
    along(
        n,
        [&](std::size_t i) {
            store(dWeights + i, load(weights + i) * (load(dWeights + i) - centre));
        },
        [&](std::size_t i, std::size_t rest) {
            const Lanes d = loadSome(dWeights + i, rest) - centre;
            storeSome(dWeights + i, loadSome(weights + i, rest) * d, rest);
        });
}

// The gradient of a single logit is 0, not the difference of two roundings.
bool seesOneLogit(const AttentionTile& tile, const ScoreSteps& steps, std::int64_t row)
{
    return steps.sinks() == nullptr && tile.visibleTo(row).size() == 1;
}

Range seenOf(const AttentionTile& tile, std::int64_t row, Range block)
{
    Range seen = intersection(tile.visibleTo(row), block);
    return seen.size() > 0 ? seen : Range{block.first, block.first};
}

// dsink −= p_sink·centre of one row.
void addToSink(const AttentionTile& tile,
               const ScoreSteps& steps,
               const SoftmaxRows& saved,
               std::int64_t row,
               float centre,
               float* sinks)
{
    const std::int64_t at = tile.firstRow() + row;
    const float sink = steps.sinks()[tile.headRow(row).head];
    sinks[tile.headInGroup(row)] -= std::exp(sink - saved.rowMax[at]) / saved.rowSum[at] * centre;
}

// Where a row's head keeps the gradients of its biases; null if they have none.
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
    const Scratch scratch(plan, from);
    const std::int64_t rows = tile.rows();
    const std::int64_t k = plan.keyDim;
    const std::int64_t v = plan.valueDim;
    const MatrixAt<float> weights{scratch.weights, kKeysAtOnce};
    const MatrixAt<float> dWeights{scratch.dWeights, kKeysAtOnce};
    tile.gatherQueries(scratch.queries);
    tile.gather(plan.sumsAt(sums), v, scratch.sums);
    tile.gather(plan.sumsAt(dSums), v, scratch.dSums);
    for (std::int64_t row = 0; row < rows; ++row) {
        scratch.centres[row] =
            dotOfRows(scratch.sums + row * v, scratch.dSums + row * v, static_cast<std::size_t>(v));
        if (gradients.sinks != nullptr) {
            addToSink(tile, steps, saved, row, scratch.centres[row], gradients.sinks);
        }
    }
    std::fill_n(scratch.dQueries, rows * k, 0.0F);

    const Range keys = tile.visible();
    for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
        const Range block{first, std::min(keys.last, first + kKeysAtOnce)};
        tile.scores(scratch.queries, block, weights);
        tile.valueScores(scratch.dSums, block, dWeights);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* p = weights.first + row * kKeysAtOnce;
            const std::int64_t at = tile.firstRow() + row;
            const Range seen = seenOf(tile, row, block);
            if (steps.present()) {
                steps.apply(
                    tile.headRow(row), seen, p + (seen.first - block.first), scratch.tanhsOf(row));
            }
            weighRow(p, seen, block, saved.rowMax[at], saved.rowSum[at]);
        }
        addToKeys({weights.first, kKeysAtOnce}, rows, block, scratch.dSums, v, gradients.values);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* d = dWeights.first + row * kKeysAtOnce;
            if (seesOneLogit(tile, steps, row)) {
                std::fill_n(d, block.size(), 0.0F);
            } else {
                centreRow(weights.first + row * kKeysAtOnce, scratch.centres[row], d, block.size());
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
            {dWeights.first, kKeysAtOnce}, block, Into::accumulate, scratch.dQueries);
        addToKeys({dWeights.first, kKeysAtOnce}, rows, block, scratch.queries, k, gradients.keys);
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
    float* own = Scratch(plan, from).dSums;
    const std::int64_t width = plan.valueDim;
    const Range keys = tile.visible();
    const std::int64_t first = tile.firstRow() * plan.keys() + keys.first;
    tile.gather(plan.sumsAt(dSums), width, own);
    tile.valueScores(own, keys, {dScores + first, plan.keys()});
    addToKeys(
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
        const float centre = dotOfRows(p, d, static_cast<std::size_t>(keys.size()));
        if (gradients.sinks != nullptr) {
            addToSink(tile, steps, saved, row, centre, gradients.sinks);
        }
        centreRow(p, centre, d, keys.size());
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
    const Scratch scratch(plan, from);
    const std::int64_t width = plan.keyDim;
    const Range keys = tile.visible();
    const MatrixAt<const float> ds{dScores + tile.firstRow() * plan.keys() + keys.first,
                                   plan.keys()};
    tile.gatherQueries(scratch.queries);
    tile.weightedKeySum(ds, keys, Into::overwrite, scratch.dQueries);
    addToKeys(ds, tile.rows(), keys, scratch.queries, width, gradients.keys);
    scaleRow(scratch.dQueries, tile.rows() * width, plan.scale);
    tile.scatter(scratch.dQueries, width, dQueries);
}

} // namespace flopsmith::cpu
