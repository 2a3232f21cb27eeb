// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_gates.h"
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_steps.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>
#include <array>
#include <span>

namespace flopsmith::cpu {
namespace {

// Whether each thread takes tokens of its own back through all steps in blocks: the matrices and
// the thread's sums stay in the cache meanwhile. Where gates look at the previous token, a step
// needs the next token's gradient first; groups of steps have few tokens anyway.
bool takesBlocks(const FeedbackShape& shape, Threads threads)
{
    constexpr std::int64_t kMinTokens = 32; // per thread: fewer do not pay for sums of its own
    return !shape.previous && shape.together == 1 && shape.smallMatrices()
        && shape.tokens >= kMinTokens * threads.count;
}

// A sum over few tokens is bound by reading and writing the sum: where that exceeds the
// second-level cache, the terms of all steps are added at once if they share weights.
bool joinsSteps(const TokenFeedbackFfn& ffn, const FeedbackShape& shape)
{
    constexpr std::int64_t kMaxTokens = 256;
    return ffn.weightSets() == 1 && shape.tokens <= kMaxTokens && shape.largeMatrices();
}

void addToSum(const float* row, float* sum, std::size_t count)
{
    combine(sum, row, sum, count, [](Lanes a, Lanes b) { return a + b; });
}

// How the tokens are divided.
struct BackwardPlan
{
    bool inBlocks;
    bool joins; // the sums over all steps
    int slots; // threads that take tokens of their own; 1: all threads share them
    std::int64_t block; // tokens that stay in the cache backward through all steps

    BackwardPlan(const TokenFeedbackFfn& ffn, const FeedbackShape& shape, Threads threads)
        : inBlocks(takesBlocks(shape, threads))
        , joins(joinsSteps(ffn, shape))
        , slots(inBlocks ? threads.count : 1)
        , block(inBlocks ? std::min(std::int64_t{96}, shape.tokens / slots) : shape.tokens)
    {}
};

// Gradients of the rows of a slot's block: gate and x for a group's steps, v and u for all steps
// whose terms are added together.
struct FeedbackGradients
{
    StepRows<float> gate; // of c_S ⊙ φ_S + e_S, [·, s]
    StepRows<float> x; // [·, s]
    StepRows<float> v; // [·, s]
    StepRows<float> u; // [·, r]

    FeedbackGradients(const FeedbackShape& shape, const BackwardPlan& plan)
        : gate(shape.together, plan.block, shape.s)
        , x(shape.together, plan.block, shape.s)
        , v(plan.joins ? shape.steps : shape.together, plan.block, shape.s)
        , u(plan.joins ? shape.steps : shape.together, plan.block, shape.r)
    {}
};

// Saves the inputs of every step's products and gates, and goes backward through all steps in
// blocks of tokens.
class TokenFeedbackBackwardStage : public BackwardStage
{
public:
    TokenFeedbackBackwardStage(const TokenFeedbackFfn& ffn,
                               const StageSize& size,
                               WeightView<float> weights,
                               GradientSpans gradients)
        : m_steps(ffn, size, weights)
        , m_plan(ffn, m_shape, size.threads)
        , m_within{size.threads.count / m_plan.slots}
        , m_saved(m_shape, FeedbackPass::training, size.tokens, ffn.steps, size.threads)
    {
        for (int slot = 0; slot < m_plan.slots; ++slot) {
            m_slots.emplace_back(m_shape, m_plan);
        }
        const auto tensors = static_cast<std::size_t>(ffn.weightSets() * kFeedbackTensors);
        allocateSums(gradients.first(tensors));
        const bool packs = m_plan.inBlocks && size.precision == Precision::float32;
        for (int set = 0; packs && set < ffn.weightSets(); ++set) {
            m_packed.push_back({.down = {m_shape.r, m_shape.s}, .up = {m_shape.s, m_shape.r}});
        }
    }

