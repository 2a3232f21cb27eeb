// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/preparation.h"

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
    std::size_t workspaceBytes() const override { return 0; }

private:
    Buffer m_dx;
};

// W [V, d] turns x into logits transposed, so the gradients are those of a product dy·W that goes
// straight: dx = dy·W, dW = dyᵀ·x.
class LmHeadBackwardKernel : public Kernel
{
public:
    LmHeadBackwardKernel(const Head& head,
                         int vocab,
                         const Shape& shape,
                         WeightView<float> w,
                         std::span<const float> x,
                         std::span<const float> dy,
                         Threads threads)
        : m_x(x)
        , m_dy(dy)
        , m_bias(head.bias)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_threads(threads)
        , m_output(x.size(), weights(head, shape.dModel, vocab))
        , m_toInput(vocab, shape.dModel, w[0].data(), nullptr)
        , m_toWeight(vocab, shape.dModel, w[0].data(), m_output.gradients()[0])
    {}

    void run() override
    {
        m_toInput.run(m_dy.data(), m_output.input(), m_tokens, m_threads);
        m_toWeight.weights(m_dy.data(), m_x.data(), m_tokens, m_threads);
        if (m_bias) {
            sumTokens(m_dy.data(), m_tokens, m_output.gradients()[1], m_threads);
        }
    }

    std::span<const float> output() const override { return m_output.span(); }
    std::size_t workspaceBytes() const override { return 0; }

private:
    std::span<const float> m_x;
    std::span<const float> m_dy;
    bool m_bias;
    std::int64_t m_tokens;
    Threads m_threads;
    GradientOutput m_output;
    Linear m_toInput;
    LinearBackward m_toWeight;
};

class PoolerBackwardKernel : public Kernel
{
public:
    PoolerBackwardKernel(const Head& head,
                         const Shape& shape,
                         WeightView<float> w,
                         std::span<const float> dy,
                         Threads threads)
        : m_dy(dy)
        , m_shape(shape)
        , m_threads(threads)
        , m_output(shape.activations(), weights(head, shape.dModel, 0))
        , m_backward(shape.dModel,
                     shape.dModel,
                     w[0].data(),
                     m_output.gradients()[0],
                     m_output.gradients()[1])
        , m_firstTokens(dy.size())
        , m_y(dy.size())
        , m_dBefore(dy.size())
        , m_dFirst(dy.size())
    {}

    // `forward` is the pooler itself on the same x: its output is what the tanh gave.
    void remember(Kernel& forward, std::span<const float> x)
    {
        forward.run();
        std::copy(forward.output().begin(), forward.output().end(), m_y.data());
        for (std::size_t b = 0; b < batch(); ++b) {
            std::copy_n(x.data() + b * sequence(), width(), m_firstTokens.data() + b * width());
        }
    }

    void run() override
    {
        for (std::size_t i = 0; i < m_y.size(); ++i) {
            m_dBefore.data()[i] = m_dy[i] * (1.0F - m_y.data()[i] * m_y.data()[i]);
        }
        m_backward.weights(m_firstTokens.data(), m_dBefore.data(), m_shape.batch, m_threads);
        m_backward.input(m_dBefore.data(), m_dFirst.data(), m_shape.batch, m_threads);
        std::fill_n(m_output.input(), m_shape.activations(), 0.0F);
        for (std::size_t b = 0; b < batch(); ++b) {
            std::copy_n(m_dFirst.data() + b * width(), width(), m_output.input() + b * sequence());
        }
    }

    std::span<const float> output() const override { return m_output.span(); }

    std::size_t workspaceBytes() const override
    {
        return m_firstTokens.bytes() + m_y.bytes() + m_dBefore.bytes() + m_dFirst.bytes();
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t batch() const { return static_cast<std::size_t>(m_shape.batch); }
    std::size_t sequence() const { return static_cast<std::size_t>(m_shape.sequence) * width(); }

    std::span<const float> m_dy;
    Shape m_shape;
    Threads m_threads;
    GradientOutput m_output;
    LinearBackward m_backward;
    Buffer m_firstTokens; ///< here and below [batch, d]
    Buffer m_y;
    Buffer m_dBefore; ///< the tanh
    Buffer m_dFirst;
};

std::size_t outputsOf(const Head& head, int vocab, const Shape& shape)
{
    switch (head.kind) {
    case HeadKind::lm: return shape.tokens() * static_cast<std::size_t>(vocab);
    case HeadKind::pooler:
        return static_cast<std::size_t>(shape.batch) * static_cast<std::size_t>(shape.dModel);
    case HeadKind::classifier:
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
                                                Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_CHECK(dy.size() == outputsOf(head, vocab, shape));
    return prepared("the head", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        if (head.kind == HeadKind::lm) {
            return std::unique_ptr<Kernel>(std::make_unique<LmHeadBackwardKernel>(
                head, vocab, shape, weights, x, dy, threads));
        }
        if (head.kind == HeadKind::none) {
            return std::unique_ptr<Kernel>(
                std::make_unique<NoHeadBackwardKernel>(shape.activations()));
        }
        const Result<std::unique_ptr<Kernel>> forward =
            prepare(head, vocab, shape, weights, x, threads);
        if (!forward) {
            return forward.error();
        }
        auto kernel = std::make_unique<PoolerBackwardKernel>(head, shape, weights, dy, threads);
        kernel->remember(**forward, x);
        return std::unique_ptr<Kernel>(std::move(kernel));
    });
}

Count bytesNeededBackward(const Head& head, int vocab, const Shape& shape, Threads /*threads*/)
{
    const Count outputs = floatBytes(outputsOf(head, vocab, shape));
    const Count workspace = head.kind == HeadKind::pooler ? 4 * outputs : Count{0};
    return 2 * bytesOf(weights(head, shape.dModel, vocab)) + 2 * floatBytes(shape.activations())
        + outputs + workspace;
}

} // namespace flopsmith::cpu
