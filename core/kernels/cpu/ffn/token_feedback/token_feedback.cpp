// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_gates.h"
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_steps.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// With few tokens and large matrices each thread reads its part of the columns for all tokens,
// instead of all columns for some of them.
bool splitsColumns(const FeedbackShape& shape, Threads threads)
{
    constexpr std::int64_t kMaxTokens = 4; // per thread; with more, both take as long
    return shape.tokens < threads.count
        || (shape.tokens <= kMaxTokens * threads.count && shape.largeMatrices());
}

// Small matrices leave space in the second-level cache for all features of a block; large ones are
// read once for as many tokens as the cache has space for picked features.
std::int64_t maxBlockTokens(const FeedbackShape& shape)
{
    constexpr std::int64_t kPicked = 1 << 17; // 512 KiB
    const std::int64_t max = shape.smallMatrices() ? 48 : 256;
    return std::clamp(kPicked / shape.s, std::int64_t{16}, max);
}

// How the tokens are divided.
struct ForwardPlan
{
    Threads threads; // that take tokens of their own
    std::int64_t halo; // tokens before a thread's own that it also computes
    std::int64_t block; // tokens that stay in the cache through all steps

    ForwardPlan(const FeedbackShape& shape, Threads all)
        : threads(splitsColumns(shape, all) ? Threads{1} : all)
        , halo(shape.previous && threads.count > 1 ? shape.steps - 1 : 0)
        , block(maxBlockTokens(shape))
    {
        const std::int64_t fair = (shape.tokens + threads.count - 1) / threads.count;
        block = std::max(std::min(block, std::max(fair, std::int64_t{1})), halo);
    }
};

class TokenFeedbackStage : public Stage
{
public:
    TokenFeedbackStage(const TokenFeedbackFfn& ffn,
                       const StageSize& size,
                       WeightView<float> weights)
        : m_steps(ffn, size, weights)
        , m_plan(m_shape, size.threads)
    {
        m_steps.pack(m_shape.together * m_plan.block);
        for (int thread = 0; thread < m_plan.threads.count; ++thread) {
            m_scratch.push_back(
                {FeedbackBuffers(
                     m_shape, FeedbackPass::inference, m_plan.block, m_shape.together, {1}),
                 Buffer(bufferSize(m_plan.halo, m_shape.d))});
        }
    }

    void run(const float* x, float* y) override
    {
        const std::int64_t operations =
            m_shape.tokens * m_shape.steps * 2 * m_shape.s * (m_shape.r + 16);
        const Threads busy = threadsFor(m_plan.threads, operations);
        onThreads(busy, [&](int thread) {
            const Range mine = partOf(m_shape.tokens, busy.count, thread);
            if (mine.size() > 0) {
                runPart(x, y, mine, m_scratch[static_cast<std::size_t>(thread)]);
            }
        });
    }

private:
    // Of one thread.
    struct Scratch
    {
        FeedbackBuffers steps;
        Buffer halo; // [steps − 1, d]
    };

    void runPart(const float* x, float* y, const Range& part, Scratch& scratch) const
    {
        if (m_shape.previous) {
            computeHalo(x, part.first, scratch);
        }
        const std::int64_t d = m_shape.d;
        for (std::int64_t first = part.first; first < part.last; first += m_plan.block) {
            const Range tokens{first, std::min(first + m_plan.block, part.last)};
            const auto elements = bufferSize(tokens.size(), d);
            const float* before = x + first * d;
            float* features = y + first * d;
            copyWithPrefetch(before, features, elements);
            runSteps(features, tokens, scratch);
            combine(features, before, features, elements, [](Lanes after, Lanes from) {
                return after - from;
            });
        }
    }

    // Fills the carry for a part that begins inside a sequence. A token after t steps depends on
    // the t tokens before it, so that steps − 1 of these are computed too; the missing predecessors
    // of the first of them do not reach the part.
    void computeHalo(const float* x, std::int64_t first, Scratch& scratch) const
    {
        const std::int64_t d = m_shape.d;
        const std::int64_t start = first / m_steps.size.sequence * m_steps.size.sequence;
        const std::int64_t from = std::max(start, first - (m_shape.steps - 1));
        float* const carry = scratch.steps.carry.data();
        std::fill_n(carry, m_shape.steps * d, 0.0F);
        if (from > start) {
            std::copy_n(x + (from - 1) * d, d, carry);
        }
        if (first > from) {
            std::copy(x + from * d, x + first * d, scratch.halo.data());
            runSteps(scratch.halo.data(), {from, first}, scratch);
        }
    }

    void runSteps(float* features, const Range& tokens, Scratch& scratch) const
    {
        const Threads inProducts = m_plan.threads.count == 1 ? m_steps.size.threads : Threads{1};
        m_steps.run(features, tokens, scratch.steps, inProducts);
    }

    FeedbackSteps m_steps;
    const FeedbackShape& m_shape = m_steps.shape;
    ForwardPlan m_plan;
    std::vector<Scratch> m_scratch;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const TokenFeedbackFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<TokenFeedbackStage>(ffn, size, weights));
}

} // namespace flopsmith::cpu
