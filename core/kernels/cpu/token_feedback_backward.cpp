// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/picked_features.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

struct Sizes
{
    std::int64_t tokens;
    std::int64_t d;
    std::int64_t s;
    std::int64_t r;
    std::int64_t steps;
    std::int64_t sets;
    std::int64_t threads;
    bool topK;
    bool previous;

    Sizes(const TokenFeedbackFfn& ffn, const StageSize& size)
        : tokens(size.tokens)
        , d(size.dModel)
        , s(ffn.keptFeatures(size.dModel))
        , r(ffn.rank)
        , steps(ffn.steps)
        , sets(ffn.weightSets())
        , threads(size.threads.count)
        , topK(ffn.window == FeatureWindow::topK)
        , previous(ffn.feedback == Feedback::previousToken)
    {}

    // A sum over few tokens is bound by reading and writing what it is added to: where that leaves
    // the second-level cache, the terms of all steps are summed up at once if they share weights.
    bool joins() const
    {
        constexpr std::int64_t kMostTokens = 256;
        constexpr std::int64_t kLarge = (2 << 20) / sizeof(float);
        return sets == 1 && tokens <= kMostTokens && 2 * s * r > kLarge;
    }

    // Kept for each step: x, v, z and φ of the token before; the activation's input and output.
    std::int64_t keptFloats() const { return tokens * (s * (previous ? 4 : 3) + 2 * r); }
    std::int64_t keptIntegers() const { return topK ? tokens * s : 0; }

    // Gradients of gates and x_S; those of v and of the activation for each step that is joined.
    std::int64_t gradientFloats() const
    {
        return tokens * (2 * s + (joins() ? steps : 1) * (s + r));
    }

    // Per thread: sums for the gradients of c and e, one row of picked c and one of what reaches
    // the features.
    std::int64_t threadFloats() const { return 2 * d + 2 * s; }
    std::int64_t threadIntegers() const { return topK ? s + d : 0; }

    std::int64_t floats() const
    {
        return steps * keptFloats() + gradientFloats() + threads * threadFloats();
    }
    std::int64_t integers() const { return steps * keptIntegers() + threads * threadIntegers(); }
};

// Works step by step on all tokens: [T, s] values of the picked features, [T, r] in between.
class TokenFeedbackBackwardStage : public BackwardStage
{
public:
    TokenFeedbackBackwardStage(const TokenFeedbackFfn& ffn,
                               const StageSize& size,
                               WeightView<float> weights,
                               GradientSpans gradients)
        : m_ffn(ffn)
        , m_size(size)
        , m_sizes(ffn, size)
        , m_weights(weights)
        , m_gradients(
              gradients.begin(),
              gradients.begin()
                  + static_cast<std::ptrdiff_t>(flopsmith::weights(ffn, size.dModel).size()))
        , m_floats(static_cast<std::size_t>(m_sizes.floats()))
        , m_integers(static_cast<std::size_t>(m_sizes.integers()))
    {}

    void remember(const float* x, float* y) override
    {
        const auto elements = static_cast<std::size_t>(m_size.activations());
        std::copy_n(x, elements, y);
        for (int step = 0; step < m_ffn.steps; ++step) {
            rememberStep(step, y);
        }
        combine(y, x, y, elements, [](Lanes after, Lanes before) { return after - before; });
    }

    void run(const float* dy, float* dx) override
    {
        const auto elements = static_cast<std::size_t>(m_size.activations());
        for (int set = 0; set < m_ffn.weightSets(); ++set) {
            for (const FeedbackTensor which :
                 {FeedbackTensor::gateScale, FeedbackTensor::gateShift}) {
                const std::span<float> sum = gradient(which, set);
                std::fill(sum.begin(), sum.end(), 0.0F);
            }
        }
        std::copy_n(dy, elements, dx); // the gradient of what the last step made
        for (int step = m_ffn.steps - 1; step >= 0; --step) {
            stepBackward(step, dx);
        }
        if (m_sizes.joins()) {
            weightsBackward(0, m_sizes.steps * m_sizes.tokens);
        }
        combine(dx, dy, dx, elements, [](Lanes all, Lanes own) { return all - own; });
    }

