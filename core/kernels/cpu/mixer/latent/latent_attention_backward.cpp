// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/norm_backward.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_core_backward.h"
#include "core/kernels/cpu/mixer/latent/latent_absorption.h"
#include "core/kernels/cpu/mixer/latent/latent_core.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class LatentAttentionBackward
{
public:
    LatentAttentionBackward(const LatentAttention& attention,
                            const Shape& shape,
                            WeightView<float> w,
                            GradientSpans gradients,
                            Threads threads,
                            Precision precision)
        : m_weights(w)
        , m_gradients(gradients)
        , m_threads(threads)
        , m_latents(LatentPlan(attention, shape, precision), w, threads)
        , m_core(plan().core(), attention.algorithm, {}, threads)
        , m_queryNorm(attention.latentNorm(),
                      plan().tokens,
                      static_cast<int>(plan().queryRank),
                      w.subspan(tensors().qNorm, 1),
                      gradients.subspan(tensors().qNorm, 1),
                      threads)
        , m_norm(attention.latentNorm(),
                 plan().tokens,
                 static_cast<int>(plan().rank),
                 w.subspan(tensors().norm, 1),
                 gradients.subspan(tensors().norm, 1),
                 threads)
        , m_dSums(bufferSize(plan().tokens, plan().heads * plan().valueDim()))
        , m_dMixed(bufferSize(plan().absorbedTokens(), plan().heads * plan().value))
        , m_dAbsorbed(bufferSize(plan().absorbedTokens(), plan().heads * plan().keyDim()))
        , m_dQ(bufferSize(plan().tokens, plan().heads * plan().qkDim()))
        , m_dKeys(bufferSize(plan().expandedTokens(), plan().heads * plan().nope))
        , m_dValues(bufferSize(plan().expandedTokens(), plan().heads * plan().value))
        , m_dLatents(bufferSize(plan().tokens, plan().rank))
        , m_dRaw(bufferSize(plan().tokens, plan().rank))
        , m_dRope(bufferSize(plan().tokens, plan().rope))
        , m_dDown(bufferSize(plan().tokens, plan().rank + plan().rope))
        , m_dQueryNormed(bufferSize(plan().tokens, plan().queryRank))
        , m_dQueryLatents(m_dQueryNormed.size())
    {}

    // y may be null.
    void save(std::span<const float> x, float* y)
    {
        m_x = x;
        const MixerInput input{.x = x, .cachedKeys = {}, .cachedValues = {}};
        m_latents.prepare(input);
        m_core.save(m_latents.coreInput(input), m_latents.sums());
        const std::int64_t width = plan().rank + plan().rope;
        for (std::int64_t t = 0; t < plan().tokens; ++t) { // m_dLatents is free until the next run
            std::copy_n(
                m_latents.down() + t * width, plan().rank, m_dLatents.data() + t * plan().rank);
        }
        m_norm.save(m_dLatents.data());
        if (plan().spec.hasQueryLatents()) {
            m_queryNorm.save(m_latents.queryLatents());
        }
        if (y != nullptr) {
            m_latents.project(y);
        } else {
            m_latents.absorbValues();
        }
    }

    void run(const float* dy, float* dx)
    {
        const LinearBackward out = linearBack(
            plan().heads * plan().value, plan().dModel, tensors().out, tensors().outBias);
        float* dMixed = isAbsorbed() ? m_dMixed.data() : m_dSums.data();
        out.weights(m_latents.mixed(), dy, plan().tokens, m_threads);
        out.input(dy, dMixed, plan().tokens, m_threads);
        if (isAbsorbed()) {
            absorbValuesBackward(plan(),
                                 m_weights[tensors().values].data(),
                                 m_latents.sums(),
                                 dMixed,
                                 m_dSums.data(),
                                 m_gradients[tensors().values].data(),
                                 m_threads);
            m_core.run(m_dSums.data(), queryGradients(m_dAbsorbed));
            collectLatents();
            absorbKeysBackward(plan(),
                               m_weights[tensors().keys].data(),
                               m_latents.q(),
                               m_dAbsorbed.data(),
                               m_dQ.data(),
                               m_gradients[tensors().keys].data(),
                               m_threads);
        } else {
            m_core.run(m_dSums.data(), queryGradients(m_dQ));
            collectHeads();
            expansionBackward();
        }
        queriesBackward(dx);
        latentsBackward(dx);
    }

private:
    const LatentPlan& plan() const { return m_latents.plan(); }
    const LatentTensors& tensors() const { return m_latents.tensors(); }
    bool isAbsorbed() const { return plan().spec.isAbsorbed(); }

    // A bias of 0 means none.
    LinearBackward linearBack(std::int64_t in,
                              std::int64_t out,
                              std::size_t weight,
                              std::size_t bias = 0) const
    {
        return LinearBackward(in,
                              out,
                              m_weights[weight].data(),
                              m_gradients[weight],
                              bias > 0 ? m_gradients[bias] : std::span<float>())
            .computedIn(plan().precision);
    }

    MatrixAt<float> queryGradients(Buffer& buffer) const
    {
        return {buffer.data(), plan().heads * plan().keyDim()};
    }

    std::int64_t gradientWidth() const
    {
        return plan().heads * (plan().keyDim() + plan().valueDim());
    }

    // The latents are keys and values at the same time.
    void collectLatents()
    {
        forEachToken(plan(), m_threads, gradientWidth(), [this](std::int64_t t) {
            const std::int64_t sequence = t / plan().queries;
            const std::int64_t key = t % plan().queries;
            float* latents = m_dLatents.data() + t * plan().rank;
            m_core.addKey(sequence, 0, key, {0, plan().rank}, Into::overwrite, latents);
            m_core.addValue(sequence, 0, key, Into::accumulate, latents);
            m_core.addKey(sequence,
                          0,
                          key,
                          {plan().rank, plan().keyDim()},
                          Into::overwrite,
                          m_dRope.data() + t * plan().rope);
        });
    }

    // All heads share k_rope: its gradient is the sum over heads.
    void collectHeads()
    {
        forEachToken(plan(), m_threads, gradientWidth(), [this](std::int64_t t) {
            const std::int64_t sequence = t / plan().queries;
            const std::int64_t key = t % plan().queries;
            for (std::int64_t head = 0; head < plan().heads; ++head) {
                const std::int64_t row = t * plan().heads + head;
                m_core.addKey(sequence,
                              head,
                              key,
                              {0, plan().nope},
                              Into::overwrite,
                              m_dKeys.data() + row * plan().nope);
                m_core.addKey(sequence,
                              head,
                              key,
                              {plan().nope, plan().keyDim()},
                              head == 0 ? Into::overwrite : Into::accumulate,
                              m_dRope.data() + t * plan().rope);
                m_core.addValue(
                    sequence, head, key, Into::overwrite, m_dValues.data() + row * plan().value);
            }
        });
    }

    void expansionBackward()
    {
        const LatentPlan& n = plan();
        const LinearBackward keys = linearBack(n.rank, n.heads * n.nope, tensors().keys);
        const LinearBackward values = linearBack(n.rank, n.heads * n.value, tensors().values);
        keys.weights(m_latents.latents(), m_dKeys.data(), n.tokens, m_threads);
        values.weights(m_latents.latents(), m_dValues.data(), n.tokens, m_threads);
        keys.input(m_dKeys.data(), m_dLatents.data(), n.tokens, m_threads);
        values.input(m_dValues.data(), m_dLatents.data(), n.tokens, m_threads, Into::accumulate);
    }

    // dx through the queries.
    void queriesBackward(float* dx)
    {
        const LatentPlan& n = plan();
        const std::int64_t width = n.heads * n.qkDim();
        forEachToken(plan(), m_threads, gradientWidth(), [&](std::int64_t t) {
            for (std::int64_t head = 0; head < n.heads; ++head) {
                float* tail = m_dQ.data() + (t * n.heads + head) * n.qkDim() + n.nope;
                m_latents.rotary().rotateBack(tail, t % n.queries);
            }
        });
        if (!n.spec.hasQueryLatents()) {
            const LinearBackward q = linearBack(n.dModel, width, tensors().q);
            q.weights(m_x.data(), m_dQ.data(), n.tokens, m_threads);
            q.input(m_dQ.data(), dx, n.tokens, m_threads);
            return;
        }
        const LinearBackward up = linearBack(n.queryRank, width, tensors().qUp);
        const LinearBackward q = linearBack(n.dModel, n.queryRank, tensors().q, tensors().qBias);
        up.weights(m_latents.queryNormed(), m_dQ.data(), n.tokens, m_threads);
        up.input(m_dQ.data(), m_dQueryNormed.data(), n.tokens, m_threads);
        m_queryNorm.run(m_dQueryNormed.data(), m_dQueryLatents.data());
        q.weights(m_x.data(), m_dQueryLatents.data(), n.tokens, m_threads);
        q.input(m_dQueryLatents.data(), dx, n.tokens, m_threads);
    }

    // Accumulates the dx through the latents.
    void latentsBackward(float* dx)
    {
        const LatentPlan& n = plan();
        const std::int64_t width = n.rank + n.rope;
        m_norm.run(m_dLatents.data(), m_dRaw.data());
        forEachToken(plan(), m_threads, gradientWidth(), [&](std::int64_t t) {
            float* to = m_dDown.data() + t * width;
            std::copy_n(m_dRaw.data() + t * n.rank, n.rank, to);
            std::copy_n(m_dRope.data() + t * n.rope, n.rope, to + n.rank);
            m_latents.rotary().rotateBack(to + n.rank, t % n.queries);
        });
        const LinearBackward down = linearBack(n.dModel, width, tensors().down, tensors().downBias);
        down.weights(m_x.data(), m_dDown.data(), n.tokens, m_threads);
        down.input(m_dDown.data(), dx, n.tokens, m_threads, Into::accumulate);
    }

    WeightView<float> m_weights;
    GradientSpans m_gradients;
    std::span<const float> m_x; ///< of the last save()
    Threads m_threads;
    LatentCore m_latents;
    AttentionCoreBackward m_core;
    NormBackward m_queryNorm; ///< with 0 features if queries have no latents
    NormBackward m_norm;
    Buffer m_dSums; ///< [T, H·valueDim]
    Buffer m_dMixed; ///< absorbed: [T, H·h_v]
    Buffer m_dAbsorbed; ///< absorbed: [T, H·(r_kv + h_rope)]
    Buffer m_dQ; ///< [T, H·(h_nope + h_rope)]
    Buffer m_dKeys; ///< expanded: [T, H·h_nope], and of the values
    Buffer m_dValues;
    Buffer m_dLatents; ///< [T, r_kv], after and before the norm
    Buffer m_dRaw;
    Buffer m_dRope; ///< [T, h_rope]
    Buffer m_dDown; ///< [T, r_kv + h_rope]
    Buffer m_dQueryNormed; ///< [T, r_q]
    Buffer m_dQueryLatents;
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const LatentAttention& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    return prepared<TrainingKernel>(LatentAttention::info().title, threads, [&] {
        GradientOutput output(x.size(), flopsmith::weights(mixer, shape.dModel));
        LatentAttentionBackward pass(mixer, shape, weights, output.gradients(), threads, precision);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
