// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>
#include <cstdint>
#include <vector>

// What the backward pass of token feedback keeps and works in. It goes step by step over all
// tokens: [T, s] values of the picked features, [T, r] in between.
namespace flopsmith::cpu {

/// Steps [first, last) whose products are one, see stepsTogether().
struct FeedbackGroup
{
    int first;
    int last;
};

struct FeedbackSizes
{
    std::int64_t tokens;
    std::int64_t d;
    std::int64_t s; ///< picked features
    std::int64_t r; ///< rank
    std::int64_t steps;
    std::int64_t together; ///< steps of a group
    std::int64_t sets; ///< of weights
    std::int64_t threads;
    bool topK;
    bool previous; ///< gates look at the token before

    FeedbackSizes(const TokenFeedbackFfn& ffn, const StageSize& size);

    int groups() const { return static_cast<int>((steps + together - 1) / together); }
    FeedbackGroup group(int index) const
    {
        return {static_cast<int>(index * together),
                static_cast<int>(std::min((index + 1) * together, steps))};
    }
    std::int64_t rowsOf(const FeedbackGroup& group) const
    {
        return (group.last - group.first) * tokens;
    }

    /// A sum over few tokens is bound by reading and writing what it is added to: where that leaves
    /// the second-level cache, the terms of all steps are summed up at once if they share weights.
    bool joins() const;

    /// Kept for each step: x, v, z and φ of the token before; the activation's input and output.
    std::int64_t keptFloats() const { return tokens * (s * (previous ? 4 : 3) + 2 * r); }
    std::int64_t keptIntegers() const { return topK ? tokens * s : 0; }

    /// Gradients of gates and x_S for the steps of a group; those of v and of the activation for
    /// all that are joined.
    std::int64_t gradientFloats() const
    {
        return tokens * (2 * together * s + gradientSteps() * (s + r));
    }
    std::int64_t gradientSteps() const { return joins() ? steps : together; }

    /// Per thread: sums for the gradients of c and e, one row of picked c and one of what reaches
    /// the features.
    std::int64_t threadFloats() const { return 2 * d + 2 * s; }
    std::int64_t threadIntegers() const { return topK ? s + d : 0; }

    std::int64_t floats() const
    {
        return steps * keptFloats() + gradientFloats() + threads * threadFloats();
    }
    std::int64_t integers() const { return steps * keptIntegers() + threads * threadIntegers(); }
};

/// What one step keeps; what the next one does lies behind it.
struct FeedbackKept
{
    float* x;
    float* v;
    float* z;
    float* phi; ///< x itself, or the features of the token before
    float* before; ///< the activation
    float* u; ///< after it
    int* lists; ///< [T, s], top_k only
};

/// Gradients of one step, of all tokens; those of the other steps of its group lie before and behind.
struct FeedbackGradients
{
    float* gate; ///< of c_S ⊙ φ_S + e_S, [T, s]
    float* v; ///< [T, s]
    float* x; ///< [T, s]
    float* u; ///< [T, r]
};

/// Of one thread.
struct FeedbackScratch
{
    float* scaleSum; ///< [d]
    float* shiftSum; ///< [d]
    float* scale; ///< [s]
    float* reaching; ///< [s]
    int* list; ///< [s]
    std::int32_t* mask; ///< [d]
};

class FeedbackBuffers
{
public:
    explicit FeedbackBuffers(const FeedbackSizes& sizes)
        : m_sizes(sizes)
        , m_floats(static_cast<std::size_t>(sizes.floats()))
        , m_integers(static_cast<std::size_t>(sizes.integers()))
    {}

    FeedbackKept kept(int step);
    FeedbackGradients gradients(int step);
    FeedbackScratch scratch(int thread);

    std::size_t bytes() const { return m_floats.bytes() + m_integers.size() * sizeof(int); }

private:
    FeedbackSizes m_sizes;
    Buffer m_floats;
    std::vector<int> m_integers;
};

} // namespace flopsmith::cpu