    std::size_t workspaceBytes() const override
    {
        return m_floats.bytes() + m_integers.size() * sizeof(int)
            + m_gradients.capacity() * sizeof(std::span<float>);
    }

private:
    // What one step keeps.
    struct Kept
    {
        float* x;
        float* v;
        float* z;
        float* phi; ///< x itself, or the features of the token before
        float* before; ///< the activation
        float* u; ///< after it
        int* lists; ///< [T, s], top_k only
    };

    struct Gradients
    {
        float* gate; ///< of c_S ⊙ φ_S + e_S, [T, s]
        float* v; ///< [T, s]
        float* x; ///< [T, s]
        float* u; ///< [T, r]
    };

    struct ThreadScratch
    {
        float* scaleSum; ///< [d]
        float* shiftSum; ///< [d]
        float* scale; ///< [s]
        float* reaching; ///< [s]
        int* list; ///< [s]
        std::int32_t* mask; ///< [d]
    };

    Kept kept(int step)
    {
        float* at = m_floats.data();
        const auto take = [&](std::int64_t width) { // all steps' rows lie behind one another
            float* const here = at + step * m_sizes.tokens * width;
            at += m_sizes.steps * m_sizes.tokens * width;
            return here;
        };
        Kept kept{};
        kept.x = take(m_sizes.s);
        kept.v = take(m_sizes.s);
        kept.z = take(m_sizes.s);
        kept.phi = m_sizes.previous ? take(m_sizes.s) : kept.x;
        kept.before = take(m_sizes.r);
        kept.u = take(m_sizes.r);
        kept.lists = m_integers.data() + step * m_sizes.keptIntegers();
        return kept;
    }

    Gradients gradients(int step)
    {
        const std::int64_t n = m_sizes.tokens * m_sizes.s;
        const std::int64_t all = m_sizes.joins() ? m_sizes.steps : 1;
        const std::int64_t mine = m_sizes.joins() ? step : 0;
        float* at = m_floats.data() + m_sizes.steps * m_sizes.keptFloats();
        return {.gate = at,
                .v = at + (2 + mine) * n,
                .x = at + n,
                .u = at + (2 + all) * n + mine * m_sizes.tokens * m_sizes.r};
    }

    ThreadScratch scratch(int thread)
    {
        float* at = m_floats.data() + m_sizes.steps * m_sizes.keptFloats()
            + m_sizes.gradientFloats() + thread * m_sizes.threadFloats();
        int* integers = m_integers.data() + m_sizes.steps * m_sizes.keptIntegers()
            + thread * m_sizes.threadIntegers();
        return {.scaleSum = at,
                .shiftSum = at + m_sizes.d,
                .scale = at + 2 * m_sizes.d,
                .reaching = at + 2 * m_sizes.d + m_sizes.s,
                .list = integers,
                .mask = integers + m_sizes.s};
    }

    const float* weight(FeedbackTensor which, int step) const
    {
        return m_weights[indexOf(m_ffn, which, step)].data();
    }

    std::span<float> gradient(FeedbackTensor which, int step) const
    {
        return m_gradients[indexOf(m_ffn, which, step)];
    }

    bool isFirstOfSequence(std::int64_t token) const { return token % m_size.sequence == 0; }

    PickedFeatures picked(const Kept& step, int number, std::int64_t token) const
    {
        return {m_sizes.topK ? step.lists + token * m_sizes.s : nullptr,
                m_ffn.windowStart(number, m_size.dModel),
                static_cast<int>(m_sizes.s),
                m_size.dModel};
    }

    // visit(token, thread) for all tokens; the same tokens on the same thread every time.
    template <class Visit>
    void forEachToken(const Visit& visit) const
    {
        const Threads busy = worthwhile(m_size.threads, m_sizes.tokens * m_sizes.s * 16);
        onThreads(busy, [&](int thread) {
            const Range mine = partOf(m_sizes.tokens, busy.count, thread);
            for (std::int64_t token = mine.first; token < mine.last; ++token) {
                visit(token, thread);
            }
        });
    }

