// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_gates.h"
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_layout.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/select/picked_features.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

// The packed matrices of a set of weights.
struct Products
{
    Linear down;
    Linear up;
};

class TokenFeedbackStage : public Stage
{
public:
    TokenFeedbackStage(const TokenFeedbackFfn& ffn,
                       const StageSize& size,
                       WeightView<float> weights)
        : m_ffn(ffn)
        , m_size(size)
        , m_weights(weights)
        , m_layout(ffn, size)
        , m_floats(static_cast<std::size_t>(m_layout.threads * m_layout.floats()))
        , m_integers(static_cast<std::size_t>(m_layout.threads * m_layout.integers()))
    {
        for (int set = 0; set < ffn.weightSets(); ++set) {
            m_products.push_back(
                {{m_layout.s,
                  m_layout.r,
                  tensor(FeedbackTensor::down, set),
                  tensor(FeedbackTensor::downBias, set)},
                 {m_layout.r, m_layout.s, tensor(FeedbackTensor::up, set), nullptr}});
            Products& products = m_products.back();
            products.down.activatedBy(ffn.activation)
                .computedIn(size.precision)
                .packed(m_layout.rows(), size.threads);
            products.up.computedIn(size.precision).packed(m_layout.rows(), size.threads);
        }
    }

    void run(const float* x, float* y) override
    {
        const std::int64_t operations =
            m_size.tokens * m_ffn.steps * 2 * m_layout.s * (m_layout.r + 16);
        const Threads busy = worthwhile({static_cast<int>(m_layout.threads)}, operations);
        onThreads(busy, [&](int thread) {
            const Range mine = partOf(m_size.tokens, busy.count, thread);
            if (mine.size() > 0) {
                runPart(x, y, mine, scratchOf(thread));
            }
        });
    }

private:
    FeedbackRows scratchOf(int thread)
    {
        return {m_layout,
                m_floats.data() + thread * m_layout.floats(),
                m_integers.data() + thread * m_layout.integers()};
    }

    const float* tensor(FeedbackTensor which, int step) const
    {
        return m_weights[indexOf(m_ffn, which, step)].data();
    }

    const Products& productsOf(int step) const
    {
        return m_products[m_ffn.stepWeights == StepWeights::shared
                              ? 0
                              : static_cast<std::size_t>(step)];
    }

    bool isFirstOfSequence(std::int64_t token) const { return token % m_size.sequence == 0; }

    void runPart(const float* x, float* y, const Range& part, const FeedbackRows& scratch) const
    {
        if (m_layout.previous()) {
            comeToPart(x, part.first, scratch);
        }
        const std::int64_t d = m_layout.d;
        for (std::int64_t first = part.first; first < part.last; first += m_layout.block) {
            const std::int64_t last = std::min(first + m_layout.block, part.last);
            float* rows = y + first * d;
            copyAhead(x + first * d, rows, static_cast<std::size_t>((last - first) * d));
            runBlock(rows, {first, last}, scratch);
            combine(rows,
                    x + first * d,
                    rows,
                    static_cast<std::size_t>((last - first) * d),
                    [](Lanes z, Lanes before) { return z - before; });
        }
    }

    // Fills the carried rows for a part that begins inside a sequence. What a token is after t
    // steps depends on the t tokens before it: as many are computed as steps are left to be seen;
    // what they are missing themselves does not reach the part.
    void comeToPart(const float* x, std::int64_t first, const FeedbackRows& scratch) const
    {
        const std::int64_t d = m_layout.d;
        const std::int64_t start = first / m_size.sequence * m_size.sequence;
        const std::int64_t from = std::max(start, first - (m_ffn.steps - 1));
        std::fill_n(scratch.carry, m_layout.carried * d, 0.0F);
        if (from > start) {
            std::copy_n(x + (from - 1) * d, d, scratch.carry);
        }
        if (first > from) {
            std::copy(x + from * d, x + first * d, scratch.halo);
            runBlock(scratch.halo, {from, first}, scratch);
        }
    }

    // All steps on the tokens of a block, in place.
    void runBlock(float* rows, const Range& tokens, const FeedbackRows& scratch) const
    {
        const Threads inProducts = m_layout.threads == 1 ? m_size.threads : Threads{1};
        const std::int64_t n = tokens.size();
        const auto together = static_cast<int>(m_layout.together);
        for (int first = 0; first < m_ffn.steps; first += together) {
            const int last = std::min(first + together, m_ffn.steps);
            const auto own = [&](int step) {
                return scratch.from((step - first) * n * m_layout.s);
            };
            for (int step = first; step < last; ++step) {
                gatherBlock(rows, tokens, step, own(step));
            }
            const Products& products = productsOf(first);
            products.down.run(scratch.x, scratch.u, (last - first) * n, inProducts);
            products.up.run(scratch.u, scratch.v, (last - first) * n, inProducts);
            for (int step = first; step < last; ++step) {
                refineBlock(rows, n, step, own(step));
            }
        }
    }

    PickedFeatures picked(std::int64_t row, int step, const FeedbackRows& scratch) const
    {
        const int* list = m_layout.topK ? scratch.lists + row * m_layout.s : nullptr;
        return {list,
                m_ffn.windowStart(step, m_size.dModel),
                static_cast<int>(m_layout.s),
                m_size.dModel};
    }

    void gatherBlock(const float* rows,
                     const Range& tokens,
                     int step,
                     const FeedbackRows& scratch) const
    {
        const std::int64_t d = m_layout.d;
        const std::int64_t s = m_layout.s;
        float* carry = scratch.carry + step * d;
        for (std::int64_t t = 0; t < tokens.size(); ++t) {
            const float* row = rows + t * d;
            const PickedFeatures features =
                pickFeatures(m_ffn, step, m_size.dModel, row, scratch.lists + t * s, scratch.mask);
            features.gather(row, scratch.x + t * s);
            if (m_layout.previous()) {
                const float* before = isFirstOfSequence(tokens.first + t) ? scratch.zeros
                    : t == 0                                              ? carry
                                                                          : row - d;
                features.gather(before, scratch.phi + t * s);
            }
        }
        if (m_layout.previous()) {
            std::copy_n(rows + (tokens.size() - 1) * d, d, carry);
        }
    }

    // x_S + sigmoid(c_S ⊙ φ_S + e_S) ⊙ v, in the rows.
    void refineBlock(float* rows, std::int64_t tokens, int step, const FeedbackRows& scratch) const
    {
        const std::array weights{tensor(FeedbackTensor::gateScale, step),
                                 tensor(FeedbackTensor::gateShift, step)};
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float* v = scratch.v + t * m_layout.s;
            const float* phi = (m_layout.previous() ? scratch.phi : scratch.x) + t * m_layout.s;
            picked(t, step, scratch)
                .inRuns(weights,
                        std::array{rows + t * m_layout.d},
                        scratch.gathered,
                        [&](const auto& gates, const auto& row, int at, int n) {
                            refineThroughGates({gates[0], gates[1]},
                                               phi + at,
                                               v + at,
                                               row[0],
                                               static_cast<std::size_t>(n));
                        });
        }
    }

    TokenFeedbackFfn m_ffn;
    StageSize m_size;
    WeightView<float> m_weights;
    FeedbackLayout m_layout;
    std::vector<Products> m_products; ///< of each set of weights
    Buffer m_floats;
    std::vector<int> m_integers;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const TokenFeedbackFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<TokenFeedbackStage>(ffn, size, weights));
}

} // namespace flopsmith::cpu
