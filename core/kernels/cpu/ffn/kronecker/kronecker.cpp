// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/kronecker/kronecker_blocks.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Lower bound: the products' multiply-adds at the rate of small matrix products. x is read and y
// written once, everything else stays in the second-level cache. For d = 4096 = 64·64 and f = 16384
// = 128·128 that is 6.3 million operations against 32 KiB per token: bound by the products.
class KroneckerStage : public Stage
{
public:
    KroneckerStage(const KroneckerFfn& ffn, const StageSize& size, WeightView<float> weights)
        : m_size(size)
        , m_up(upLayer(ffn, size, weights, Passes::forward))
        , m_down(downLayer(ffn, size, weights, Passes::forward))
        , m_blocks(ffn, size, Passes::forward)
        , m_betweenElements(std::max(m_up.between(), m_down.between()))
        , m_scratchElements(std::max(m_up.scratchElements(), m_down.scratchElements()))
    {
        const std::int64_t tokens = m_blocks.atOnce * m_blocks.tokens;
        m_hidden = Buffer(bufferSize(tokens, ffn.dFf));
        m_between = Buffer(bufferSize(tokens, m_betweenElements));
        m_scratch = Buffer(bufferSize(size.threads.count, m_scratchElements));
        m_up.activatedBy(ffn.activation);
    }

    void run(const float* x, float* y) override
    {
        const std::int64_t blocks = (m_size.tokens + m_blocks.tokens - 1) / m_blocks.tokens;
        if (!m_blocks.perThread) {
            for (std::int64_t block = 0; block < blocks; ++block) {
                runBlock(x, y, block, 0, m_size.threads);
            }
            return;
        }
        const std::int64_t macs = m_up.macsPerToken() + m_down.macsPerToken();
        shareOut(threadsFor(m_size.threads, m_size.tokens * macs),
                 blocks,
                 [&](std::int64_t block, int thread) { runBlock(x, y, block, thread, {1}); });
    }

private:
    void runBlock(const float* x, float* y, std::int64_t block, int slot, Threads threads)
    {
        const std::int64_t first = block * m_blocks.tokens;
        const std::int64_t tokens = std::min(m_blocks.tokens, m_size.tokens - first);
        const std::int64_t slotTokens = slot * m_blocks.tokens;
        float* hidden = m_hidden.data() + slotTokens * m_up.outputs();
        float* between = m_between.data() + slotTokens * m_betweenElements;
        float* scratch = m_scratch.data() + slot * m_scratchElements;
        m_up.forward(x + first * m_size.dModel, between, hidden, tokens, threads, scratch);
        m_down.forward(hidden, between, y + first * m_size.dModel, tokens, threads, scratch);
    }

    StageSize m_size;
    KroneckerLayer m_up;
    KroneckerLayer m_down;
    KroneckerBlocks m_blocks;
    std::int64_t m_betweenElements; ///< per token, in either layer
    std::int64_t m_scratchElements; ///< per thread
    Buffer m_hidden;
    Buffer m_between;
    Buffer m_scratch;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const KroneckerFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<KroneckerStage>(ffn, size, weights));
}

} // namespace flopsmith::cpu
