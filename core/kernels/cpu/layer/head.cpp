// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/logit_input.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class NoHeadKernel : public Kernel
{
public:
    void run() override {}
    std::span<const float> output() const override { return {}; }
};

class LmHeadKernel : public Kernel
{
public:
    LmHeadKernel(const Head& head,
                 int vocab,
                 const Shape& shape,
                 WeightView<float> w,
                 std::span<const float> x,
                 Threads threads,
                 Precision precision)
        : m_head(head)
        , m_x(x)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_threads(threads)
        , m_input(head, shape, w, threads, precision)
        , m_last(m_input.isNothing() ? 0 : m_input.elements())
        , m_linear(m_input.width(),
                   vocab,
                   w[tensorsBeforeLogits(head)].data(),
                   head.bias ? w[tensorsBeforeLogits(head) + 1].data() : nullptr)
        , m_y(shape.tokens() * static_cast<std::size_t>(vocab))
    {
        m_linear.transposed().computedIn(precision).packed(m_tokens, threads);
    }

    void run() override
    {
        const float* last = m_x.data();
        if (!m_input.isNothing()) {
            m_input.run(m_x.data(), m_last.data());
            last = m_last.data();
        }
        m_linear.run(last, m_y.data(), m_tokens, m_threads);
        if (m_head.capsLogits()) {
            cap();
        }
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    void cap()
    {
        const auto size = static_cast<std::int64_t>(m_y.size());
        const auto softCap = static_cast<float>(m_head.softCap);
        const Threads busy = worthwhile(m_threads, size);
        onThreads(busy, [&](int part) {
            const Range mine = partOf(size, busy.count, part);
            float* y = m_y.data() + mine.first;
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
    std::span<const float> m_x;
    std::int64_t m_tokens;
    Threads m_threads;
    LogitInput m_input;
    Buffer m_last; ///< [T, width], unless the logits are taken from x
    Linear m_linear;
    Buffer m_y;
};

// Pooler, classifier, or a classifier behind a pooler.
class FirstTokenKernel : public Kernel
{
public:
    FirstTokenKernel(const Head& head,
                     const Shape& shape,
                     WeightView<float> w,
                     std::span<const float> x,
                     Threads threads,
                     Precision precision)
        : m_head(head)
        , m_x(x)
        , m_shape(shape)
        , m_weights(w)
        , m_threads(threads)
        , m_precision(precision)
        , m_firstTokens(static_cast<std::size_t>(shape.batch) * width())
        , m_pooled(classifies() && head.hasPooler() ? m_firstTokens.size() : 0)
        , m_y(static_cast<std::size_t>(shape.batch)
              * (classifies() ? static_cast<std::size_t>(head.classes) : width()))
    {}

    void run() override
    {
        const std::size_t sequence = static_cast<std::size_t>(m_shape.sequence) * width();
        for (std::size_t b = 0; b < static_cast<std::size_t>(m_shape.batch); ++b) {
            std::copy_n(m_x.data() + b * sequence, width(), m_firstTokens.data() + b * width());
        }
        const float* last = m_firstTokens.data();
        if (m_head.hasPooler()) {
            float* pooled = classifies() ? m_pooled.data() : m_y.data();
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
            classes.computedIn(m_precision).run(last, m_y.data(), m_shape.batch, m_threads);
        }
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    bool classifies() const { return m_head.kind == HeadKind::classifier; }

    Head m_head;
    std::span<const float> m_x;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
    Buffer m_firstTokens; ///< [batch, d]
    Buffer m_pooled; ///< [batch, d] in front of classes
    Buffer m_y;
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
    if (const Status possible = computesProductsIn(precision); !possible) {
        return possible.error();
    }
    return prepared("the head", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        if (head.isLm()) {
            return std::unique_ptr<Kernel>(
                std::make_unique<LmHeadKernel>(head, vocab, shape, weights, x, threads, precision));
        }
        if (head.kind != HeadKind::none) {
            return std::unique_ptr<Kernel>(
                std::make_unique<FirstTokenKernel>(head, shape, weights, x, threads, precision));
        }
        return std::unique_ptr<Kernel>(std::make_unique<NoHeadKernel>());
    });
}

} // namespace flopsmith::cpu
