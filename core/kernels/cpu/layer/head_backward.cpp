// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/lm_head_backward.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Without a head nothing comes back.
class NoHeadBackwardKernel : public Kernel
{
public:
    explicit NoHeadBackwardKernel(std::size_t inputs)
        : m_dx(inputs)
    {}

    void run() override { std::fill_n(m_dx.data(), m_dx.size(), 0.0F); }
    std::span<const float> output() const override { return m_dx.span(); }

private:
    Buffer m_dx;
};

// Of the heads that read the first token of each sequence.
class FirstTokenBackwardKernel : public Kernel
{
public:
    FirstTokenBackwardKernel(const Head& head,
                             const Shape& shape,
                             WeightView<float> w,
                             std::span<const float> dy,
                             Threads threads,
                             Precision precision)
        : m_head(head)
        , m_dy(dy)
        , m_shape(shape)
        , m_weights(w)
        , m_threads(threads)
        , m_precision(precision)
        , m_output(shape.activations(), weights(head, shape.dModel, 0))
        , m_firstTokens(batch() * width())
        , m_pooled(head.hasPooler() ? m_firstTokens.size() : 0)
        , m_dPooled(m_firstTokens.size())
        , m_dFirst(head.hasPooler() ? m_firstTokens.size() : 0)
    {}

    void remember(std::span<const float> x)
    {
        for (std::size_t b = 0; b < batch(); ++b) {
            std::copy_n(x.data() + b * sequence(), width(), m_firstTokens.data() + b * width());
        }
        if (m_head.hasPooler()) {
            Linear dense(m_shape.dModel, m_shape.dModel, m_weights[0].data(), m_weights[1].data());
            dense.computedIn(m_precision)
                .run(m_firstTokens.data(), m_pooled.data(), m_shape.batch, m_threads);
            tanhRow(m_pooled.data(), m_pooled.size());
        }
    }

    void run() override
    {
        if (m_head.kind == HeadKind::classifier) {
            classesBackward();
        } else {
            std::copy(m_dy.begin(), m_dy.end(), m_dPooled.data());
        }
        const float* dFirst = m_dPooled.data();
        if (m_head.hasPooler()) {
            poolBackward();
            dFirst = m_dFirst.data();
        }
        std::fill_n(m_output.input(), m_shape.activations(), 0.0F);
        for (std::size_t b = 0; b < batch(); ++b) {
            std::copy_n(dFirst + b * width(), width(), m_output.input() + b * sequence());
        }
    }

    std::span<const float> output() const override { return m_output.span(); }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t batch() const { return static_cast<std::size_t>(m_shape.batch); }
    std::size_t sequence() const { return static_cast<std::size_t>(m_shape.sequence) * width(); }

    void classesBackward()
    {
        const std::size_t at = m_head.hasPooler() ? 2 : 0;
        LinearBackward classes(m_shape.dModel,
                               m_head.classes,
                               m_weights[at].data(),
                               m_output.gradients()[at],
                               m_head.bias ? m_output.gradients()[at + 1] : std::span<float>());
        const Buffer& pooled = m_head.hasPooler() ? m_pooled : m_firstTokens;
        classes.computedIn(m_precision)
            .weights(pooled.data(), m_dy.data(), m_shape.batch, m_threads);
        classes.input(m_dy.data(), m_dPooled.data(), m_shape.batch, m_threads);
    }

    void poolBackward()
    {
        for (std::size_t i = 0; i < m_pooled.size(); ++i) {
            m_dPooled.data()[i] *= 1.0F - m_pooled.data()[i] * m_pooled.data()[i];
        }
        LinearBackward dense(m_shape.dModel,
                             m_shape.dModel,
                             m_weights[0].data(),
                             m_output.gradients()[0],
                             m_output.gradients()[1]);
        dense.computedIn(m_precision)
            .weights(m_firstTokens.data(), m_dPooled.data(), m_shape.batch, m_threads);
        dense.input(m_dPooled.data(), m_dFirst.data(), m_shape.batch, m_threads);
    }

    Head m_head;
    std::span<const float> m_dy;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
    GradientOutput m_output;
    Buffer m_firstTokens; ///< here and below [batch, d]
    Buffer m_pooled;
    Buffer m_dPooled; ///< behind the tanh, then before it
    Buffer m_dFirst;
};

std::size_t outputsOf(const Head& head, int vocab, const Shape& shape)
{
    const auto batch = static_cast<std::size_t>(shape.batch);
    switch (head.kind) {
    case HeadKind::lm: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler: return batch * static_cast<std::size_t>(shape.dModel);
    case HeadKind::classifier: return batch * static_cast<std::size_t>(head.classes);
    case HeadKind::none: break;
    }
    return 0;
}

} // namespace

Result<std::unique_ptr<Kernel>> prepareBackward(const Head& head,
                                                int vocab,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                Threads threads,
                                                Precision precision)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_CHECK(dy.size() == outputsOf(head, vocab, shape));
    if (const Status possible = computesProductsIn(precision); !possible) {
        return possible.error();
    }
    return prepared("the head", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        if (head.isLm()) {
            return lmHeadBackward(head, vocab, shape, weights, x, dy, threads, precision);
        }
        if (head.kind == HeadKind::none) {
            return std::unique_ptr<Kernel>(
                std::make_unique<NoHeadBackwardKernel>(shape.activations()));
        }
        auto kernel = std::make_unique<FirstTokenBackwardKernel>(
            head, shape, weights, dy, threads, precision);
        kernel->remember(x);
        return std::unique_ptr<Kernel>(std::move(kernel));
    });
}

} // namespace flopsmith::cpu
