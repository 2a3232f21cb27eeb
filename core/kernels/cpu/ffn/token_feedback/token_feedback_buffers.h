// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

// What the backward pass of token feedback keeps and works in: of all tokens and each step the
// values of the picked features [T, s] and of what lies between the products [T, r]; of the tokens
// at work the gradients of these.
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
    std::int64_t slots; ///< threads that take tokens of their own; 1: all work on the same
    bool packs; ///< transposed matrices, once for all blocks and steps
    std::int64_t block; ///< tokens that go back through all steps while they are in the cache

    FeedbackSizes(const TokenFeedbackFfn& ffn, const StageSize& size);

    /// Threads that one block is shared out to.
    Threads within() const { return {static_cast<int>(threads / slots)}; }

    int groups() const { return static_cast<int>((steps + together - 1) / together); }
    FeedbackGroup group(int index) const
    {
        return {static_cast<int>(index * together),
                static_cast<int>(std::min((index + 1) * together, steps))};
    }
    /// Of the operands of a group's product over so many tokens.
    std::int64_t rowsOf(const FeedbackGroup& group, std::int64_t tokensAtOnce) const
    {
        return (group.last - group.first) * tokensAtOnce;
    }

    /// A sum over few tokens is bound by reading and writing what it is added to: where that leaves
    /// the second-level cache, the terms of all steps are summed up at once if they share weights.
    bool joins() const;

    /// Kept for each step: x, v, z and φ of the token before; the activation's slope and output.
    std::int64_t keptFloats() const { return tokens * (s * (previous ? 4 : 3) + 2 * r); }
    std::int64_t keptIntegers() const { return topK ? tokens * s : 0; }

    /// Per slot, gradients of gates and x_S for the steps of a group; those of v and of the
    /// activation for all that are joined.
    std::int64_t gradientFloats() const
    {
        return block * (2 * together * s + gradientSteps() * (s + r));
    }
    std::int64_t gradientSteps() const { return joins() ? steps : together; }

    /// Sums for the gradients of a set's products: of every slot but the first, which adds to these
    /// gradients themselves.
    std::int64_t weightFloats() const { return 2 * s * r + r; }

    /// Per thread: sums for the gradients of c and e of all sets, and rows of picked features.
    std::int64_t threadFloats() const { return 2 * sets * d + 3 * s; }
    std::int64_t threadIntegers() const { return topK ? s + d : 0; }

    std::int64_t floats() const
    {
        return steps * keptFloats() + slots * gradientFloats() + (slots - 1) * sets * weightFloats()
            + threads * threadFloats();
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
    float* slopes; ///< of the activation
    float* u; ///< after it
    int* lists; ///< [T, s], top_k only
};

/// Gradients of one step, of a block of tokens; those of the other steps of its group lie before
/// and behind.
struct FeedbackGradients
{
    float* gate; ///< of c_S ⊙ φ_S + e_S, [block, s]
    float* v; ///< [block, s]
    float* x; ///< [block, s]
    float* u; ///< [block, r]
};

/// Sums for the gradients of one set's products.
struct FeedbackWeightSums
{
    std::span<float> down;
    std::span<float> downBias;
    std::span<float> up;
};

/// Of one thread.
struct FeedbackScratch
{
    std::span<float> gateSums; ///< of each set [d] for c, then [d] for e
    float* gathered; ///< [3, s]
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
    /// Of a slot's block of so many tokens.
    FeedbackGradients gradients(int step, int slot, std::int64_t tokens);
    /// Of any slot but the first.
    FeedbackWeightSums weightSums(int set, int slot);
    FeedbackScratch scratch(int thread);

private:
    FeedbackSizes m_sizes;
    Buffer m_floats;
    std::vector<int> m_integers;
};

} // namespace flopsmith::cpu
