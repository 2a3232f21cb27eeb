// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core_backward.h"

#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <utility>

namespace flopsmith::cpu {
namespace {

bool isMaterialised(AttentionAlgorithm algorithm)
{
    return algorithm == AttentionAlgorithm::materialised;
}

// Into how many units of work the tiles of one KV head are divided.
std::int64_t partsPerHead(const AttentionPlan& plan, Threads threads)
{
    const std::int64_t heads = plan.batch * plan.kvHeads;
    if (threads.count == 1 || heads % threads.count == 0) {
        return 1;
    }
    const std::int64_t wanted = (std::int64_t{4} * threads.count + heads - 1) / heads;
    return std::clamp(wanted, std::int64_t{1}, plan.tilesPerGroup());
}

// Rows whose row max and row sum the forward pass saves.
std::size_t savedRows(const AttentionPlan& plan, AttentionAlgorithm algorithm, bool hasSinks)
{
    return isMaterialised(algorithm) && !hasSinks ? 0 : static_cast<std::size_t>(plan.rows());
}

std::size_t dScoreFloats(const AttentionPlan& plan, AttentionAlgorithm algorithm)
{
    return isMaterialised(algorithm) ? bufferSize(plan.rows(), plan.keys()) : 0;
}

} // namespace

AttentionCoreBackward::AttentionCoreBackward(const AttentionPlan& sizes,
                                             AttentionAlgorithm algorithm,
                                             ScoreSteps scoreSteps,
                                             Threads threads)
    : m_core(sizes, algorithm, std::move(scoreSteps), threads, Purpose::training)
    , m_threads(threads)
    , m_parts(partsPerHead(plan(), threads))
    , m_layout(plan(), steps())
    , m_rowMax(savedRows(sizes, algorithm, steps().sinks() != nullptr))
    , m_rowSum(m_rowMax.size())
    , m_dScores(dScoreFloats(sizes, algorithm))
    , m_gradients(bufferSize(units(), m_layout.end))
    , m_scratch(tileBackwardScratch(plan()) * static_cast<std::size_t>(threads.count))
{}

void AttentionCoreBackward::save(const CoreInput& input, float* sums)
{
    m_input = input;
    m_sums = sums;
    m_core.run(input, sums, softmaxRows());
}

void AttentionCoreBackward::run(const float* dSums, const MatrixAt<float>& dQueries)
{
    shareOut(m_core.busyThreads(), units(), [&](std::int64_t unit, int /*thread*/) {
        std::fill_n(m_gradients.data() + unit * m_layout.end, m_layout.end, 0.0F);
    });
    if (m_dScores.size() > 0) {
        runMaterialised(dSums, dQueries);
        return;
    }
    forEachTile([&](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
        flashTileBackward(
            tile, plan(), steps(), softmaxRows(), m_sums, dSums, scratch, g, dQueries);
    });
}

void AttentionCoreBackward::runMaterialised(const float* dSums, const MatrixAt<float>& dQueries)
{
    forEachTile([&](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
        weightedSumBackward(tile, plan(), m_core.scores(), dSums, scratch, m_dScores.data(), g);
    });
    forEachTile([&](const AttentionTile& tile, float*, const HeadGradients& g) {
        softmaxBackward(tile, plan(), steps(), softmaxRows(), m_core.scores(), g, m_dScores.data());
    });
    if (steps().hasSoftCap() || steps().learnsBias()) {
        forEachTile([&](const AttentionTile& tile, float*, const HeadGradients& g) {
            scoreStepsBackward(tile, plan(), steps(), m_core.tanhs(), g, m_dScores.data());
        });
    }
    forEachTile([&](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
        scoresBackward(tile, plan(), m_dScores.data(), scratch, g, dQueries);
    });
}

// Every m_parts-th tile of a KV head is one unit of work: neighbours cost about the same.
template <class Step>
void AttentionCoreBackward::forEachTile(const Step& step)
{
    const std::int64_t perGroup = plan().tilesPerGroup();
    shareOut(m_core.busyThreads(), units(), [&](std::int64_t unit, int thread) {
        float* scratch =
            m_scratch.data() + static_cast<std::size_t>(thread) * tileBackwardScratch(plan());
        const std::int64_t group = unit / m_parts;
        for (std::int64_t i = unit % m_parts; i < perGroup; i += m_parts) {
            step(AttentionTile(plan(), m_input, group * perGroup + i), scratch, gradientsOf(unit));
        }
    });
}

SoftmaxRows AttentionCoreBackward::softmaxRows()
{
    return m_rowMax.size() == 0 ? SoftmaxRows{} : SoftmaxRows{m_rowMax.data(), m_rowSum.data()};
}

HeadGradients AttentionCoreBackward::gradientsOf(std::int64_t unit)
{
    float* first = m_gradients.data() + unit * m_layout.end;
    return {.keys = first,
            .values = first + m_layout.values,
            .biases = steps().learnsBias() ? first + m_layout.biases : nullptr,
            .sinks = steps().sinks() != nullptr ? first + m_layout.sinks : nullptr};
}

// Sums the gradients of a KV head over its parts; `first` points into the first part's.
void AttentionCoreBackward::add(const float* first, std::int64_t count, Into into, float* to) const
{
    if (into == Into::overwrite) {
        copyRow(first, to, count);
    }
    for (std::int64_t part = into == Into::overwrite ? 1 : 0; part < m_parts; ++part) {
        combine(to,
                first + part * m_layout.end,
                to,
                static_cast<std::size_t>(count),
                [](Lanes sum, Lanes d) { return sum + d; });
    }
}

void AttentionCoreBackward::addKey(std::int64_t sequence,
                                   std::int64_t kvHead,
                                   std::int64_t key,
                                   Range features,
                                   Into into,
                                   float* to) const
{
    const std::int64_t unit = (sequence * plan().kvHeads + kvHead) * m_parts;
    const float* first = m_gradients.data() + unit * m_layout.end;
    add(first + key * plan().keyDim + features.first, features.size(), into, to);
}

void AttentionCoreBackward::addValue(std::int64_t sequence,
                                     std::int64_t kvHead,
                                     std::int64_t key,
                                     Into into,
                                     float* to) const
{
    const std::int64_t unit = (sequence * plan().kvHeads + kvHead) * m_parts;
    const float* first = m_gradients.data() + unit * m_layout.end + m_layout.values;
    add(first + key * plan().valueDim, plan().valueDim, into, to);
}

template <class Each>
void AttentionCoreBackward::forEachHead(const Each& each) const
{
    for (std::int64_t unit = 0; unit < units(); ++unit) {
        const std::int64_t kvHead = unit / m_parts % plan().kvHeads;
        for (std::int64_t i = 0; i < plan().groupSize(); ++i) {
            each(kvHead * plan().groupSize() + i, i, m_gradients.data() + unit * m_layout.end);
        }
    }
}

void AttentionCoreBackward::collectBiases(std::span<float> table) const
{
    std::fill(table.begin(), table.end(), 0.0F);
    if (!table.empty()) {
        forEachHead([&](std::int64_t head, std::int64_t inGroup, const float* unit) {
            steps().addToTable(head, unit + m_layout.biases + inGroup * steps().offsets(), table);
        });
    }
}

void AttentionCoreBackward::collectSinks(std::span<float> sinks) const
{
    std::fill(sinks.begin(), sinks.end(), 0.0F);
    if (!sinks.empty()) {
        forEachHead([&](std::int64_t head, std::int64_t inGroup, const float* unit) {
            sinks[static_cast<std::size_t>(head)] += unit[m_layout.sinks + inGroup];
        });
    }
}

} // namespace flopsmith::cpu
