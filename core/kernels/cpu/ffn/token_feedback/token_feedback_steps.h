// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/token_feedback/token_feedback_buffers.h"
#include "core/kernels/cpu/select/picked_features.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/weights.h"

namespace flopsmith::cpu {

/// The steps of token feedback as training goes through them: their weights, which are borrowed, and
/// what is kept of them for the way back.
class FeedbackSteps
{
public:
    FeedbackSteps(const TokenFeedbackFfn& spec, const StageSize& at, WeightView<float> weights)
        : ffn(spec)
        , size(at)
        , sizes(spec, at)
        , buffers(sizes)
        , m_weights(weights)
    {}

    /// y = stage(x), both [T, d]; fills what is kept.
    void remember(const float* x, float* y);

    const float* weight(FeedbackTensor which, int step) const
    {
        return m_weights[indexOf(ffn, which, step)].data();
    }

    bool isFirstOfSequence(std::int64_t token) const { return token % size.sequence == 0; }

    /// After remember().
    PickedFeatures picked(int step, std::int64_t token)
    {
        return {sizes.topK ? buffers.kept(step).lists + token * sizes.s : nullptr,
                ffn.windowStart(step, size.dModel),
                static_cast<int>(sizes.s),
                size.dModel};
    }

    /// visit(token, thread) for some tokens.
    template <class Visit>
    void forEachToken(const Range& tokens, Threads threads, const Visit& visit) const
    {
        const Threads busy = worthwhile(threads, tokens.size() * sizes.s * 16);
        onThreads(busy, [&](int thread) {
            const Range mine = partOf(tokens.size(), busy.count, thread);
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                visit(tokens.first + i, thread);
            }
        });
    }

    const TokenFeedbackFfn ffn;
    const StageSize size;
    const FeedbackSizes sizes;
    FeedbackBuffers buffers;

private:
    void pick(int step, const float* now);
    void products(const FeedbackGroup& group);
    void refine(int step, float* now);

    WeightView<float> m_weights;
};

} // namespace flopsmith::cpu
