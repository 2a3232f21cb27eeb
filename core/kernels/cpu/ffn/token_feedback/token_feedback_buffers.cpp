// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_buffers.h"

#include "core/kernels/cpu/select/picked_features.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr std::int64_t kBlock = 96;

// Whether tokens go back through all steps in blocks, which needs matrices that stay in the cache
// meanwhile, their gradients too. Where gates look at the token before, every step needs what the
// next token's has left, and steps of one product have few tokens anyway.
bool takesBlocks(const FeedbackSizes& sizes)
{
    constexpr std::int64_t kSmall = (1 << 20) / sizeof(float);
    constexpr std::int64_t kFewTokens = 32; // per thread: sums of its own do not pay
    return !sizes.previous && sizes.together == 1 && 2 * sizes.s * sizes.r <= kSmall
        && sizes.tokens >= kFewTokens * sizes.threads;
}

} // namespace

FeedbackSizes::FeedbackSizes(const TokenFeedbackFfn& ffn, const StageSize& size)
    : tokens(size.tokens)
    , d(size.dModel)
    , s(ffn.keptFeatures(size.dModel))
    , r(ffn.rank)
    , steps(ffn.steps)
    , together(stepsTogether(ffn, size.tokens, size.dModel))
    , sets(ffn.weightSets())
    , threads(size.threads.count)
    , topK(ffn.window == FeatureWindow::topK)
    , previous(ffn.feedback == Feedback::previousToken)
    , slots(takesBlocks(*this) ? threads : 1)
    , packs(takesBlocks(*this) && size.precision == Precision::float32)
    , block(takesBlocks(*this) ? std::min(kBlock, tokens / threads) : tokens)
{}

bool FeedbackSizes::joins() const
{
    constexpr std::int64_t kMaxTokens = 256;
    constexpr std::int64_t kLarge = (2 << 20) / sizeof(float);
    return sets == 1 && tokens <= kMaxTokens && 2 * s * r > kLarge;
}

FeedbackKept FeedbackBuffers::kept(int step)
{
    float* at = m_floats.data();
    const auto take = [&](std::int64_t width) { // all steps' rows lie behind one another
        float* const here = at + step * m_sizes.tokens * width;
        at += m_sizes.steps * m_sizes.tokens * width;
        return here;
    };
    FeedbackKept kept{};
    kept.x = take(m_sizes.s);
    kept.v = take(m_sizes.s);
    kept.z = take(m_sizes.s);
    kept.phi = m_sizes.previous ? take(m_sizes.s) : kept.x;
    kept.slopes = take(m_sizes.r);
    kept.u = take(m_sizes.r);
    kept.lists = m_integers.data() + step * m_sizes.keptIntegers();
    return kept;
}

FeedbackGradients FeedbackBuffers::gradients(int step, int slot, std::int64_t tokens)
{
    const std::int64_t n = tokens * m_sizes.s;
    const std::int64_t together = m_sizes.together;
    const std::int64_t inGroup = step % together;
    const std::int64_t all = m_sizes.gradientSteps();
    const std::int64_t mine = m_sizes.joins() ? step : inGroup;
    float* at =
        m_floats.data() + m_sizes.steps * m_sizes.keptFloats() + slot * m_sizes.gradientFloats();
    return {.gate = at + inGroup * n,
            .v = at + (2 * together + mine) * n,
            .x = at + (together + inGroup) * n,
            .u = at + (2 * together + all) * n + mine * tokens * m_sizes.r};
}

FeedbackWeightSums FeedbackBuffers::weightSums(int set, int slot)
{
    float* at = m_floats.data() + m_sizes.steps * m_sizes.keptFloats()
        + m_sizes.slots * m_sizes.gradientFloats()
        + ((slot - 1) * m_sizes.sets + set) * m_sizes.weightFloats();
    const auto matrix = static_cast<std::size_t>(m_sizes.s * m_sizes.r);
    const auto bias = static_cast<std::size_t>(m_sizes.r);
    return {.down = {at, matrix}, .downBias = {at + 2 * matrix, bias}, .up = {at + matrix, matrix}};
}

FeedbackScratch FeedbackBuffers::scratch(int thread)
{
    float* at =
        m_floats.data() + m_floats.size() - (m_sizes.threads - thread) * m_sizes.threadFloats();
    int* integers = m_integers.data() + m_sizes.steps * m_sizes.keptIntegers()
        + thread * m_sizes.threadIntegers();
    const std::int64_t sums = 2 * m_sizes.sets * m_sizes.d;
    return {.gateSums = {at, static_cast<std::size_t>(sums)},
            .gathered = at + sums,
            .list = integers,
            .mask = integers + m_sizes.s};
}

} // namespace flopsmith::cpu
