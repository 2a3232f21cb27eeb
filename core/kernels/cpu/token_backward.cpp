// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/token_backward.h"

#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// As many threads as there are blocks and as it pays to wake.
Threads busyThreads(const StageSize& size, int blockTokens)
{
    constexpr std::int64_t kOperationsPerElement = 16; // of the cheapest stages
    const std::int64_t blocks = (size.tokens + blockTokens - 1) / blockTokens;
    return threadsFor({static_cast<int>(std::min<std::int64_t>(blocks, size.threads.count))},
                      size.activations() * kOperationsPerElement);
}

} // namespace

TokenBackwardStage::TokenBackwardStage(const StageSize& size, std::size_t sums)
    : m_size(size)
    , m_blockTokens(blockTokensOf(size))
    , m_busy(busyThreads(size, m_blockTokens))
    , m_stride(wholeLines(sums))
    , m_sums(m_stride * static_cast<std::size_t>(size.threads.count))
{}

template <class Work>
void TokenBackwardStage::forEachBlock(int part, const Work& work) const
{
    const Range mine = partOf(m_size.tokens, m_busy.count, part);
    for (std::int64_t first = mine.first; first < mine.last; first += m_blockTokens) {
        const auto tokens =
            static_cast<int>(std::min<std::int64_t>(m_blockTokens, mine.last - first));
        work(TokenBlock{first, tokens, part}, first * m_size.dModel);
    }
}

void TokenBackwardStage::save(const float* x, float* y)
{
    onThreads(m_busy, [&](int part) {
        forEachBlock(part, [&](const TokenBlock& block, std::int64_t at) {
            saveBlock(x + at, y + at, block);
        });
    });
}

void TokenBackwardStage::run(const float* dy, float* dx)
{
    begin();
    m_storeKind = storeKindOf(dx, m_size.activations());
    onThreads(m_busy, [&](int part) {
        std::fill_n(sumsOf(part), m_stride, 0.0F);
        forEachBlock(part, [&](const TokenBlock& block, std::int64_t at) {
            runBlock(dy + at, dx + at, sumsOf(part), block);
        });
    });
    addUp();
    finish(m_sums.data());
}

float* TokenBackwardStage::sumsOf(int thread)
{
    return m_sums.data() + static_cast<std::size_t>(thread) * m_stride;
}

void TokenBackwardStage::addUp()
{
    const auto sums = static_cast<std::int64_t>(m_stride);
    const Threads busy = threadsFor(m_busy, sums * (m_busy.count - 1));
    onThreads(busy, [&](int part) {
        const Range mine = partOf(sums, busy.count, part, kLanes);
        for (int thread = 1; thread < m_busy.count; ++thread) {
            const float* from = sumsOf(thread) + mine.first;
            float* to = m_sums.data() + mine.first;
            transform(
                from, to, static_cast<std::size_t>(mine.size()), [to](Lanes v, std::size_t i) {
                    return load(to + i) + v; // whole registers: the stride is a multiple of one
                });
        }
    });
}

} // namespace flopsmith::cpu
