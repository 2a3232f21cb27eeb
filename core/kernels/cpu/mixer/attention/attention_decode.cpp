// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_decode.h"

#include "core/kernels/cpu/mixer/attention/attention_steps.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Keys of a block: their rows use as many hardware prefetch streams and TLB entries as there are. A
// multiple of every register width.
constexpr std::int64_t kBlock = 16;

} // namespace

DecodeCore::DecodeCore(const AttentionPlan& plan, Threads threads)
    : m_plan(plan.withTiles(plan.groupRows(), {1}))
    , m_queries(bufferSize(plan.rows(), plan.keyDim))
    , m_scores(bufferSize(plan.rows(), plan.keys()))
    , m_sums(bufferSize(threads.count, sumFloats()))
{}

template <class Each>
void DecodeCore::forEachBlock(const CoreInput& input, int parts, int part, const Each& each) const
{
    for (std::int64_t sequence = 0; sequence < m_plan.batch; ++sequence) {
        const std::int64_t first = sequence * m_plan.kvHeads;
        const Range seen = AttentionTile(m_plan, input, first).visible();
        const Range own = partOf(seen.size(), parts, part, kBlock);
        for (std::int64_t key = own.first; key < own.last; key += kBlock) {
            const Range block{seen.first + key, seen.first + std::min(key + kBlock, own.last)};
            for (std::int64_t head = 0; head < m_plan.kvHeads; ++head) {
                each(AttentionTile(m_plan, input, first + head), block);
            }
        }
    }
}

void DecodeCore::run(const CoreInput& input, const ScoreSteps& steps, Threads threads, float* sums)
{
    const std::int64_t k = m_plan.keyDim;
    const std::int64_t v = m_plan.valueDim;
    const std::int64_t tiles = m_plan.tiles();
    for (std::int64_t index = 0; index < tiles; ++index) {
        const AttentionTile tile(m_plan, input, index);
        tile.gatherQueries(m_queries.data() + tile.firstRow() * k);
    }
    onThreads(threads, [&](int part) {
        forEachBlock(input, threads.count, part, [&](const AttentionTile& tile, Range keys) {
            tile.scores(
                m_queries.data() + tile.firstRow() * k,
                keys,
                {m_scores.data() + tile.firstRow() * m_plan.keys() + keys.first, m_plan.keys()});
        });
    });
    shareOut(threads, tiles, [&](std::int64_t index, int /*thread*/) {
        const AttentionTile tile(m_plan, input, index);
        applyScoreSteps(tile, m_plan, steps, m_scores.data(), nullptr);
        softmax(tile, m_plan, steps, m_scores.data(), {});
    });
    onThreads(threads, [&](int part) {
        float* own = m_sums.data() + part * sumFloats();
        std::fill_n(own, sumFloats(), 0.0F);
        forEachBlock(input, threads.count, part, [&](const AttentionTile& tile, Range keys) {
            tile.weightedSum(
                {m_scores.data() + tile.firstRow() * m_plan.keys() + keys.first, m_plan.keys()},
                keys,
                Into::accumulate,
                own + tile.firstRow() * v);
        });
    });
    std::copy_n(m_sums.data(), sumFloats(), sums);
    for (int part = 1; part < threads.count; ++part) {
        combine(m_sums.data() + part * sumFloats(),
                sums,
                sums,
                static_cast<std::size_t>(sumFloats()),
                [](Lanes a, Lanes b) { return a + b; });
    }
}

} // namespace flopsmith::cpu
