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

// Keeps of every step what its products and gates take, and takes tokens back through all steps in
// blocks.
class TokenFeedbackBackwardStage : public BackwardStage
{
public:
    TokenFeedbackBackwardStage(const TokenFeedbackFfn& ffn,
                               const StageSize& size,
                               WeightView<float> weights,
                               GradientSpans gradients)
        : m_steps(ffn, size, weights)
        , m_gradients(
              gradients.begin(),
              gradients.begin()
                  + static_cast<std::ptrdiff_t>(flopsmith::weights(ffn, size.dModel).size()))
    {
        for (int set = 0; m_sizes.packs && set < m_sizes.sets; ++set) {
            m_packed.push_back({{m_sizes.s, m_sizes.r}, {m_sizes.r, m_sizes.s}});
        }
    }

    void remember(const float* x, float* y) override { m_steps.remember(x, y); }

    void run(const float* dy, float* dx) override
    {
        for (int thread = 0; thread < m_steps.size.threads.count; ++thread) {
            std::ranges::fill(m_steps.buffers.scratch(thread).gateSums, 0.0F);
        }
        for (std::size_t set = 0; set < m_packed.size(); ++set) {
            const auto pack = [&](PackedWeight& packed, FeedbackTensor which) {
                packed.pack(m_steps.weight(which, static_cast<int>(set)),
                            Stored::transposed,
                            m_steps.size.threads);
            };
            pack(m_packed[set].up, FeedbackTensor::up);
            pack(m_packed[set].down, FeedbackTensor::down);
        }
        const auto slots = static_cast<int>(m_sizes.slots);
        onThreads({slots}, [&](int slot) {
            const Range mine = partOf(m_sizes.tokens, slots, slot);
            for (std::int64_t first = mine.first; first < mine.last; first += m_sizes.block) {
                const Range tokens{first, std::min(first + m_sizes.block, mine.last)};
                runBlock(dy, dx, {tokens, slot, first == mine.first});
            }
        });
        collect();
    }

private:
    std::span<float> gradient(FeedbackTensor which, int step) const
    {
        return m_gradients[indexOf(m_steps.ffn, which, step)];
    }

    // Tokens that go back through all steps together.
    struct Block
    {
        Range tokens;
        int slot = 0;
        bool begins = false; ///< the slot's sums

        // Of what has a row for each of them.
        std::int64_t rowOf(std::int64_t token) const { return token - tokens.first; }
    };

    template <class Visit>
    void forEachToken(const Block& block, const Visit& visit) const
    {
        m_steps.forEachToken(block.tokens, m_sizes.within(), [&](std::int64_t token, int thread) {
            visit(token, m_sizes.slots > 1 ? block.slot : thread);
        });
    }

    void runBlock(const float* dy, float* dx, const Block& block)
    {
        const std::int64_t d = m_sizes.d;
        forEachToken(block, [&](std::int64_t t, int) {
            copyAhead(dy + t * d, dx + t * d, static_cast<std::size_t>(d));
        });
        for (int group = m_sizes.groups() - 1; group >= 0; --group) {
            groupBackward(m_sizes.group(group), block, dx);
        }
        if (m_sizes.joins()) {
            weightsBackward({0, m_steps.ffn.steps}, block);
        }
        forEachToken(block, [&](std::int64_t t, int) {
            combine(dx + t * d,
                    dy + t * d,
                    dx + t * d,
                    static_cast<std::size_t>(d),
                    [](Lanes all, Lanes own) { return all - own; });
        });
    }

    // `now` is the gradient of what the steps made, and then of what they started from.
    void groupBackward(const FeedbackGroup& group, const Block& block, float* now)
    {
        for (int step = group.first; step < group.last; ++step) {
            gateGradients(step, block, now);
        }
        productsBackward(group, block);
        for (int step = group.first; step < group.last; ++step) {
            reach(step, block, now);
        }
    }

    int setOf(int step) const { return m_sizes.sets == 1 ? 0 : step; }