    void rememberStep(int number, float* now)
    {
        const Kept step = kept(number);
        const std::int64_t d = m_sizes.d;
        const std::int64_t s = m_sizes.s;
        forEachToken([&](std::int64_t t, int thread) {
            const ThreadScratch own = scratch(thread);
            const PickedFeatures features =
                pickFeatures(m_ffn, number, m_size.dModel, now + t * d, own.list, own.mask);
            if (m_sizes.topK) {
                std::copy_n(features.list, s, step.lists + t * s);
            }
            features.gather(now + t * d, step.x + t * s);
            if (m_sizes.previous && isFirstOfSequence(t)) {
                std::fill_n(step.phi + t * s, s, 0.0F);
            } else if (m_sizes.previous) {
                features.gather(now + (t - 1) * d, step.phi + t * s);
            }
        });
        products(number, step);
        forEachToken([&](std::int64_t t, int thread) {
            const ThreadScratch own = scratch(thread);
            const PickedFeatures features = picked(step, number, t);
            const std::int64_t at = t * s;
            openGates(number, features, step.phi + at, own, step.z + at);
            combine(step.z + at, step.v + at, own.reaching, count(), [](Lanes z, Lanes v) {
                return z * v;
            });
            features.scatterAdd(own.reaching, now + t * d);
        });
    }

    std::size_t count() const { return static_cast<std::size_t>(m_sizes.s); }

    void products(int number, const Kept& step) const
    {
        Linear down(m_sizes.s,
                    m_sizes.r,
                    weight(FeedbackTensor::down, number),
                    weight(FeedbackTensor::downBias, number));
        Linear up(m_sizes.r, m_sizes.s, weight(FeedbackTensor::up, number), nullptr);
        down.computedIn(m_size.precision);
        up.computedIn(m_size.precision);
        const std::int64_t inner = m_sizes.tokens * m_sizes.r;
        down.run(step.x, step.before, m_sizes.tokens, m_size.threads);
        std::copy_n(step.before, inner, step.u);
        addBiasAndActivate(m_ffn.activation, nullptr, step.u, static_cast<std::size_t>(inner));
        up.run(step.u, step.v, m_sizes.tokens, m_size.threads);
    }

    // z = sigmoid(c_S ⊙ φ + e_S)
    void openGates(int number,
                   const PickedFeatures& features,
                   const float* phi,
                   const ThreadScratch& own,
                   float* z) const
    {
        const auto multiplied = [](Lanes a, Lanes b) { return a * b; };
        const auto added = [](Lanes a, Lanes b) { return a + b; };
        features.gather(weight(FeedbackTensor::gateScale, number), own.scale);
        combine(own.scale, phi, z, count(), multiplied);
        features.gather(weight(FeedbackTensor::gateShift, number), own.scale);
        combine(z, own.scale, z, count(), added);
        sigmoidRow(z, count());
    }

    // `now` is the gradient of what the step made, and then of what it started from.
    void stepBackward(int number, float* now)
    {
        const Kept step = kept(number);
        gatesBackward(number, step, now);
        addGateGradients(number);
        productsBackward(number, step);
        forEachToken([&](std::int64_t t, int thread) { reach(number, step, t, thread, now); });
    }

    // dv, the gradient of what goes into the gates, and each thread's share of those of c and e.
    void gatesBackward(int number, const Kept& step, const float* now)
    {
        const Gradients to = gradients(number);
        for (int thread = 0; thread < m_size.threads.count; ++thread) {
            std::fill_n(scratch(thread).scaleSum, 2 * m_sizes.d, 0.0F);
        }
        forEachToken([&](std::int64_t t, int thread) {
            const ThreadScratch own = scratch(thread);
            const PickedFeatures features = picked(step, number, t);
            const std::int64_t at = t * m_sizes.s;
            float* const reaching = own.reaching;
            float* const gate = to.gate + at;
            features.gather(now + t * m_sizes.d, reaching);
            combine(
                reaching, step.z + at, to.v + at, count(), [](Lanes g, Lanes z) { return g * z; });
            combine(reaching, step.v + at, gate, count(), [](Lanes g, Lanes v) { return g * v; });
            combine(gate, step.z + at, gate, count(), [](Lanes g, Lanes z) {
                return g * (z * (1.0F - z));
            });
            combine(
                gate, step.phi + at, reaching, count(), [](Lanes g, Lanes phi) { return g * phi; });
            features.scatterAdd(reaching, own.scaleSum);
            features.scatterAdd(gate, own.shiftSum);
        });
    }

