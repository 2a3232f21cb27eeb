// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/token_feedback_buffers.h"

#include "core/kernels/cpu/picked_features.h"

namespace flopsmith::cpu {

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
{}

bool FeedbackSizes::joins() const
{
    constexpr std::int64_t kMostTokens = 256;
    constexpr std::int64_t kLarge = (2 << 20) / sizeof(float);
    return sets == 1 && tokens <= kMostTokens && 2 * s * r > kLarge;
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
    kept.before = take(m_sizes.r);
    kept.u = take(m_sizes.r);
    kept.lists = m_integers.data() + step * m_sizes.keptIntegers();
    return kept;
}

FeedbackGradients FeedbackBuffers::gradients(int step)
{
    const std::int64_t n = m_sizes.tokens * m_sizes.s;
    const std::int64_t together = m_sizes.together;
    const std::int64_t inGroup = step % together;
    const std::int64_t all = m_sizes.gradientSteps();
    const std::int64_t mine = m_sizes.joins() ? step : inGroup;
    float* at = m_floats.data() + m_sizes.steps * m_sizes.keptFloats();
    return {.gate = at + inGroup * n,
            .v = at + (2 * together + mine) * n,
            .x = at + (together + inGroup) * n,
            .u = at + (2 * together + all) * n + mine * m_sizes.tokens * m_sizes.r};
}

FeedbackScratch FeedbackBuffers::scratch(int thread)
{
    float* at = m_floats.data() + m_sizes.steps * m_sizes.keptFloats() + m_sizes.gradientFloats()
        + thread * m_sizes.threadFloats();
    int* integers = m_integers.data() + m_sizes.steps * m_sizes.keptIntegers()
        + thread * m_sizes.threadIntegers();
    return {.scaleSum = at,
            .shiftSum = at + m_sizes.d,
            .scale = at + 2 * m_sizes.d,
            .reaching = at + 2 * m_sizes.d + m_sizes.s,
            .list = integers,
            .mask = integers + m_sizes.s};
}

} // namespace flopsmith::cpu