    void save(const float* x, float* y) override
    {
        const auto elements = static_cast<std::size_t>(m_steps.size.activations());
        std::copy_n(x, elements, y);
        m_steps.run(y, {0, m_shape.tokens}, m_saved, m_steps.size.threads);
        combine(y, x, y, elements, [](Lanes after, Lanes before) { return after - before; });
    }

    void run(const float* dy, float* dx) override
    {
        clearGateSums();
        packMatrices();
        onThreads({m_plan.slots}, [&](int slot) {
            const Range mine = partOf(m_shape.tokens, m_plan.slots, slot);
            for (std::int64_t first = mine.first; first < mine.last; first += m_plan.block) {
                const Range tokens{first, std::min(first + m_plan.block, mine.last)};
                const std::int64_t at = first * m_shape.d;
                runBlock(dy + at, dx + at, {tokens, slot, first == mine.first});
            }
        });
        addUpSums();
    }

private:
    // Tokens that go backward through all steps together. Pointers and rows are those of the first
    // one.
    struct Block
    {
        Range tokens;
        int slot = 0;
        bool begins = false; // the slot's sums
    };

    // The first thread adds to the gradients themselves. The others have sums of their own: for the
    // gates, and for the matrices if they are slots.
    void allocateSums(GradientSpans gradients)
    {
        m_sums.emplace_back(gradients.begin(), gradients.end());
        for (int thread = 1; thread < m_steps.size.threads.count; ++thread) {
            std::vector<std::span<float>>& sums = m_sums.emplace_back();
            for (std::size_t tensor = 0; tensor < gradients.size(); ++tensor) {
                const auto which = static_cast<FeedbackTensor>(tensor % kFeedbackTensors);
                const bool ofGates = which >= FeedbackTensor::gateScale;
                Buffer& own = m_ownSums.emplace_back(
                    ofGates || m_plan.slots > 1 ? gradients[tensor].size() : 0);
                sums.emplace_back(own.data(), own.size());
            }
        }
    }

    std::span<float> sum(FeedbackTensor which, int step, int thread) const
    {
        return m_sums[static_cast<std::size_t>(thread)][indexOf(m_steps.ffn, which, step)];
    }

    void clearGateSums()
    {
        for (int thread = 0; thread < m_steps.size.threads.count; ++thread) {
            for (int set = 0; set < m_steps.ffn.weightSets(); ++set) {
                std::ranges::fill(sum(FeedbackTensor::gateScale, set, thread), 0.0F);
                std::ranges::fill(sum(FeedbackTensor::gateShift, set, thread), 0.0F);
            }
        }
    }

    void packMatrices()
    {
        for (int set = 0; set < static_cast<int>(m_packed.size()); ++set) {
            const auto pack = [&](PackedWeight& packed, FeedbackTensor which) {
                packed.pack(m_steps.weight(which, set), Stored::transposed, m_steps.size.threads);
            };
            pack(m_packed[static_cast<std::size_t>(set)].up, FeedbackTensor::up);
            pack(m_packed[static_cast<std::size_t>(set)].down, FeedbackTensor::down);
        }
    }

    // visit(i, thread) for the i-th token of the block.
    template <class Visit>
    void forEachToken(const Block& block, const Visit& visit) const
    {
        m_steps.forEachToken(block.tokens.size(), m_within, [&](std::int64_t i, int thread) {
            visit(i, m_plan.slots > 1 ? block.slot : thread);
        });
    }

    void runBlock(const float* dy, float* dx, const Block& block)
    {
        const std::int64_t d = m_shape.d;
        const auto width = static_cast<std::size_t>(d);
        forEachToken(block,
                     [&](std::int64_t i, int) { copyWithPrefetch(dy + i * d, dx + i * d, width); });
        for (int group = m_shape.groups() - 1; group >= 0; --group) {
            groupBackward(m_shape.group(group), block, dx);
        }
        if (m_plan.joins) {
            weightsBackward({0, m_shape.steps}, block);
        }
        forEachToken(block, [&](std::int64_t i, int) {
            float* row = dx + i * d;
            combine(row, dy + i * d, row, width, [](Lanes all, Lanes own) { return all - own; });
        });
    }

