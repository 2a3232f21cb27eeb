// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/token_feedback_layout.h"

#include "core/kernels/cpu/picked_features.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Few tokens through large matrices wait for these: each thread reads its part of the columns, for
// all tokens, instead of everything for some of them.
bool splitsColumns(const TokenFeedbackFfn& ffn, const StageSize& size)
{
    constexpr std::int64_t kMostTokens = 4; // per thread; with more, both take as long
    constexpr std::int64_t kLarge = (2 << 20) / sizeof(float); // than the second-level cache
    const std::int64_t matrices = std::int64_t{2} * ffn.keptFeatures(size.dModel) * ffn.rank;
    return size.tokens < size.threads.count
        || (size.tokens <= kMostTokens * size.threads.count && matrices > kLarge);
}

} // namespace

FeedbackLayout::FeedbackLayout(const TokenFeedbackFfn& ffn, const StageSize& size)
    : d(size.dModel)
    , s(ffn.keptFeatures(size.dModel))
    , r(ffn.rank)
    , threads(splitsColumns(ffn, size) ? 1 : size.threads.count)
    , topK(ffn.window == FeatureWindow::topK)
{
    constexpr std::int64_t kBlockElements = 1 << 17; // 512 KiB of picked features
    const std::int64_t fair = (size.tokens + threads - 1) / threads;
    block = std::clamp(kBlockElements / s, std::int64_t{16}, std::int64_t{256});
    block = std::min(block, std::max(fair, std::int64_t{1}));
    together = stepsTogether(ffn, size.tokens, size.dModel);
    if (ffn.feedback == Feedback::previousToken) {
        carried = ffn.steps;
        halo = threads > 1 ? ffn.steps - 1 : 0;
        block = std::max(block, halo);
    }
}

FeedbackRows::FeedbackRows(const FeedbackLayout& l, float* at, int* integers)
{
    const auto take = [&at](std::int64_t count) {
        float* const here = at;
        at += count;
        return here;
    };
    x = take(l.rows() * l.s);
    v = take(l.rows() * l.s);
    phi = l.previous() ? take(l.rows() * l.s) : nullptr;
    u = take(l.rows() * l.r);
    scale = l.topK ? take(l.s) : nullptr;
    shift = l.topK ? take(l.s) : nullptr;
    carry = take(l.carried * l.d);
    zeros = l.previous() ? take(l.d) : nullptr;
    halo = take(l.halo * l.d);
    lists = integers;
    mask = integers + l.block * l.s;
}

} // namespace flopsmith::cpu
