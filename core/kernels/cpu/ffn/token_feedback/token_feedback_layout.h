// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cpu/stage.h"

#include <cstdint>

namespace flopsmith::cpu {

/// Sizes of what a thread works with. It takes its tokens in blocks, and each block through all
/// steps while the picked features are in the second-level cache.
struct FeedbackLayout
{
    std::int64_t d;
    std::int64_t s; ///< picked features
    std::int64_t r; ///< rank
    std::int64_t block; ///< tokens
    std::int64_t together; ///< steps, see stepsTogether()
    std::int64_t threads; ///< that take tokens of their own
    std::int64_t halo = 0; ///< tokens before a thread's own that it computes too
    std::int64_t carried = 0; ///< rows, one per step, of the token before a block
    bool topK;

    FeedbackLayout(const TokenFeedbackFfn& ffn, const StageSize& size);

    std::int64_t rows() const { return together * block; } ///< of a product

    bool previous() const { return carried > 0; }
    std::int64_t floats() const
    {
        const std::int64_t picked = rows() * s * (previous() ? 3 : 2) + (topK ? 3 * s : 0);
        return picked + rows() * r + (carried + (previous() ? 1 : 0) + halo) * d;
    }
    std::int64_t integers() const { return topK ? block * s + d : 0; }
};

/// One thread's scratch, of floats() and integers() of its layout.
struct FeedbackRows
{
    float* x; ///< [together · block, s] picked features
    float* v; ///< the same
    float* phi; ///< the same of the token before; null if gates look at the token itself
    float* u; ///< [together · block, r]
    float* gathered; ///< [3, s] c, e and the features themselves of one token, top_k only
    float* carry; ///< [steps, d] the token before the block, as it was before each step
    float* zeros; ///< [d]
    float* halo; ///< [steps − 1, d]
    int* lists; ///< [block, s] of top_k
    std::int32_t* mask; ///< [d]

    FeedbackRows(const FeedbackLayout& layout, float* at, int* integers);

    /// With picked features from that element on.
    FeedbackRows from(std::int64_t element) const
    {
        FeedbackRows later = *this;
        later.x += element;
        later.v += element;
        later.phi += later.phi == nullptr ? 0 : element;
        return later;
    }
};

} // namespace flopsmith::cpu