    // dx: the contribution of the steps, then that of their start.
    void groupBackward(const FeedbackGroup& group, const Block& block, float* dx)
    {
        for (int step = group.first; step < group.last; ++step) {
            gateGradients(step, block, dx);
        }
        productsBackward(group, block);
        if (!m_plan.joins) {
            weightsBackward(group, block);
        }
        for (int step = group.first; step < group.last; ++step) {
            featureGradients(step, block, dx);
        }
    }

    FeedbackGradients& gradients(const Block& block)
    {
        return m_slots[static_cast<std::size_t>(block.slot)];
    }

    // Of all tokens the rows from the block's first one on.
    template <class T>
    T* saved(StepRows<T>& rows, int step, const Block& block) const
    {
        return rows.of(step, m_shape.tokens, block.tokens.first);
    }

    // dv and dGate, and the sums for the gradients of c and e.
    void gateGradients(int step, const Block& block, const float* dx)
    {
        int* const lists = saved(m_saved.lists, step, block);
        const SavedGates all{.z = saved(m_saved.z, step, block),
                             .v = saved(m_saved.v, step, block),
                             .phi = saved(m_saved.phi(), step, block)};
        float* const dv = gradients(block).v.of(step, block.tokens.size());
        float* const dGate = gradients(block).gate.of(step, block.tokens.size());
        forEachToken(block, [&](std::int64_t i, int thread) {
            const std::array gateSums{sum(FeedbackTensor::gateScale, step, thread).data(),
                                      sum(FeedbackTensor::gateShift, step, thread).data()};
            const auto visit = [&](const auto& gradient, const auto& sums, int first, int n) {
                const std::int64_t j = i * m_shape.s + first;
                const auto count = static_cast<std::size_t>(n);
                const SavedGates gates{all.z + j, all.v + j, all.phi + j};
                gatesBackward(gates, gradient[0], dv + j, dGate + j, sums[0], sums[1], count);
            };
            m_steps.picked(step, lists, i)
                .inRuns(std::array{dx + i * m_shape.d}, gateSums, m_saved.gathered(thread), visit);
        });
    }

    DownAndUp<LinearBackward> matricesOf(int step, int slot) const
    {
        const auto to = [&](FeedbackTensor which) { return sum(which, step, slot); };
        const float* down = m_steps.weight(FeedbackTensor::down, step);
        const float* up = m_steps.weight(FeedbackTensor::up, step);
        DownAndUp<LinearBackward> both{
            {m_shape.s, m_shape.r, down, to(FeedbackTensor::down), to(FeedbackTensor::downBias)},
            {m_shape.r, m_shape.s, up, to(FeedbackTensor::up)}};
        both.down.computedIn(m_steps.size.precision);
        both.up.computedIn(m_steps.size.precision);
        if (!m_packed.empty()) {
            both.down.through(m_packed[m_steps.setOf(step)].down);
            both.up.through(m_packed[m_steps.setOf(step)].up);
        }
        return both;
    }

    // From dv the gradient of the activation's input, in the rows of u, and the gradient of x.
    void productsBackward(const FeedbackGroup& group, const Block& block)
    {
        const std::int64_t tokens = block.tokens.size();
        const std::int64_t rows = group.size() * tokens;
        const DownAndUp<LinearBackward> matrices = matricesOf(group.first, block.slot);
        const float* slopes = saved(m_saved.slopes, group.first, block);
        float* const du = gradients(block).u.of(group.first, tokens);
        const auto throughActivation = [&](const Slice& slice) {
            const auto columns = static_cast<std::size_t>(slice.columns.size());
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_shape.r + slice.columns.first;
                multiplyBySaved(du + at, slopes + at, du + at, columns);
            }
        };
        const float* dv = gradients(block).v.of(group.first, tokens);
        matrices.up.input(dv, du, rows, m_within, Into::overwrite, throughActivation);
        matrices.down.input(du, gradients(block).x.of(group.first, tokens), rows, m_within);
    }

