// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/strided_core_backward.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

bool isMaterialised(AttentionAlgorithm algorithm)
{
    return algorithm == AttentionAlgorithm::materialised;
}

// How the tiles of one key head are shared among threads.
std::int64_t partsPerHead(const StridedPlan& plan, Threads threads)
{
    const std::int64_t heads = plan.batch * plan.groups;
    if (threads.count == 1 || heads % threads.count == 0) {
        return 1;
    }
    const std::int64_t wanted = (std::int64_t{4} * threads.count + heads - 1) / heads;
    return std::clamp(wanted, std::int64_t{1}, plan.tilesPerGroup());
}

Count unitFloatsOf(const StridedPlan& plan)
{
    return Count{plan.keys()} * (plan.keyDim + plan.valueDim);
}

std::size_t scratchFloats(const StridedPlan& plan)
{
    return wholeLines(static_cast<std::size_t>(
        plan.tileRows * (2 * plan.keyDim + 2 * plan.valueDim + 2 * kStridedKeysAtOnce + 1)));
}

// p_j = e^(s_j − maximum)/total where the row sees, else 0.
void weighRow(float* scores, std::int64_t seen, std::int64_t count, float maximum, float total)
{
    if (seen > 0) {
        exponentiate(scores, seen, maximum);
        scaleRow(scores, seen, 1.0F / total);
    }
    std::fill(scores + seen, scores + count, 0.0F);
}

// d_j ← p_j·(d_j − centre)
void centreRow(const float* p, float centre, float* d, std::int64_t count)
{
    for (std::int64_t j = 0; j < count; ++j) {
        d[j] = p[j] * (d[j] - centre);
    }
}

// gradients[keys, width] += weights[rows, keys]ᵀ·rows[rows, width]
void addToKeys(const MatrixAt<const float>& weights,
               std::int64_t rows,
               Range keys,
               const float* from,
               std::int64_t width,
               float* gradients)
{
    multiplyTransposed({keys.size(), rows, width},
                       weights,
                       {from, width},
                       {gradients + keys.first * width, width},
                       Into::accumulate);
}

} // namespace

struct StridedCoreBackward::Scratch
{
    float* queries; ///< [rows, keyDim]
    float* dQueries; ///< [rows, keyDim]
    float* sums; ///< [rows, valueDim]
    float* dSums; ///< [rows, valueDim]
    float* weights; ///< [rows, kStridedKeysAtOnce]
    float* dWeights; ///< [rows, kStridedKeysAtOnce]
    float* centres; ///< [rows]

    Scratch(const StridedPlan& plan, float* from)
        : queries(from)
        , dQueries(queries + plan.tileRows * plan.keyDim)
        , sums(dQueries + plan.tileRows * plan.keyDim)
        , dSums(sums + plan.tileRows * plan.valueDim)
        , weights(dSums + plan.tileRows * plan.valueDim)
        , dWeights(weights + plan.tileRows * kStridedKeysAtOnce)
        , centres(dWeights + plan.tileRows * kStridedKeysAtOnce)
    {}
};

StridedCoreBackward::StridedCoreBackward(const StridedPlan& plan,
                                         AttentionAlgorithm algorithm,
                                         Threads threads)
    : m_core(plan, algorithm, threads)
    , m_threads(threads)
    , m_parts(partsPerHead(plan, threads))
    , m_maxima(isMaterialised(algorithm) ? 0 : static_cast<std::size_t>(plan.rows()))
    , m_totals(m_maxima.size())
    , m_dScores(isMaterialised(algorithm) ? bufferSize(plan.rows(), plan.keys()) : 0)
    , m_gradients(static_cast<std::size_t>(units()) * unitFloats())
    , m_scratch(scratchFloats(plan) * static_cast<std::size_t>(threads.count))
{}

std::int64_t StridedCoreBackward::units() const
{
    return plan().batch * plan().groups * m_parts;
}

std::size_t StridedCoreBackward::unitFloats() const
{
    return static_cast<std::size_t>(unitFloatsOf(plan()));
}

float* StridedCoreBackward::keyGradients(std::int64_t unit)
{
    return m_gradients.data() + static_cast<std::size_t>(unit) * unitFloats();
}

