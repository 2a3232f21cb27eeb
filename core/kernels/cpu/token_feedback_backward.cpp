// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/picked_features.h"
#include "core/kernels/cpu/token_feedback_buffers.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

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
        , m_buffers(m_sizes)
    {}

    void remember(const float* x, float* y) override
    {
        const auto elements = static_cast<std::size_t>(m_size.activations());
        std::copy_n(x, elements, y);
        for (int group = 0; group < m_sizes.groups(); ++group) {
            rememberGroup(m_sizes.group(group), y);
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
        for (int group = m_sizes.groups() - 1; group >= 0; --group) {
            groupBackward(m_sizes.group(group), dx);
        }
        if (m_sizes.joins()) {
            weightsBackward({0, m_ffn.steps});
        }
        combine(dx, dy, dx, elements, [](Lanes all, Lanes own) { return all - own; });
    }

    std::size_t workspaceBytes() const override
    {
        return m_buffers.bytes() + m_gradients.capacity() * sizeof(std::span<float>);
    }

private:
    const float* weight(FeedbackTensor which, int step) const
    {
        return m_weights[indexOf(m_ffn, which, step)].data();
    }

    std::span<float> gradient(FeedbackTensor which, int step) const
    {
        return m_gradients[indexOf(m_ffn, which, step)];
    }

    bool isFirstOfSequence(std::int64_t token) const { return token % m_size.sequence == 0; }

    PickedFeatures picked(const FeedbackKept& step, int number, std::int64_t token) const
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

    void rememberGroup(const FeedbackGroup& group, float* now)
    {
        for (int step = group.first; step < group.last; ++step) {
            rememberPicked(step, now);
        }
        products(group);
        for (int step = group.first; step < group.last; ++step) {
            refine(step, now);
        }
    }

    void rememberPicked(int number, const float* now)
    {
        const FeedbackKept step = m_buffers.kept(number);
        const std::int64_t d = m_sizes.d;
        const std::int64_t s = m_sizes.s;
        forEachToken([&](std::int64_t t, int thread) {
            const FeedbackScratch own = m_buffers.scratch(thread);
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
    }

    void refine(int number, float* now)
    {
        const FeedbackKept step = m_buffers.kept(number);
        forEachToken([&](std::int64_t t, int thread) {
            const FeedbackScratch own = m_buffers.scratch(thread);
            const PickedFeatures features = picked(step, number, t);
            const std::int64_t at = t * m_sizes.s;
            openGates(number, features, step.phi + at, own, step.z + at);
            combine(step.z + at, step.v + at, own.reaching, count(), [](Lanes z, Lanes v) {
                return z * v;
            });
            features.scatterAdd(own.reaching, now + t * m_sizes.d);
        });
    }

    std::size_t count() const { return static_cast<std::size_t>(m_sizes.s); }

    void products(const FeedbackGroup& group)
    {
        const int number = group.first;
        const FeedbackKept step = m_buffers.kept(number);
        Linear down(m_sizes.s,
                    m_sizes.r,
                    weight(FeedbackTensor::down, number),
                    weight(FeedbackTensor::downBias, number));
        Linear up(m_sizes.r, m_sizes.s, weight(FeedbackTensor::up, number), nullptr);
        down.computedIn(m_size.precision);
        up.computedIn(m_size.precision);
        const std::int64_t rows = m_sizes.rowsOf(group);
        const std::int64_t inner = rows * m_sizes.r;
        down.run(step.x, step.before, rows, m_size.threads);
        std::copy_n(step.before, inner, step.u);
        addBiasAndActivate(m_ffn.activation, nullptr, step.u, static_cast<std::size_t>(inner));
        up.run(step.u, step.v, rows, m_size.threads);
    }

    // z = sigmoid(c_S ⊙ φ + e_S)
    void openGates(int number,
                   const PickedFeatures& features,
                   const float* phi,
                   const FeedbackScratch& own,
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

    // `now` is the gradient of what the steps made, and then of what they started from.
    void groupBackward(const FeedbackGroup& group, float* now)
    {
        for (int step = group.first; step < group.last; ++step) {
            gatesBackward(step, m_buffers.kept(step), now);
            addGateGradients(step);
        }
        productsBackward(group);
        for (int step = group.first; step < group.last; ++step) {
            const FeedbackKept kept = m_buffers.kept(step);
            forEachToken([&](std::int64_t t, int thread) { reach(step, kept, t, thread, now); });
        }
    }

    // dv, the gradient of what goes into the gates, and each thread's share of those of c and e.
    void gatesBackward(int number, const FeedbackKept& step, const float* now)
    {
        const FeedbackGradients to = m_buffers.gradients(number);
        for (int thread = 0; thread < m_size.threads.count; ++thread) {
            std::fill_n(m_buffers.scratch(thread).scaleSum, 2 * m_sizes.d, 0.0F);
        }
        forEachToken([&](std::int64_t t, int thread) {
            const FeedbackScratch own = m_buffers.scratch(thread);
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
            const FeedbackScratch own = m_buffers.scratch(thread);
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

    void productsBackward(const FeedbackGroup& group)
    {
        const FeedbackKept step = m_buffers.kept(group.first);
        const FeedbackGradients to = m_buffers.gradients(group.first);
        const std::int64_t rows = m_sizes.rowsOf(group);
        const BothBackward both = backwardOf(group.first);
        both.up.input(to.v, to.u, rows, m_size.threads, Into::overwrite, [&](const Slice& slice) {
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_sizes.r + slice.columns.first;
                activateBackwardRow(m_ffn.activation,
                                    step.before + at,
                                    to.u + at,
                                    to.u + at,
                                    static_cast<std::size_t>(slice.columns.size()));
            }
        });
        both.down.input(to.u, to.x, rows, m_size.threads);
        if (!m_sizes.joins()) {
            weightsBackward(group);
        }
    }

    void weightsBackward(const FeedbackGroup& group)
    {
        const FeedbackKept step = m_buffers.kept(group.first);
        const FeedbackGradients to = m_buffers.gradients(group.first);
        const BothBackward both = backwardOf(group.first);
        const bool begins = group.last == m_ffn.steps || m_sizes.sets > 1;
        const Into into = begins ? Into::overwrite : Into::add;
        both.up.weights(step.u, to.v, m_sizes.rowsOf(group), m_size.threads, into);
        both.down.weights(step.x, to.u, m_sizes.rowsOf(group), m_size.threads, into);
    }

    // What reaches the features of a token: through its own products, and through the gates that
    // look at them, its own or those of the next token.
    void reach(int number, const FeedbackKept& step, std::int64_t token, int thread, float* now)
    {
        const FeedbackGradients from = m_buffers.gradients(number);
        const FeedbackScratch own = m_buffers.scratch(thread);
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
    FeedbackSizes m_sizes;
    WeightView<float> m_weights;
    std::vector<std::span<float>> m_gradients;
    FeedbackBuffers m_buffers;
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
    const FeedbackSizes sizes(ffn, size);
    const Count tensors = Count{sizes.sets} * kFeedbackTensors;
    return (Count{sizes.floats()} + sizes.integers()) * Count{sizeof(float)}
    + tensors * Count{sizeof(std::span<float>)};
}

} // namespace flopsmith::cpu
