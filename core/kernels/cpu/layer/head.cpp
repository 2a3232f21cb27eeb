// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/head_outputs.h"
#include "core/kernels/cpu/layer/logit_input.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

struct NoHead
{
    void run(std::span<const float> /*x*/, float* /*y*/) const {}
};

class LmHeadForward
{
public:
    LmHeadForward(const Head& head,
                  int vocab,
                  const Shape& shape,
                  WeightView<float> w,
                  Threads threads,
                  Precision precision)
        : m_head(head)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_logits(m_tokens * vocab)
        , m_threads(threads)
        , m_input(head, shape, w, threads, precision)
        , m_last(m_input.isIdentity() ? 0 : m_input.elements())
        , m_linear(m_input.width(),
                   vocab,
                   w[tensorsBeforeLogits(head)].data(),
                   head.bias ? w[tensorsBeforeLogits(head) + 1].data() : nullptr)
    {
        m_linear.transposed().computedIn(precision).packed(m_tokens, threads);
    }

    void run(std::span<const float> x, float* y)
    {
        const float* last = x.data();
        if (!m_input.isIdentity()) {
            m_input.run(x.data(), m_last.data());
            last = m_last.data();
        }
        m_linear.run(last, y, m_tokens, m_threads);
        if (m_head.capsLogits()) {
            applySoftCap(y);
        }
    }

private:
    void applySoftCap(float* logits) const
    {
        const auto softCap = static_cast<float>(m_head.softCap);
        const Threads busy = threadsFor(m_threads, m_logits);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(m_logits, busy.count, part);
            float* y = logits + mine.first;
            const auto count = static_cast<std::size_t>(mine.size());
            for (std::size_t i = 0; i < count; ++i) {
                y[i] *= 1.0F / softCap;
            }
            tanhRow(y, count);
            for (std::size_t i = 0; i < count; ++i) {
                y[i] *= softCap;
            }
        });
    }

    Head m_head;
    std::int64_t m_tokens;
    std::int64_t m_logits; ///< T·V
    Threads m_threads;
    LogitInput m_input;
    Buffer m_last; ///< [T, width], unless the logits are computed from x
    Linear m_linear;
};

// Pooler, classifier, or a pooler followed by a classifier.
class FirstTokenForward
{
public:
    FirstTokenForward(const Head& head,
                      const Shape& shape,
                      WeightView<float> w,
                      Threads threads,
                      Precision precision)
        : m_head(head)
        , m_shape(shape)
        , m_weights(w)
        , m_threads(threads)
        , m_precision(precision)
        , m_firstTokens(static_cast<std::size_t>(shape.batch) * width())
        , m_pooled(classifies() && head.hasPooler() ? m_firstTokens.size() : 0)
    {}

    void run(std::span<const float> x, float* y)
    {
        const std::size_t sequence = static_cast<std::size_t>(m_shape.sequence) * width();
        for (std::size_t b = 0; b < static_cast<std::size_t>(m_shape.batch); ++b) {
            std::copy_n(x.data() + b * sequence, width(), m_firstTokens.data() + b * width());
        }
        const float* last = m_firstTokens.data();
        if (m_head.hasPooler()) {
            float* pooled = classifies() ? m_pooled.data() : y;
            Linear dense(m_shape.dModel, m_shape.dModel, m_weights[0].data(), m_weights[1].data());
            dense.computedIn(m_precision).run(last, pooled, m_shape.batch, m_threads);
            tanhRow(pooled, m_firstTokens.size());
            last = pooled;
        }
        if (classifies()) {
            const std::size_t at = m_head.hasPooler() ? 2 : 0;
            Linear classes(m_shape.dModel,
                           m_head.classes,
                           m_weights[at].data(),
                           m_head.bias ? m_weights[at + 1].data() : nullptr);
            classes.computedIn(m_precision).run(last, y, m_shape.batch, m_threads);
        }
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    bool classifies() const { return m_head.kind == HeadKind::classifier; }

    Head m_head;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
    Buffer m_firstTokens; ///< [batch, d]
    Buffer m_pooled; ///< [batch, d], input of a classifier
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads,
                                        Precision precision)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    const std::size_t outputs = headOutputs(head, vocab, shape);
    return prepared("the head", threads, [&] {
        if (head.isOfEveryToken()) {
            return forwardKernel(
                LmHeadForward(head.computed(), vocab, shape, weights, threads, precision),
                x,
                outputs);
        }
        if (head.kind != HeadKind::none) {
            return forwardKernel(
                FirstTokenForward(head, shape, weights, threads, precision), x, outputs);
        }
        return forwardKernel(NoHead{}, x, outputs);
    });
}

} // namespace flopsmith::cpu
