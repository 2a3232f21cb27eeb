// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_steps_backward.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::cpu {
namespace {

// A thread's scratch for one tile.
struct Scratch
{
    float* queries; ///< [rows, h], times the scale
    float* dQueries; ///< [rows, h]
    float* out; ///< [rows, h]
    float* dOut; ///< [rows, h]
    float* weights; ///< [rows, kKeysAtOnce]
    float* dWeights; ///< [rows, kKeysAtOnce]
    float* centres; ///< [rows]
    float* tanhs; ///< [rows, kKeysAtOnce]; null without a soft-cap

    Scratch(const AttentionPlan& plan, float* from)
        : queries(from)
        , dQueries(queries + plan.tileRows() * plan.headDim)
        , out(dQueries + plan.tileRows() * plan.headDim)
        , dOut(out + plan.tileRows() * plan.headDim)
        , weights(dOut + plan.tileRows() * plan.headDim)
        , dWeights(weights + plan.tileRows() * kKeysAtOnce)
        , centres(dWeights + plan.tileRows() * kKeysAtOnce)
        , tanhs(plan.capsScores ? centres + plan.tileRows() : nullptr)
    {}

    float* tanhsOf(std::int64_t row) const
    {
        return tanhs == nullptr ? nullptr : tanhs + row * kKeysAtOnce;
    }
};

// to[keys of the block, h] += weightsᵀ·rows.
void addToKeys(const MatrixAt<const float>& weights,
               std::int64_t rows,
               Range block,
               const float* of,
               std::int64_t headDim,
               float* to)
{
    multiplyTransposed({block.size(), rows, headDim},
                       weights,
                       {of, headDim},
                       {to + block.first * headDim, headDim},
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

Range seenOf(const AttentionTile& tile, std::int64_t row, Range block)
{
    Range seen = intersection(tile.visibleTo(row), block);
    return seen.size() > 0 ? seen : Range{block.first, block.first};
}

// dsink −= p_sink·centre of one row.
void addToSink(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               const SoftmaxRows& kept,
               std::int64_t row,
               float centre,
               float* sinks)
{
    const std::int64_t at = tile.firstRow() + row;
    const float sink = steps.sinks()[tile.headRow(row).head];
    sinks[row % plan.sharers()] -= std::exp(sink - kept.maxima[at]) / kept.totals[at] * centre;
}

// Where a row's head keeps the gradients of its biases; null if they have none.
float* biasesOf(const HeadGradients& gradients,
                const AttentionPlan& plan,
                const ScoreSteps& steps,
                std::int64_t row)
{
    return gradients.biases == nullptr ? nullptr
                                       : gradients.biases + row % plan.sharers() * steps.offsets();
}

} // namespace

std::size_t tileBackwardScratch(const AttentionPlan& plan)
{
    const std::int64_t tanhs = plan.capsScores ? kKeysAtOnce : 0;
    return static_cast<std::size_t>(plan.tileRows()
                                    * (4 * plan.headDim + 2 * kKeysAtOnce + tanhs + 1));
}

void flashTileBackward(const AttentionTile& tile,
                       const AttentionPlan& plan,
                       const ScoreSteps& steps,
                       const SoftmaxRows& kept,
                       const float* mixed,
                       const float* dMixed,
                       float* room,
                       const HeadGradients& gradients,
                       float* dQkv)
{
    const Scratch scratch(plan, room);
    const std::int64_t rows = tile.rows();
    const std::int64_t h = plan.headDim;
    const MatrixAt<float> weights{scratch.weights, kKeysAtOnce};
    const MatrixAt<float> dWeights{scratch.dWeights, kKeysAtOnce};
    tile.gatherQueries(scratch.queries);
    tile.gather(mixed, scratch.out);
    tile.gather(dMixed, scratch.dOut);
    for (std::int64_t row = 0; row < rows; ++row) {
        scratch.centres[row] =
            dotOfRows(scratch.out + row * h, scratch.dOut + row * h, static_cast<std::size_t>(h));
        if (gradients.sinks != nullptr) {
            addToSink(tile, plan, steps, kept, row, scratch.centres[row], gradients.sinks);
        }
    }
    std::fill_n(scratch.dQueries, rows * h, 0.0F);

    const Range keys = tile.visible();
    for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
        const Range block{first, std::min(keys.last, first + kKeysAtOnce)};
        tile.scores(scratch.queries, block, weights);
        tile.valueScores(scratch.dOut, block, dWeights);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* p = weights.first + row * kKeysAtOnce;
            const std::int64_t at = tile.firstRow() + row;
            const Range seen = seenOf(tile, row, block);
            if (steps.present()) {
                steps.apply(
                    tile.headRow(row), seen, p + (seen.first - block.first), scratch.tanhsOf(row));
            }
            weighRow(p, seen, block, kept.maxima[at], kept.totals[at]);
        }
        addToKeys({weights.first, kKeysAtOnce}, rows, block, scratch.dOut, h, gradients.values);
        for (std::int64_t row = 0; row < rows; ++row) {
            centreRow(weights.first + row * kKeysAtOnce,
                      scratch.centres[row],
                      dWeights.first + row * kKeysAtOnce,
                      block.size());
            if (steps.present()) {
                const Range seen = seenOf(tile, row, block);
                steps.applyBackward(tile.headRow(row),
                                    seen,
                                    scratch.tanhsOf(row),
                                    dWeights.first + row * kKeysAtOnce + (seen.first - block.first),
                                    biasesOf(gradients, plan, steps, row));
            }
        }
        tile.weightedKeySum(
            {dWeights.first, kKeysAtOnce}, block, Into::accumulate, scratch.dQueries);
        addToKeys({dWeights.first, kKeysAtOnce}, rows, block, scratch.queries, h, gradients.keys);
    }
    scaleRow(scratch.dQueries, rows * h, plan.scale);
    tile.scatterQueries(scratch.dQueries, dQkv);
}

