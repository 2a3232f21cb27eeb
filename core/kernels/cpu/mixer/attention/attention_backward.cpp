// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_core_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_heads.h"
#include "core/kernels/cpu/mixer/attention/attention_norm.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class AttentionBackward
{
public:
    AttentionBackward(const Attention& attention,
                      const Shape& shape,
                      WeightView<float> w,
                      GradientSpans gradients,
                      Threads threads,
                      Precision precision)
        : m_plan(attentionPlan(attention, shape))
        , m_tensors(attention)
        , m_gradients(gradients)
        , m_normalisesQk(attention.normalisesQk())
        , m_threads(threads)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_heads(attention, shape, w, threads, precision, Purpose::training)
        , m_core(m_plan, attention.algorithm, ScoreSteps(attention, m_plan, w), threads)
        , m_qkvBack(shape.dModel,
                    m_plan.qkvWidth(),
                    w[0].data(),
                    gradients[0],
                    gradientAt(m_tensors.qkvBias))
        , m_outBack(m_plan.heads * m_plan.valueDim,
                    shape.dModel,
                    w[m_tensors.out].data(),
                    gradientAt(m_tensors.out),
                    gradientAt(m_tensors.outBias))
        , m_qkNorm(attention, m_plan, w, gradients, threads)
        , m_dSums(bufferSize(m_tokens, m_plan.heads * m_plan.valueDim))
        , m_dQkv(bufferSize(m_tokens, m_plan.qkvWidth()))
    {
        m_qkvBack.computedIn(precision);
        m_outBack.computedIn(precision);
    }

    // y may be null.
    void save(std::span<const float> x, float* y)
    {
        m_x = x;
        const MixerInput input{.x = x, .cachedKeys = {}, .cachedValues = {}};
        m_heads.prepare(input);
        m_core.save(m_heads.coreInput(input), m_heads.sums());
        if (m_normalisesQk) { // m_dQkv is free until the next run
            m_heads.projectQkv(x.data(), m_dQkv.data());
            m_qkNorm.save(m_dQkv.data());
        }
        if (y != nullptr) {
            m_heads.project(y);
        }
    }

    void run(const float* dy, float* dx)
    {
        m_outBack.weights(m_heads.sums(), dy, m_tokens, m_threads);
        m_outBack.input(dy, m_dSums.data(), m_tokens, m_threads);
        m_core.run(m_dSums.data(), {m_dQkv.data(), m_plan.qkvWidth()});
        collectTokens();
        m_heads.limitBackward(m_dQkv.data());
        m_core.collectBiases(gradientAt(m_tensors.relativeBias));
        m_core.collectSinks(gradientAt(m_tensors.sinks));
        m_qkNorm.run(m_dQkv.data());
        m_qkvBack.weights(m_x.data(), m_dQkv.data(), m_tokens, m_threads);
        m_qkvBack.input(m_dQkv.data(), dx, m_tokens, m_threads);
    }

private:
    std::span<float> gradientAt(std::size_t tensor) const
    {
        return tensor == 0 ? std::span<float>() : m_gradients[tensor];
    }

    // Gradients of keys and values into dQkv, then the inverse rotation of the queries' and keys'
    // gradients.
    void collectTokens()
    {
        const Threads busy = threadsFor(m_threads, m_tokens * m_plan.qkvWidth());
        onThreads(busy, [this, busy](int part) {
            const Range mine = partOf(m_tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                collectToken(t);
            }
        });
    }

    void collectToken(std::int64_t token)
    {
        const std::int64_t h = m_plan.keyDim;
        const std::int64_t sequence = token / m_plan.queries;
        const std::int64_t key = token % m_plan.queries;
        float* row = m_dQkv.data() + token * m_plan.qkvWidth();
        for (std::int64_t head = 0; head < m_plan.kvHeads; ++head) {
            float* to = row + (m_plan.heads + head) * h;
            m_core.addKey(sequence, head, key, {0, h}, Into::overwrite, to);
            m_core.addValue(sequence, head, key, Into::overwrite, to + m_plan.kvHeads * h);
        }
        const RotaryTable& rotary = m_heads.rotary();
        const std::int64_t rotated = rotary.present() ? m_plan.heads + m_plan.kvHeads : 0;
        for (std::int64_t head = 0; head < rotated; ++head) {
            rotary.rotateBack(row + head * h, key);
        }
    }

    AttentionPlan m_plan;
    AttentionTensors m_tensors;
    GradientSpans m_gradients;
    std::span<const float> m_x; ///< of the last save()
    bool m_normalisesQk;
    Threads m_threads;
    std::int64_t m_tokens;
    AttentionHeads m_heads;
    AttentionCoreBackward m_core;
    LinearBackward m_qkvBack;
    LinearBackward m_outBack;
    QkNormBackward m_qkNorm;
    Buffer m_dSums; ///< [T, H·h]
    Buffer m_dQkv; ///< [T, q | k | v]
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Attention& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    return prepared<TrainingKernel>(Attention::info().title, threads, [&] {
        GradientOutput output(x.size(), flopsmith::weights(mixer, shape.dModel));
        AttentionBackward pass(mixer, shape, weights, output.gradients(), threads, precision);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
