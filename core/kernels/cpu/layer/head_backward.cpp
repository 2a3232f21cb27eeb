// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/layer/head_outputs.h"
#include "core/kernels/cpu/layer/lm_head_backward.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Without a head dx is 0.
struct NoHeadBackward
{
    std::size_t inputs;

    void save(std::span<const float> /*x*/, float* /*y*/) const {}
    void run(const float* /*dy*/, float* dx) const { std::fill_n(dx, inputs, 0.0F); }
};

// Of heads that read the first token of each sequence.
class FirstTokenBackward
{
public:
    FirstTokenBackward(const Head& head,
                       const Shape& shape,
                       WeightView<float> w,
                       GradientSpans gradients,
                       Threads threads,
                       Precision precision)
        : m_head(head)
        , m_gradients(gradients)
        , m_shape(shape)
        , m_weights(w)
        , m_threads(threads)
        , m_precision(precision)
        , m_firstTokens(batch() * width())
        , m_pooled(head.hasPooler() ? m_firstTokens.size() : 0)
        , m_dPooled(m_firstTokens.size())
        , m_dFirst(head.hasPooler() ? m_firstTokens.size() : 0)
    {}

    // y may be null.
    void save(std::span<const float> x, float* y)
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
        if (y != nullptr && m_head.kind == HeadKind::classifier) {
            const std::size_t at = classTensor();
            Linear classes(m_shape.dModel,
                           m_head.classes,
                           m_weights[at].data(),
                           m_head.bias ? m_weights[at + 1].data() : nullptr);
            classes.computedIn(m_precision).run(lastRows().data(), y, m_shape.batch, m_threads);
        } else if (y != nullptr) {
            std::copy_n(lastRows().data(), lastRows().size(), y);
        }
    }

    void run(const float* dy, float* dx)
    {
        if (m_head.kind == HeadKind::classifier) {
            classesBackward(dy);
        } else {
            std::copy_n(dy, m_dPooled.size(), m_dPooled.data());
        }
        const float* dFirst = m_dPooled.data();
        if (m_head.hasPooler()) {
            poolBackward();
            dFirst = m_dFirst.data();
        }
        std::fill_n(dx, m_shape.activations(), 0.0F);
        for (std::size_t b = 0; b < batch(); ++b) {
            std::copy_n(dFirst + b * width(), width(), dx + b * sequence());
        }
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(m_shape.dModel); }
    std::size_t batch() const { return static_cast<std::size_t>(m_shape.batch); }
    std::size_t sequence() const { return static_cast<std::size_t>(m_shape.sequence) * width(); }

    // The input of the classes, or the output without them.
    const Buffer& lastRows() const { return m_head.hasPooler() ? m_pooled : m_firstTokens; }
    std::size_t classTensor() const { return m_head.hasPooler() ? 2 : 0; }

    void classesBackward(const float* dy)
    {
        const std::size_t at = classTensor();
        LinearBackward classes(m_shape.dModel,
                               m_head.classes,
                               m_weights[at].data(),
                               m_gradients[at],
                               m_head.bias ? m_gradients[at + 1] : std::span<float>());
        classes.computedIn(m_precision).weights(lastRows().data(), dy, m_shape.batch, m_threads);
        classes.input(dy, m_dPooled.data(), m_shape.batch, m_threads);
    }

    void poolBackward()
    {
        for (std::size_t i = 0; i < m_pooled.size(); ++i) {
            m_dPooled.data()[i] *= 1.0F - m_pooled.data()[i] * m_pooled.data()[i];
        }
        LinearBackward dense(
            m_shape.dModel, m_shape.dModel, m_weights[0].data(), m_gradients[0], m_gradients[1]);
        dense.computedIn(m_precision)
            .weights(m_firstTokens.data(), m_dPooled.data(), m_shape.batch, m_threads);
        dense.input(m_dPooled.data(), m_dFirst.data(), m_shape.batch, m_threads);
    }

    Head m_head;
    GradientSpans m_gradients;
    Shape m_shape;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
    Buffer m_firstTokens; ///< here and below [batch, d]
    Buffer m_pooled;
    Buffer m_dPooled; ///< of the output of tanh, then of its input
    Buffer m_dFirst;
};

} // namespace

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const Head& head,
                                                        int vocab,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    FLOPSMITH_CHECK(x.size() == shape.activations());
    FLOPSMITH_CHECK(dy.size() == headOutputs(head, vocab, shape));
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return prepared<TrainingKernel>("the head", threads, [&] {
        if (head.isOfEveryToken()) {
            return lmHeadBackward(
                head.computed(), vocab, shape, weights, x, dy, threads, precision);
        }
        GradientOutput output(x.size(), flopsmith::weights(head, shape.dModel, 0));
        if (head.kind == HeadKind::none) {
            return backwardKernel(NoHeadBackward{x.size()}, std::move(output), x, dy);
        }
        FirstTokenBackward pass(head, shape, weights, output.gradients(), threads, precision);
        return backwardKernel(std::move(pass), std::move(output), x, dy);
    });
}

} // namespace flopsmith::cpu