    FeedbackGradients gradientsOf(int step, const Block& block)
    {
        return m_steps.buffers.gradients(step, block.slot, block.tokens.size());
    }

    // dv, the gradient of what goes into the gates, and each thread's share of those of c and e.
    void gateGradients(int number, const Block& block, const float* now)
    {
        const FeedbackKept step = m_steps.buffers.kept(number);
        const FeedbackGradients to = gradientsOf(number, block);
        forEachToken(block, [&](std::int64_t t, int thread) {
            const FeedbackScratch own = m_steps.buffers.scratch(thread);
            float* const sums = own.gateSums.data() + setOf(number) * 2 * m_sizes.d;
            m_steps.picked(number, t).inRuns(
                std::array{now + t * m_sizes.d},
                std::array{sums, sums + m_sizes.d},
                own.gathered,
                [&](const auto& reaching, const auto& sum, int first, int n) {
                    const std::int64_t at = t * m_sizes.s + first;
                    const std::int64_t row = block.rowOf(t) * m_sizes.s + first;
                    gatesBackward({step.z + at, step.v + at, step.phi + at},
                                  reaching[0],
                                  to.v + row,
                                  to.gate + row,
                                  sum[0],
                                  sum[1],
                                  static_cast<std::size_t>(n));
                });
        });
    }

    struct BothBackward
    {
        LinearBackward up;
        LinearBackward down;
    };

    BothBackward backwardOf(int number, int slot)
    {
        const FeedbackWeightSums sums = slot > 0
            ? m_steps.buffers.weightSums(setOf(number), slot)
            : FeedbackWeightSums{.down = gradient(FeedbackTensor::down, number),
                                 .downBias = gradient(FeedbackTensor::downBias, number),
                                 .up = gradient(FeedbackTensor::up, number)};
        BothBackward both{
            {m_sizes.r, m_sizes.s, m_steps.weight(FeedbackTensor::up, number), sums.up},
            {m_sizes.s,
             m_sizes.r,
             m_steps.weight(FeedbackTensor::down, number),
             sums.down,
             sums.downBias}};
        both.up.computedIn(m_steps.size.precision);
        both.down.computedIn(m_steps.size.precision);
        if (!m_packed.empty()) {
            const PackedTransposed& packed = m_packed[static_cast<std::size_t>(setOf(number))];
            both.up.through(packed.up);
            both.down.through(packed.down);
        }
        return both;
    }