    void addGateGradients(int number)
    {
        for (int thread = 0; thread < m_size.threads.count; ++thread) {
            const ThreadScratch own = scratch(thread);
            const auto add = [](std::span<float> sum, const float* share) {
                combine(sum.data(), share, sum.data(), sum.size(), [](Lanes a, Lanes b) {
                    return a + b;
                });
            };
            add(gradient(FeedbackTensor::gateScale, number), own.scaleSum);
            add(gradient(FeedbackTensor::gateShift, number), own.shiftSum);
        }
    }

    struct BothBackward
    {
        LinearBackward up;
        LinearBackward down;
    };

    BothBackward backwardOf(int number) const
    {
        BothBackward both{{m_sizes.r,
                           m_sizes.s,
                           weight(FeedbackTensor::up, number),
                           gradient(FeedbackTensor::up, number)},
                          {m_sizes.s,
                           m_sizes.r,
                           weight(FeedbackTensor::down, number),
                           gradient(FeedbackTensor::down, number),
                           gradient(FeedbackTensor::downBias, number)}};
        both.up.computedIn(m_size.precision);
        both.down.computedIn(m_size.precision);
        return both;
    }

    void productsBackward(int number, const Kept& step)
    {
        const Gradients to = gradients(number);
        const std::int64_t tokens = m_sizes.tokens;
        const BothBackward both = backwardOf(number);
        both.up.input(to.v, to.u, tokens, m_size.threads, Into::overwrite, [&](const Slice& slice) {
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_sizes.r + slice.columns.first;
                activateBackwardRow(m_ffn.activation,
                                    step.before + at,
                                    to.u + at,
                                    to.u + at,
                                    static_cast<std::size_t>(slice.columns.size()));
            }
        });
        both.down.input(to.u, to.x, tokens, m_size.threads);
        if (!m_sizes.joins()) {
            weightsBackward(number, tokens);
        }
    }

    // From the rows of a step, and of those behind it.
    void weightsBackward(int number, std::int64_t rows)
    {
        const Kept step = kept(number);
        const Gradients to = gradients(number);
        const BothBackward both = backwardOf(number);
        const bool begins = number == m_ffn.steps - 1 || m_sizes.sets > 1 || m_sizes.joins();
        const Into into = begins ? Into::overwrite : Into::add;
        both.up.weights(step.u, to.v, rows, m_size.threads, into);
        both.down.weights(step.x, to.u, rows, m_size.threads, into);
    }

    // What reaches the features of a token: through its own products, and through the gates that
    // look at them, its own or those of the next token.
    void reach(int number, const Kept& step, std::int64_t token, int thread, float* now)
    {
        const Gradients from = gradients(number);
        const ThreadScratch own = scratch(thread);
        float* row = now + token * m_sizes.d;
        picked(step, number, token).scatterAdd(from.x + token * m_sizes.s, row);
        const std::int64_t looking = m_sizes.previous ? token + 1 : token;
        if (looking == m_sizes.tokens || (m_sizes.previous && isFirstOfSequence(looking))) {
            return;
        }
        const PickedFeatures features = picked(step, number, looking);
        features.gather(weight(FeedbackTensor::gateScale, number), own.scale);
        combine(own.scale,
                from.gate + looking * m_sizes.s,
                own.reaching,
                count(),
                [](Lanes scale, Lanes gate) { return scale * gate; });
        features.scatterAdd(own.reaching, row);
    }

    TokenFeedbackFfn m_ffn;
    StageSize m_size;
    Sizes m_sizes;
    WeightView<float> m_weights;
    std::vector<std::span<float>> m_gradients;
    Buffer m_floats;
    std::vector<int> m_integers;
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

Count backwardWorkspaceBytes(const TokenFeedbackFfn& ffn, const StageSize& size)
{
    const Sizes sizes(ffn, size);
    const Count tensors = Count{sizes.sets} * kFeedbackTensors;
    return (Count{sizes.floats()} + sizes.integers()) * Count{sizeof(float)}
    + tensors * Count{sizeof(std::span<float>)};
}

} // namespace flopsmith::cpu