float* StridedCoreBackward::valueGradients(std::int64_t unit)
{
    return keyGradients(unit) + plan().keys() * plan().keyDim;
}

void StridedCoreBackward::remember(const StridedOperands& operands, float* sums)
{
    m_operands = operands;
    m_sums = sums;
    m_core.run(operands, sums, {m_maxima.data(), m_totals.data()});
}

void StridedCoreBackward::run(const float* dSums, float* dQueries)
{
    m_dSums = dSums;
    m_dQueries = dQueries;
    shareOut(plan().busy(m_threads), units(), [this](std::int64_t unit, int /*thread*/) {
        std::fill_n(keyGradients(unit), unitFloats(), 0.0F);
    });
    if (isMaterialised(m_core.algorithm())) {
        runMaterialised();
        return;
    }
    forEachTile([this](const StridedTile& tile, const Scratch& scratch, std::int64_t unit) {
        flashTile(tile, scratch, unit);
    });
}

// Every m_parts-th tile of a key head is one unit of work: neighbours cost about the same.
template <class Step>
void StridedCoreBackward::forEachTile(const Step& step)
{
    const std::int64_t perGroup = plan().tilesPerGroup();
    shareOut(plan().busy(m_threads), units(), [&](std::int64_t unit, int thread) {
        float* scratch =
            m_scratch.data() + static_cast<std::size_t>(thread) * scratchFloats(plan());
        for (std::int64_t i = unit % m_parts; i < perGroup; i += m_parts) {
            step(StridedTile(plan(), m_operands, unit / m_parts * perGroup + i),
                 Scratch(plan(), scratch),
                 unit);
        }
    });
}

void StridedCoreBackward::flashTile(const StridedTile& tile,
                                    const Scratch& scratch,
                                    std::int64_t unit)
{
    const std::int64_t rows = tile.rows();
    const std::int64_t k = plan().keyDim;
    const std::int64_t v = plan().valueDim;
    tile.gatherQueries(scratch.queries);
    tile.gather(m_sums, v, scratch.sums);
    tile.gather(m_dSums, v, scratch.dSums);
    for (std::int64_t row = 0; row < rows; ++row) {
        scratch.centres[row] =
            dotOfRows(scratch.sums + row * v, scratch.dSums + row * v, static_cast<std::size_t>(v));
    }
    std::fill_n(scratch.dQueries, rows * k, 0.0F);
    const std::int64_t keys = tile.visible();
    for (std::int64_t first = 0; first < keys; first += kStridedKeysAtOnce) {
        const Range block{first, std::min(keys, first + kStridedKeysAtOnce)};
        tile.scores(scratch.queries, block, {scratch.weights, kStridedKeysAtOnce});
        tile.valueScores(scratch.dSums, block, {scratch.dWeights, kStridedKeysAtOnce});
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t at = tile.firstRow() + row;
            const std::int64_t seen =
                std::clamp(tile.visibleTo(row) - block.first, std::int64_t{0}, block.size());
            float* p = scratch.weights + row * kStridedKeysAtOnce;
            weighRow(p, seen, block.size(), m_maxima.data()[at], m_totals.data()[at]);
            float* d = scratch.dWeights + row * kStridedKeysAtOnce;
            // The gradient of a single score is 0, not the difference of two roundings.
            centreRow(p, tile.visibleTo(row) == 1 ? d[0] : scratch.centres[row], d, block.size());
        }
        const MatrixAt<const float> p{scratch.weights, kStridedKeysAtOnce};
        const MatrixAt<const float> ds{scratch.dWeights, kStridedKeysAtOnce};
        addToKeys(p, rows, block, scratch.dSums, v, valueGradients(unit));
        tile.weightedKeySum(ds, block, Into::accumulate, scratch.dQueries);
        addToKeys(ds, rows, block, scratch.queries, k, keyGradients(unit));
    }
    scaleRow(scratch.dQueries, rows * k, plan().scale);
    tile.scatter(scratch.dQueries, k, m_dQueries);
}

