// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/stage.h"

#include "core/ffn/ffn_variants.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {

int blockTokensOf(const StageSize& size)
{
    // 64 KiB per array: a composition's five or so stay together in the second-level cache.
    constexpr std::int64_t kBlockElements = 16384;
    constexpr std::int64_t kMaxTokens = 64;
    constexpr std::int64_t kLargestBlock = 65536; // so that lanes can be filled with tokens
    std::int64_t fitting = std::clamp(kBlockElements / size.dModel, std::int64_t{1}, kMaxTokens);
    if (fitting < kLanes) {
        fitting = kLanes * size.dModel <= kLargestBlock ? kLanes : fitting;
    } else {
        fitting = fitting / kLanes * kLanes;
    }
    const std::int64_t fair = (size.tokens + size.threads.count - 1) / size.threads.count;
    return static_cast<int>(std::clamp(fair, std::int64_t{1}, fitting));
}

TokenStage::TokenStage(const StageSize& size)
    : m_size(size)
    , m_blockTokens(blockTokensOf(size))
{}

void TokenStage::run(const float* x, float* y)
{
    begin();
    m_storeKind = storeKindOf(y, m_size.activations());
    const std::int64_t blocks = (m_size.tokens + m_blockTokens - 1) / m_blockTokens;
    constexpr std::int64_t kOperationsPerElement = 8; // of the cheapest stages
    const Threads busy =
        threadsFor({static_cast<int>(std::min<std::int64_t>(blocks, m_size.threads.count))},
                   m_size.activations() * kOperationsPerElement);
    shareOut(busy, blocks, [&](std::int64_t block, int thread) {
        const std::int64_t first = block * m_blockTokens;
        const auto tokens =
            static_cast<int>(std::min<std::int64_t>(m_blockTokens, m_size.tokens - first));
        runBlock(x + first * m_size.dModel, y + first * m_size.dModel, tokens, thread);
    });
    m_storeKind = StoreKind::cached;
}

Result<std::unique_ptr<Stage>> makeStage(const FfnSpec& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return madeFor(ffn, [&](const auto& spec) { return makeStage(spec, size, weights); });
}

} // namespace flopsmith::cpu
