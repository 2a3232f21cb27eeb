// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_core.h"

#include "core/kernels/cpu/mixer/attention/attention_flash.h"

#include <utility>

namespace flopsmith::cpu {
namespace {

constexpr auto kFlash = AttentionAlgorithm::flash;

// The backward pass has the same tiles, and more scratch for each.
AttentionPlan tiled(const AttentionPlan& plan,
                    AttentionAlgorithm algorithm,
                    Threads threads,
                    Purpose purpose)
{
    const bool large = algorithm == kFlash && purpose == Purpose::inference;
    return plan.withTiles(large ? flashTileRows(plan) : kTileRows, threads);
}

std::size_t scoreFloats(const AttentionPlan& plan, AttentionAlgorithm algorithm)
{
    return algorithm == kFlash ? 0 : bufferSize(plan.rows(), plan.keys());
}

std::size_t tanhFloats(const AttentionPlan& plan, AttentionAlgorithm algorithm, Purpose purpose)
{
    return plan.hasSoftCap && purpose == Purpose::training ? scoreFloats(plan, algorithm) : 0;
}

std::size_t scratchFloats(const AttentionPlan& plan, AttentionAlgorithm algorithm)
{
    return algorithm == kFlash ? flashScratch(plan) : tileScratch(plan);
}

bool decodes(const AttentionPlan& plan, AttentionAlgorithm algorithm, Purpose purpose)
{
    return algorithm == kFlash && purpose == Purpose::inference && DecodeCore::serves(plan);
}

} // namespace

AttentionCore::AttentionCore(const AttentionPlan& plan,
                             AttentionAlgorithm algorithm,
                             ScoreSteps steps,
                             Threads threads,
                             Purpose purpose)
    : m_algorithm(algorithm)
    , m_plan(tiled(plan, algorithm, threads, purpose))
    , m_steps(std::move(steps))
    , m_threads(threads)
    , m_scores(scoreFloats(plan, algorithm))
    , m_tanhs(tanhFloats(plan, algorithm, purpose))
    , m_scratch(scratchFloats(m_plan, algorithm) * static_cast<std::size_t>(threads.count))
{
    if (decodes(plan, algorithm, purpose)) {
        m_decode.emplace(plan, threads);
    }
}

void AttentionCore::run(const CoreInput& input, float* sums, const SoftmaxRows& saved)
{
    m_steps.lookUp();
    if (m_decode) {
        m_decode->run(input, m_steps, busyThreads(), sums);
    } else if (isFlash()) {
        forEachTile(input, [&](const AttentionTile& tile, float* scratch) {
            flashTile(tile, m_plan, m_steps, scratch, m_plan.sumsAt(sums), saved);
        });
    } else {
        runMaterialised(input, sums, saved);
    }
}

void AttentionCore::runMaterialised(const CoreInput& input, float* sums, const SoftmaxRows& saved)
{
    forEachTile(input, [&](const AttentionTile& tile, float* scratch) {
        writeScores(tile, m_plan, scratch, m_scores.data());
    });
    if (m_steps.present()) {
        float* tanhs = m_tanhs.size() == 0 ? nullptr : m_tanhs.data();
        forEachTile(input, [&](const AttentionTile& tile, float* /*scratch*/) {
            applyScoreSteps(tile, m_plan, m_steps, m_scores.data(), tanhs);
        });
    }
    forEachTile(input, [&](const AttentionTile& tile, float* /*scratch*/) {
        softmax(tile, m_plan, m_steps, m_scores.data(), saved);
    });
    forEachTile(input, [&](const AttentionTile& tile, float* scratch) {
        weightedSums(tile, m_plan, scratch, m_scores.data(), m_plan.sumsAt(sums));
    });
}

template <class Step>
void AttentionCore::forEachTile(const CoreInput& input, const Step& step)
{
    const std::size_t floats = scratchFloats(m_plan, m_algorithm);
    shareOut(busyThreads(), m_plan.tiles(), [&](std::int64_t index, int thread) {
        step(AttentionTile(m_plan, input, index),
             m_scratch.data() + static_cast<std::size_t>(thread) * floats);
    });
}

} // namespace flopsmith::cpu
