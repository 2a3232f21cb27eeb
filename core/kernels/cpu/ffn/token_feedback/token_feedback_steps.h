// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/token_feedback.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/select/picked_features.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/weights.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// The steps of token feedback on a block of tokens, as inference and training run them.
namespace flopsmith::cpu {

/// Steps [first, last) whose products are joined, see stepsTogether().
struct FeedbackGroup
{
    int first;
    int last;

    int size() const { return last - first; }
};

/// Sizes, in the letters of core/ffn/token_feedback.h.
struct FeedbackShape
{
    std::int64_t tokens;
    std::int64_t d;
    std::int64_t s; ///< picked features
    std::int64_t r; ///< rank
    int steps;
    int together; ///< steps of a group
    bool topK;
    bool previous; ///< gates look at the previous token

    FeedbackShape(const TokenFeedbackFfn& ffn, const StageSize& size)
        : tokens(size.tokens)
        , d(size.dModel)
        , s(ffn.keptFeatures(size.dModel))
        , r(ffn.rank)
        , steps(ffn.steps)
        , together(stepsTogether(ffn, size.tokens, size.dModel))
        , topK(ffn.window == FeatureWindow::topK)
        , previous(ffn.feedback == Feedback::previousToken)
    {}

    int groups() const { return (steps + together - 1) / together; }
    FeedbackGroup group(int index) const
    {
        return {index * together, std::min((index + 1) * together, steps)};
    }

    /// Whether both matrices take at most half of a second-level cache of 2 MiB, or more than it.
    bool smallMatrices() const { return 2 * s * r <= kCache / 2; }
    bool largeMatrices() const { return 2 * s * r > kCache; }

private:
    static constexpr std::int64_t kCache = (2 << 20) / sizeof(float);
};

/// A row of values for each token of a block, for one step after the other. If fewer steps are
/// stored than executed, later ones overwrite the first.
template <class T>
class StepRows
{
public:
    StepRows(int steps, std::int64_t tokens, std::int64_t width)
        : m_steps(steps)
        , m_width(width)
        , m_values(bufferSize(steps * tokens, width))
    {}

    bool empty() const { return m_values.empty(); }

    /// Of a step, from token `first` on, if the block has so many tokens; null if empty.
    T* of(int step, std::int64_t tokens, std::int64_t first = 0)
    {
        if (empty()) {
            return nullptr;
        }
        return m_values.data() + (step % m_steps * tokens + first) * m_width;
    }

private:
    int m_steps;
    std::int64_t m_width;
    LedgerVector<T> m_values;
};

enum class FeedbackPass { inference, training };

/// A thread's scratch for the features that top_k picks; empty without it.
struct PickScratch
{
    Buffer gathered; ///< [3, s]
    LedgerVector<std::int32_t> mask; ///< [d]

    explicit PickScratch(const FeedbackShape& shape)
        : gathered(bufferSize(shape.topK ? 3 : 0, shape.s))
        , mask(static_cast<std::size_t>(shape.topK ? shape.d : 0))
    {}
};

/// The results of the steps for a block of tokens.
struct FeedbackBuffers
{
    StepRows<float> x; ///< [·, s] picked features
    StepRows<float> previous; ///< [·, s] features of the previous token, if gates read it
    StepRows<float> u; ///< [·, r] between the products
    StepRows<float> v; ///< [·, s] after both
    StepRows<float> z; ///< [·, s] the gates; training only
    StepRows<float> slopes; ///< [·, r] of the activation; training only
    StepRows<int> lists; ///< [·, s] indices of the picked features; top_k only
    Buffer carry; ///< [steps, d] the token before the block before each step; inference only
    std::vector<PickScratch> picking; ///< of each thread that takes tokens of the block

    /// For blocks of at most `tokens`, which so many threads share; `steps` are held.
    FeedbackBuffers(const FeedbackShape& shape,
                    FeedbackPass pass,
                    std::int64_t tokens,
                    int steps,
                    Threads threads);

    /// The input of the gates.
    StepRows<float>& phi() { return previous.empty() ? x : previous; }

    Threads threads() const { return {static_cast<int>(picking.size())}; }
    float* gathered(int thread)
    {
        return picking[static_cast<std::size_t>(thread)].gathered.data();
    }
};

/// The two matrices of a set of weights, in the form that a pass multiplies by.
template <class Matrix>
struct DownAndUp
{
    Matrix down;
    Matrix up;
};

class FeedbackSteps
{
public:
    /// `weights` are borrowed.
    FeedbackSteps(const TokenFeedbackFfn& spec, const StageSize& at, WeightView<float> weights);

    /// For inference: copies the matrices for products with so many rows, and lets the first
    /// product apply the activation.
    void pack(std::int64_t rows);

    /// All steps on the features [tokens, d] of a block, in place. Gathering and gates are shared
    /// out to buffers.threads().
    void run(float* features,
             const Range& tokens,
             FeedbackBuffers& buffers,
             Threads inProducts) const;

    const float* weight(FeedbackTensor which, int step) const
    {
        return m_weights[indexOf(ffn, which, step)].data();
    }

    /// The set of weights of a step.
    std::size_t setOf(int step) const
    {
        return ffn.stepWeights == StepWeights::shared ? 0 : static_cast<std::size_t>(step);
    }

    bool isFirstOfSequence(std::int64_t token) const { return token % size.sequence == 0; }

    /// The step's picked features for token i of a block, with the step's lists.
    PickedFeatures picked(int step, int* lists, std::int64_t i) const
    {
        return {shape.topK ? lists + i * shape.s : nullptr,
                ffn.windowStart(step, size.dModel),
                static_cast<int>(shape.s),
                size.dModel};
    }

    /// visit(i, thread) for every i of [0, tokens).
    template <class Visit>
    void forEachToken(std::int64_t tokens, Threads threads, const Visit& visit) const
    {
        const Threads busy = threadsFor(threads, tokens * shape.s * 16);
        onThreads(busy, [&](int thread) {
            const Range mine = partOf(tokens, busy.count, thread);
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                visit(i, thread);
            }
        });
    }

    const TokenFeedbackFfn ffn;
    const StageSize size;
    const FeedbackShape shape;

private:
    void pick(int step, const float* features, const Range& tokens, FeedbackBuffers& buffers) const;
    void multiply(const FeedbackGroup& group,
                  std::int64_t tokens,
                  FeedbackBuffers& buffers,
                  Threads threads) const;
    void refine(int step, float* features, std::int64_t tokens, FeedbackBuffers& buffers) const;

    WeightView<float> m_weights;
    std::vector<DownAndUp<Linear>> m_matrices; ///< of each set of weights
};

} // namespace flopsmith::cpu
