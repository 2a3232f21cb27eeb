// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer/lm_head_backward.h"

#include "core/kernels/cpu/layer/logit_input.h"
#include "core/kernels/cpu/layer/norm_backward.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// The transform's norm; none without a transform.
Norm normOf(const Head& head)
{
    return head.hasTransform() ? head.norm : Norm::absent();
}

// Logits are x·Wᵀ with W [V, width], so that dx = dy·W and dW = dyᵀ·x, as in a linear layer whose
// input is dy.
class LmHeadBackward
{
public:
    LmHeadBackward(const Head& head,
                   int vocab,
                   const Shape& shape,
                   WeightView<float> w,
                   GradientSpans gradients,
                   Threads threads,
                   Precision precision)
        : m_head(head)
        , m_shape(shape)
        , m_weights(w)
        , m_gradients(gradients)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_threads(threads)
        , m_precision(precision)
        , m_input(head, shape, w, threads, precision)
        , m_logitTensor(tensorsBeforeLogits(head))
        , m_logits(m_input.width(),
                   vocab,
                   w[m_logitTensor].data(),
                   head.bias ? w[m_logitTensor + 1].data() : nullptr)
        , m_toInput(vocab, m_input.width(), w[m_logitTensor].data(), nullptr)
        , m_toWeight(vocab, m_input.width(), w[m_logitTensor].data(), gradients[m_logitTensor])
        , m_norm(normOf(head),
                 m_tokens,
                 static_cast<int>(m_input.width()),
                 w.subspan(normTensors()),
                 gradients.subspan(normTensors()),
                 threads)
        , m_last(m_input.isIdentity() ? 0 : m_input.elements())
        , m_slopes(head.hasTransform() ? m_input.elements() : 0)
        , m_tanh(head.capsLogits() ? bufferSize(m_tokens, vocab) : 0)
        , m_dLogits(m_tanh.size())
        , m_dLast(head.hasTransform() || head.hasProjection() ? m_input.elements() : 0)
        , m_dDense(m_slopes.size())
    {
        m_toInput.computedIn(precision);
        m_toWeight.computedIn(precision);
        m_logits.transposed().computedIn(precision);
    }

    // y may be null.
    void save(std::span<const float> x, float* y)
    {
        m_x = x;
        saveInput();
        if (m_head.capsLogits()) {
            saveTanh();
        }
        if (y != nullptr && m_head.capsLogits()) {
            std::copy_n(m_tanh.data(), m_tanh.size(), y);
            scaleValues(y, m_tanh.size(), static_cast<float>(m_head.softCap), m_threads);
        } else if (y != nullptr) {
            m_logits.run(last(), y, m_tokens, m_threads);
        }
    }

    void run(const float* dy, float* dx)
    {
        const float* dLogits = dy;
        if (m_head.capsLogits()) {
            softCapBackward(dy);
            dLogits = m_dLogits.data();
        }
        float* dLast = m_dLast.size() > 0 ? m_dLast.data() : dx;
        m_toInput.run(dLogits, dLast, m_tokens, m_threads);
        m_toWeight.weights(dLogits, last(), m_tokens, m_threads);
        if (m_head.bias) {
            sumTokens(dLogits, m_tokens, m_gradients[m_logitTensor + 1], m_threads);
        }
        m_input.scale(dLast);
        if (m_head.hasTransform()) {
            m_norm.run(dLast, m_dDense.data());
            activationBackward();
            linearBackward(m_dDense.data(), dx);
        } else if (m_head.hasProjection()) {
            linearBackward(dLast, dx);
        }
    }

private:
    std::size_t normTensors() const
    {
        return m_head.hasTransform() ? (m_head.transformBias ? 2 : 1) : 0;
    }

    const float* last() const { return m_input.isIdentity() ? m_x.data() : m_last.data(); }

    void saveInput()
    {
        if (!m_input.isIdentity()) {
            m_input.linear(m_x.data(), m_last.data());
            if (m_head.hasTransform()) {
                m_input.activateKeepingSlopes(m_last.data(), m_slopes.data());
            }
            m_norm.save(m_last.data());
            m_input.normalise(m_last.data());
            m_input.scale(m_last.data());
        }
    }

    void saveTanh()
    {
        m_logits.run(last(), m_tanh.data(), m_tokens, m_threads);
        const auto reciprocal = static_cast<float>(1.0 / m_head.softCap);
        scaleValues(m_tanh.data(), m_tanh.size(), reciprocal, m_threads);
        tanhRow(m_tanh.data(), m_tanh.size());
    }

    void softCapBackward(const float* dy)
    {
        const auto size = static_cast<std::int64_t>(m_tanh.size());
        const Threads busy = threadsFor(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            const float* t = m_tanh.data();
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                m_dLogits.data()[i] = dy[i] * (1.0F - t[i] * t[i]);
            }
        });
    }

    void activationBackward()
    {
        const auto size = static_cast<std::int64_t>(m_dDense.size());
        const Threads busy = threadsFor(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            float* d = m_dDense.data() + mine.first;
            multiplyBySaved(
                d, m_slopes.data() + mine.first, d, static_cast<std::size_t>(mine.size()));
        });
    }

    void linearBackward(const float* d, float* dx)
    {
        const bool bias = m_head.hasTransform() && m_head.transformBias;
        LinearBackward layer(m_shape.dModel,
                             m_input.width(),
                             m_weights[0].data(),
                             m_gradients[0],
                             bias ? m_gradients[1] : std::span<float>());
        layer.computedIn(m_precision).weights(m_x.data(), d, m_tokens, m_threads);
        layer.input(d, dx, m_tokens, m_threads);
    }

    Head m_head;
    Shape m_shape;
    WeightView<float> m_weights;
    GradientSpans m_gradients;
    std::span<const float> m_x; ///< of the last save()
    std::int64_t m_tokens;
    Threads m_threads;
    Precision m_precision;
    LogitInput m_input;
    std::size_t m_logitTensor; ///< number of the tensor W
    Linear m_logits;
    Linear m_toInput;
    LinearBackward m_toWeight;
    NormBackward m_norm;
    Buffer m_last; ///< [T, width], unless the logits are computed from x
    Buffer m_slopes; ///< [T, width], of the activation
    Buffer m_tanh; ///< [T, V], of the soft-cap
    Buffer m_dLogits;
    Buffer m_dLast;
    Buffer m_dDense;
};

} // namespace

std::unique_ptr<TrainingKernel> lmHeadBackward(const Head& head,
                                               int vocab,
                                               const Shape& shape,
                                               WeightView<float> weights,
                                               std::span<const float> x,
                                               std::span<const float> dy,
                                               Threads threads,
                                               Precision precision)
{
    const auto width = static_cast<int>(logitWidth(head, shape, weights));
    GradientOutput output(x.size(), flopsmith::weights(head, shape.dModel, {vocab, width}));
    LmHeadBackward pass(head, vocab, shape, weights, output.gradients(), threads, precision);
    return backwardKernel(std::move(pass), std::move(output), x, dy);
}

} // namespace flopsmith::cpu
