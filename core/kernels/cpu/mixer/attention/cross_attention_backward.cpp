// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_core_backward.h"
#include "core/kernels/cpu/mixer/attention/cross_projections.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class CrossAttentionBackward
{
public:
    CrossAttentionBackward(const CrossAttention& attention,
                           const Shape& shape,
                           WeightView<float> w,
                           GradientSpans gradients,
                           Threads threads,
                           Precision precision)
        : m_at(attention)
        , m_plan(crossPlan(attention, shape))
        , m_gradients(gradients)
        , m_threads(threads)
        , m_source(shape.activations())
        , m_core(m_plan, attention.algorithm, {}, threads)
        , m_projections(m_at, shape, m_plan, w, threads, precision)
        , m_queriesBack(linearBack(w, shape.dModel, m_projections.queryWidth(), m_at.q, m_at.qBias))
        , m_keysBack(
              linearBack(w, shape.dModel, 2 * m_projections.keyWidth(), m_at.kv, m_at.kvBias))
        , m_outBack(linearBack(w, m_projections.queryWidth(), shape.dModel, m_at.out, m_at.outBias))
        , m_dSums(bufferSize(m_projections.tokens(), m_projections.queryWidth()))
        , m_dQueries(m_dSums.size())
        , m_dKeys(bufferSize(m_projections.source(), 2 * m_projections.keyWidth()))
    {
        for (LinearBackward* projection : {&m_queriesBack, &m_keysBack, &m_outBack}) {
            projection->computedIn(precision);
        }
    }

    // y may be null.
    void save(std::span<const float> x, float* y)
    {
        m_x = x;
        const MixerInput input{.x = x, .cachedKeys = {}, .cachedValues = {}};
        m_projections.prepare(input);
        m_core.save(m_projections.coreInput(input), m_projections.sums());
        if (y != nullptr) {
            m_projections.project(y);
        }
    }

    void run(const float* dy, float* dx)
    {
        const std::int64_t tokens = m_projections.tokens();
        const std::int64_t source = m_projections.source();
        const float* z = m_x.data() + m_source;
        m_outBack.weights(m_projections.sums(), dy, tokens, m_threads);
        m_outBack.input(dy, m_dSums.data(), tokens, m_threads);
        m_core.run(m_dSums.data(), {m_dQueries.data(), m_projections.queryWidth()});
        collectKeys();
        m_queriesBack.weights(m_x.data(), m_dQueries.data(), tokens, m_threads);
        m_queriesBack.input(m_dQueries.data(), dx, tokens, m_threads);
        m_keysBack.weights(z, m_dKeys.data(), source, m_threads);
        m_keysBack.input(m_dKeys.data(), dx + m_source, source, m_threads);
    }

private:
    LinearBackward linearBack(WeightView<float> w,
                              std::int64_t in,
                              std::int64_t out,
                              std::size_t weight,
                              std::size_t bias) const
    {
        return {in,
                out,
                w[weight].data(),
                m_gradients[weight],
                bias > 0 ? m_gradients[bias] : std::span<float>()};
    }

    // From the core's sums to rows k | v.
    void collectKeys()
    {
        const std::int64_t rows = m_projections.source();
        const std::int64_t width = m_projections.keyWidth();
        const Threads busy = threadsFor(m_threads, 2 * rows * width);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(rows, busy.count, part);
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                for (std::int64_t head = 0; head < m_plan.kvHeads; ++head) {
                    float* to = m_dKeys.data() + i * 2 * width + head * m_plan.keyDim;
                    const std::int64_t sequence = i / m_plan.fresh;
                    const std::int64_t key = i % m_plan.fresh;
                    m_core.addKey(sequence, head, key, {0, m_plan.keyDim}, Into::overwrite, to);
                    m_core.addValue(sequence, head, key, Into::overwrite, to + width);
                }
            }
        });
    }

    CrossTensors m_at;
    AttentionPlan m_plan;
    GradientSpans m_gradients;
    std::span<const float> m_x; ///< of the last save()
    Threads m_threads;
    std::size_t m_source; ///< where the source's rows begin in x
    AttentionCoreBackward m_core;
    CrossProjections m_projections;
    LinearBackward m_queriesBack;
    LinearBackward m_keysBack;
    LinearBackward m_outBack;
    Buffer m_dSums; ///< [T, H·h]
    Buffer m_dQueries; ///< [T, H·h]
    Buffer m_dKeys; ///< [B·S_src, k | v]
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const CrossAttention& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    return prepared<TrainingKernel>(CrossAttention::info().title, threads, [&] {
        GradientOutput output(x.size(), flopsmith::weights(mixer, shape.dModel));
        CrossAttentionBackward pass(mixer, shape, weights, output.gradients(), threads, precision);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