    void weightsBackward(const FeedbackGroup& group, const Block& block)
    {
        const std::int64_t tokens = block.tokens.size();
        const std::int64_t rows = group.size() * tokens;
        const DownAndUp<LinearBackward> matrices = matricesOf(group.first, block.slot);
        const bool isFirstOfSum = group.last == m_shape.steps || m_steps.ffn.weightSets() > 1;
        const Into into = block.begins && isFirstOfSum ? Into::overwrite : Into::accumulate;
        const float* dv = gradients(block).v.of(group.first, tokens);
        const float* du = gradients(block).u.of(group.first, tokens);
        matrices.up.weights(saved(m_saved.u, group.first, block), dv, rows, m_within, into);
        matrices.down.weights(saved(m_saved.x, group.first, block), du, rows, m_within, into);
    }

    // Adds the gradients of a token's features through its products, and through the gates that
    // read them: its own or the next token's.
    void featureGradients(int step, const Block& block, float* dx)
    {
        const std::int64_t tokens = block.tokens.size();
        int* const lists = saved(m_saved.lists, step, block);
        const float* own = gradients(block).x.of(step, tokens);
        const float* dGate = gradients(block).gate.of(step, tokens);
        const std::array c{m_steps.weight(FeedbackTensor::gateScale, step)};
        // Adds one gradient or both to token i, for the features that token `from` has picked.
        const auto add =
            [&](std::int64_t i, std::int64_t from, const float* x, const float* gate, int thread) {
                const auto visit = [&](const auto& scale, const auto& row, int first, int n) {
                    const auto count = static_cast<std::size_t>(n);
                    if (gate == nullptr) {
                        addToSum(x + first, row[0], count);
                    } else {
                        const float* ownX = x == nullptr ? nullptr : x + first;
                        addGradientOfPhi(scale[0], gate + first, ownX, row[0], count);
                    }
                };
                m_steps.picked(step, lists, from)
                    .inRuns(c, std::array{dx + i * m_shape.d}, m_saved.gathered(thread), visit);
            };
        forEachToken(block, [&](std::int64_t i, int thread) {
            const float* gate = dGate + i * m_shape.s;
            add(i, i, own + i * m_shape.s, m_shape.previous ? nullptr : gate, thread);
            const bool isSeen = m_shape.previous && i + 1 < tokens
                && !m_steps.isFirstOfSequence(block.tokens.first + i + 1);
            if (isSeen) {
                add(i, i + 1, nullptr, gate + m_shape.s, thread);
            }
        });
    }

    // Adds the other threads' sums to the gradients, in the order of the threads.
    void addUpSums()
    {
        for (std::size_t tensor = 0; tensor < m_sums[0].size(); ++tensor) {
            for (std::size_t thread = 1; thread < m_sums.size(); ++thread) {
                addTo(m_sums[0][tensor], m_sums[thread][tensor]);
            }
        }
    }

    void addTo(std::span<float> sum, std::span<const float> share) const
    {
        const auto count = static_cast<std::int64_t>(share.size());
        const Threads busy = threadsFor(m_steps.size.threads, count);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(count, busy.count, part, kLanes);
            addToSum(share.data() + mine.first,
                     sum.data() + mine.first,
                     static_cast<std::size_t>(mine.size()));
        });
    }

    FeedbackSteps m_steps;
    const FeedbackShape& m_shape = m_steps.shape;
    BackwardPlan m_plan;
    Threads m_within; ///< of one slot
    FeedbackBuffers m_saved;
    std::vector<FeedbackGradients> m_slots;
    std::vector<std::vector<std::span<float>>> m_sums; ///< of each thread, for each tensor
    std::vector<Buffer> m_ownSums; ///< of all threads but the first
    std::vector<DownAndUp<PackedWeight>> m_packed; ///< of each set: transposed, shared by blocks
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const TokenFeedbackFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<TokenFeedbackBackwardStage>(ffn, size, weights, gradients));
}

} // namespace flopsmith::cpu