    void productsBackward(const FeedbackGroup& group, const Block& block)
    {
        const FeedbackKept step = m_steps.buffers.kept(group.first);
        const FeedbackGradients to = gradientsOf(group.first, block);
        const std::int64_t rows = m_sizes.rowsOf(group, block.tokens.size());
        const BothBackward both = backwardOf(group.first, block.slot);
        const float* slopes = step.slopes + block.tokens.first * m_sizes.r;
        const auto throughActivation = [&](const Slice& slice) {
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_sizes.r + slice.columns.first;
                multiplyByKept(to.u + at,
                               slopes + at,
                               to.u + at,
                               static_cast<std::size_t>(slice.columns.size()));
            }
        };
        both.up.input(to.v, to.u, rows, m_sizes.within(), Into::overwrite, throughActivation);
        both.down.input(to.u, to.x, rows, m_sizes.within());
        if (!m_sizes.joins()) {
            weightsBackward(group, block);
        }
    }

    void weightsBackward(const FeedbackGroup& group, const Block& block)
    {
        const FeedbackKept step = m_steps.buffers.kept(group.first);
        const FeedbackGradients to = gradientsOf(group.first, block);
        const BothBackward both = backwardOf(group.first, block.slot);
        const std::int64_t rows = m_sizes.rowsOf(group, block.tokens.size());
        const bool begins = block.begins && (group.last == m_steps.ffn.steps || m_sizes.sets > 1);
        const Into into = begins ? Into::overwrite : Into::accumulate;
        const std::int64_t first = block.tokens.first;
        both.up.weights(step.u + first * m_sizes.r, to.v, rows, m_sizes.within(), into);
        both.down.weights(step.x + first * m_sizes.s, to.u, rows, m_sizes.within(), into);
    }

    // What reaches the features of a token: through its own products, and through the gates that
    // look at them, its own or those of the next token.
    void reach(int number, const Block& block, float* now)
    {
        const FeedbackGradients from = gradientsOf(number, block);
        const std::array scale{m_steps.weight(FeedbackTensor::gateScale, number)};
        const auto reachFrom =
            [&](std::int64_t looking, std::int64_t t, const float* own, int thread) {
                m_steps.picked(number, looking)
                    .inRuns(scale,
                            std::array{now + t * m_sizes.d},
                            m_steps.buffers.scratch(thread).gathered,
                            [&](const auto& c, const auto& row, int at, int n) {
                                addReaching(c[0],
                                            from.gate + block.rowOf(looking) * m_sizes.s + at,
                                            own == nullptr ? nullptr : own + at,
                                            row[0],
                                            static_cast<std::size_t>(n));
                            });
            };
        forEachToken(block, [&](std::int64_t t, int thread) {
            const float* own = from.x + block.rowOf(t) * m_sizes.s;
            if (!m_sizes.previous) {
                reachFrom(t, t, own, thread);
                return;
            }
            addOwn(m_steps.picked(number, t), own, now + t * m_sizes.d, thread);
            if (t + 1 < m_sizes.tokens && !m_steps.isFirstOfSequence(t + 1)) {
                reachFrom(t + 1, t, nullptr, thread);
            }
        });
    }

    void addOwn(const PickedFeatures& features, const float* own, float* row, int thread)
    {
        features.inRuns(
            std::array<const float*, 0>{},
            std::array{row},
            m_steps.buffers.scratch(thread).gathered,
            [&](const auto& /*nothing*/, const auto& to, int at, int n) {
                combine(to[0], own + at, to[0], static_cast<std::size_t>(n), [](Lanes a, Lanes b) {
                    return a + b;
                });
            });
    }

    // The gradients of weights from the sums of all slots and threads.
    void collect()
    {
        for (int set = 0; set < m_sizes.sets; ++set) {
            for (int slot = 1; slot < m_sizes.slots; ++slot) {
                const FeedbackWeightSums sums = m_steps.buffers.weightSums(set, slot);
                addTo(gradient(FeedbackTensor::down, set), sums.down);
                addTo(gradient(FeedbackTensor::downBias, set), sums.downBias);
                addTo(gradient(FeedbackTensor::up, set), sums.up);
            }
            const std::span<float> scale = gradient(FeedbackTensor::gateScale, set);
            const std::span<float> shift = gradient(FeedbackTensor::gateShift, set);
            std::ranges::fill(scale, 0.0F);
            std::ranges::fill(shift, 0.0F);
            for (int thread = 0; thread < m_steps.size.threads.count; ++thread) {
                const std::span<float> sums = m_steps.buffers.scratch(thread).gateSums.subspan(
                    2 * scale.size() * static_cast<std::size_t>(set));
                addTo(scale, sums.first(scale.size()));
                addTo(shift, sums.subspan(scale.size(), shift.size()));
            }
        }
    }

    void addTo(std::span<float> sum, std::span<const float> share) const
    {
        const auto count = static_cast<std::int64_t>(sum.size());
        const Threads busy = worthwhile(m_steps.size.threads, count);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(count, busy.count, part, kLanes);
            combine(sum.data() + mine.first,
                    share.data() + mine.first,
                    sum.data() + mine.first,
                    static_cast<std::size_t>(mine.size()),
                    [](Lanes a, Lanes b) { return a + b; });
        });
    }

    struct PackedTransposed
    {
        PackedWeight up;
        PackedWeight down;
    };

    FeedbackSteps m_steps;
    const FeedbackSizes& m_sizes = m_steps.sizes;
    std::vector<std::span<float>> m_gradients;
    std::vector<PackedTransposed> m_packed; ///< of each set, where blocks share them
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
