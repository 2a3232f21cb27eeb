// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class NoHeadKernel : public Kernel
{
public:
    void run() override {}
    std::span<const float> output() const override { return {}; }
    std::size_t workspaceBytes() const override { return 0; }
};

class LmHeadKernel : public Kernel
{
public:
    LmHeadKernel(const Head& head,
                 int vocab,
                 const Shape& shape,
                 WeightView<float> w,
                 std::span<const float> x,
                 Threads threads)
        : m_x(x)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_threads(threads)
        , m_linear(shape.dModel, vocab, w[0].data(), head.bias ? w[1].data() : nullptr)
        , m_y(shape.tokens() * static_cast<std::size_t>(vocab))
    {
        m_linear.transposed();
    }

    void run() override { m_linear.run(m_x.data(), m_y.data(), m_tokens, m_threads); }
    std::span<const float> output() const override { return m_y.span(); }
    std::size_t workspaceBytes() const override { return 0; }

private:
    std::span<const float> m_x;
    std::int64_t m_tokens;
    Threads m_threads;
    Linear m_linear;
    Buffer m_y;
};

class PoolerKernel : public Kernel
{
public:
    PoolerKernel(const Shape& shape, WeightView<float> w, std::span<const float> x, Threads threads)
        : m_x(x)
        , m_shape(shape)
        , m_threads(threads)
        , m_linear(shape.dModel, shape.dModel, w[0].data(), w[1].data())
        , m_firstTokens(static_cast<std::size_t>(shape.batch) * width())
        , m_y(m_firstTokens.size())
    {}

    void run() override
    {
        const std::size_t sequence = static_cast<std::size_t>(m_shape.sequence) * width();
        for (std::size_t b = 0; b < static_cast<std::size_t>(m_shape.batch); ++b) {
            std::copy_n(m_x.data() + b * sequence, width(), m_firstTokens.data() + b * width());
        }
        m_linear.run(m_firstTokens.data(), m_y.data(), m_shape.batch, m_threads);
        tanhRow(m_y.data(), m_y.size());
    }

    std::span<const float> output() const override { return m_y.span(); }
    std::size_t workspaceBytes() const override { return m_firstTokens.bytes(); }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }

    std::span<const float> m_x;
    Shape m_shape;
    Threads m_threads;
    Linear m_linear;
    Buffer m_firstTokens; ///< [batch, d]
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Head& head,
                                        int vocab,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        std::span<const float> x,
                                        Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    return prepared("the head", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        switch (head.kind) {
        case HeadKind::lm:
            return std::unique_ptr<Kernel>(
                std::make_unique<LmHeadKernel>(head, vocab, shape, weights, x, threads));
        case HeadKind::pooler:
            return std::unique_ptr<Kernel>(
                std::make_unique<PoolerKernel>(shape, weights, x, threads));
        case HeadKind::classifier:
        case HeadKind::none: break;
        }
        return std::unique_ptr<Kernel>(std::make_unique<NoHeadKernel>());
    });
}

Count bytesNeeded(const Head& head, int vocab, const Shape& shape, Threads /*threads*/)
{
    const Count weightBytes = bytesOf(weights(head, shape.dModel, vocab));
    const Count rows = Count{sizeof(float)} * shape.batch * shape.dModel;
    switch (head.kind) {
    case HeadKind::lm:
        return weightBytes + floatBytes(shape.activations()) + floatBytes(shape.tokens()) * vocab;
    case HeadKind::pooler: return weightBytes + floatBytes(shape.activations()) + 2 * rows;
    case HeadKind::classifier:
    case HeadKind::none: break;
    }
    return floatBytes(shape.activations());
}

} // namespace flopsmith::cpu