void StridedCoreBackward::runMaterialised()
{
    const std::int64_t stride = plan().keys();
    const auto p = [&](const StridedTile& tile) {
        return MatrixAt<const float>{m_core.scores() + tile.firstRow() * stride, stride};
    };
    const auto ds = [&](const StridedTile& tile) {
        return MatrixAt<float>{m_dScores.data() + tile.firstRow() * stride, stride};
    };
    forEachTile([&](const StridedTile& tile, const Scratch& scratch, std::int64_t unit) {
        const Range keys{0, tile.visible()};
        tile.gather(m_dSums, plan().valueDim, scratch.dSums);
        tile.valueScores(scratch.dSums, keys, ds(tile));
        addToKeys(p(tile), tile.rows(), keys, scratch.dSums, plan().valueDim, valueGradients(unit));
    });
    forEachTile([&](const StridedTile& tile, const Scratch&, std::int64_t) {
        const std::int64_t keys = tile.visible();
        for (std::int64_t row = 0; row < tile.rows(); ++row) {
            const float* weights = p(tile).first + row * stride;
            float* d = ds(tile).first + row * stride;
            centreRow(weights, dotOfRows(weights, d, static_cast<std::size_t>(keys)), d, keys);
        }
    });
    forEachTile([&](const StridedTile& tile, const Scratch& scratch, std::int64_t unit) {
        const Range keys{0, tile.visible()};
        const MatrixAt<const float> d{ds(tile).first, stride};
        const std::int64_t k = plan().keyDim;
        tile.gatherQueries(scratch.queries);
        tile.weightedKeySum(d, keys, Into::overwrite, scratch.dQueries);
        addToKeys(d, tile.rows(), keys, scratch.queries, k, keyGradients(unit));
        scaleRow(scratch.dQueries, tile.rows() * k, plan().scale);
        tile.scatter(scratch.dQueries, k, m_dQueries);
    });
}

// Sums the parts of a key head; `first` is the feature 0 of the key in the first of them.
void StridedCoreBackward::add(const float* first, Range features, Into into, float* to) const
{
    for (std::int64_t part = 0; part < m_parts; ++part) {
        const float* from = first + static_cast<std::size_t>(part) * unitFloats() + features.first;
        for (std::int64_t c = 0; c < features.size(); ++c) {
            to[c] = into == Into::accumulate ? to[c] + from[c] : from[c];
        }
        into = Into::accumulate;
    }
}

void StridedCoreBackward::addKey(std::int64_t sequence,
                                 std::int64_t group,
                                 std::int64_t key,
                                 Range features,
                                 Into into,
                                 float* to) const
{
    const auto unit = static_cast<std::size_t>((sequence * plan().groups + group) * m_parts);
    const float* first = m_gradients.data() + unit * unitFloats() + key * plan().keyDim;
    add(first, features, into, to);
}

void StridedCoreBackward::addValue(std::int64_t sequence,
                                   std::int64_t group,
                                   std::int64_t key,
                                   Into into,
                                   float* to) const
{
    const auto unit = static_cast<std::size_t>((sequence * plan().groups + group) * m_parts);
    const float* values = m_gradients.data() + unit * unitFloats() + plan().keys() * plan().keyDim;
    add(values + key * plan().valueDim, {0, plan().valueDim}, into, to);
}

std::size_t StridedCoreBackward::workspaceBytes() const
{
    return m_core.workspaceBytes() + m_maxima.bytes() + m_totals.bytes() + m_dScores.bytes()
        + m_gradients.bytes() + m_scratch.bytes();
}

Count stridedCoreBackwardBytes(const StridedPlan& plan,
                               AttentionAlgorithm algorithm,
                               Threads threads)
{
    const Count rows = plan.rows();
    const Count units = Count{plan.batch} * plan.groups * partsPerHead(plan, threads);
    const Count kept = isMaterialised(algorithm) ? rows * plan.keys() : 2 * rows;
    const Count scratch = static_cast<Count>(scratchFloats(plan)) * threads.count;
    return stridedCoreBytes(plan, algorithm, threads)
        + Count{sizeof(float)} * (kept + units * unitFloatsOf(plan) + scratch);
}

} // namespace flopsmith::cpu
