// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_layout.h"

#include "core/kernels/cpu/select/picked_features.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::int64_t matrixElements(const TokenFeedbackFfn& ffn, const StageSize& size)
{
    return std::int64_t{2} * ffn.keptFeatures(size.dModel) * ffn.rank;
}

// Few tokens through large matrices wait for these: each thread reads its part of the columns, for
// all tokens, instead of everything for some of them.
bool splitsColumns(const TokenFeedbackFfn& ffn, const StageSize& size)
{
    constexpr std::int64_t kMaxTokens = 4; // per thread; with more, both take as long
    constexpr std::int64_t kLarge = (2 << 20) / sizeof(float); // than the second-level cache
    return size.tokens < size.threads.count
        || (size.tokens <= kMaxTokens * size.threads.count && matrixElements(ffn, size) > kLarge);
}

// Where the matrices leave room in the second-level cache, tokens in their full width stay there too;
// larger ones are read for as many tokens at once as the cache holds picked features of.
std::int64_t tokensOfBlock(const TokenFeedbackFfn& ffn, const StageSize& size)
{
    constexpr std::int64_t kPicked = 1 << 17; // 512 KiB
    constexpr std::int64_t kSmall = (1 << 20) / sizeof(float);
    const std::int64_t most = matrixElements(ffn, size) <= kSmall ? 48 : 256;
    return std::clamp(kPicked / ffn.keptFeatures(size.dModel), std::int64_t{16}, most);
}

} // namespace

FeedbackLayout::FeedbackLayout(const TokenFeedbackFfn& ffn, const StageSize& size)
    : d(size.dModel)
    , s(ffn.keptFeatures(size.dModel))
    , r(ffn.rank)
    , together(stepsTogether(ffn, size.tokens, size.dModel))
    , threads(splitsColumns(ffn, size) ? 1 : size.threads.count)
    , topK(ffn.window == FeatureWindow::topK)
{
    const std::int64_t fair = (size.tokens + threads - 1) / threads;
    block = std::min(tokensOfBlock(ffn, size), std::max(fair, std::int64_t{1}));
    if (ffn.feedback == Feedback::previousToken) {
        carried = ffn.steps;
        halo = threads > 1 ? ffn.steps - 1 : 0;
        block = std::max(block, halo);
    }
}

FeedbackRows::FeedbackRows(const FeedbackLayout& l, float* at, int* integers)
    : lists(integers)
    , mask(integers + l.block * l.s)
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
    gathered = l.topK ? take(3 * l.s) : nullptr;
    carry = take(l.carried * l.d);
    zeros = l.previous() ? take(l.d) : nullptr;
    halo = take(l.halo * l.d);
}

} // namespace flopsmith::cpu