void weightedSumBackward(const AttentionTile& tile,
                         const AttentionPlan& plan,
                         const float* probabilities,
                         const float* dMixed,
                         float* room,
                         float* dScores,
                         const HeadGradients& gradients)
{
    const Scratch scratch(plan, room);
    const Range keys = tile.visible();
    const std::int64_t first = tile.firstRow() * plan.keys + keys.first;
    tile.gather(dMixed, scratch.dOut);
    tile.valueScores(scratch.dOut, keys, {dScores + first, plan.keys});
    addToKeys({probabilities + first, plan.keys},
              tile.rows(),
              keys,
              scratch.dOut,
              plan.headDim,
              gradients.values);
}

void softmaxBackward(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     const SoftmaxRows& kept,
                     const float* probabilities,
                     const HeadGradients& gradients,
                     float* dScores)
{
    const Range keys = tile.visible();
    for (std::int64_t row = 0; row < tile.rows(); ++row) {
        const std::int64_t first = (tile.firstRow() + row) * plan.keys + keys.first;
        const float* p = probabilities + first;
        float* d = dScores + first;
        const float centre = dotOfRows(p, d, static_cast<std::size_t>(keys.size()));
        if (gradients.sinks != nullptr) {
            addToSink(tile, plan, steps, kept, row, centre, gradients.sinks);
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
        const std::int64_t first = (tile.firstRow() + row) * plan.keys + seen.first;
        steps.applyBackward(tile.headRow(row),
                            seen,
                            tanhs == nullptr ? nullptr : tanhs + first,
                            dScores + first,
                            biasesOf(gradients, plan, steps, row));
    }
}

void scoresBackward(const AttentionTile& tile,
                    const AttentionPlan& plan,
                    const float* dScores,
                    float* room,
                    const HeadGradients& gradients,
                    float* dQkv)
{
    const Scratch scratch(plan, room);
    const Range keys = tile.visible();
    const MatrixAt<const float> ds{dScores + tile.firstRow() * plan.keys + keys.first, plan.keys};
    tile.gatherQueries(scratch.queries);
    tile.weightedKeySum(ds, keys, Into::overwrite, scratch.dQueries);
    addToKeys(ds, tile.rows(), keys, scratch.queries, plan.headDim, gradients.keys);
    scaleRow(scratch.dQueries, tile.rows() * plan.headDim, plan.scale);
    tile.scatterQueries(scratch.dQueries, dQkv);
}

} // namespace flopsmith::cpu
