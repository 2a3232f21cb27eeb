// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flopsmith::reference {

/// A pooler, a classifier, or a pooler followed by a classifier: heads that read the first token of
/// each sequence.
template <class S>
class FirstTokenHead
{
public:
    FirstTokenHead(const Head& head, const Shape& shape, WeightView<S> weights)
        : m_head(head)
        , m_batch(static_cast<std::size_t>(shape.batch))
        , m_sequence(static_cast<std::size_t>(shape.sequence))
        , m_d(static_cast<std::size_t>(shape.dModel))
        , m_weights(weights)
        , m_classes(head.hasPooler() ? 2 : 0)
    {}

    /// y [batch, d] of a pooler, [batch, classes] of a classifier.
    void forward(std::span<const S> x, std::span<S> y)
    {
        m_first.clear();
        for (std::size_t b = 0; b < m_batch; ++b) {
            const auto token = x.subspan(b * m_sequence * m_d, m_d);
            m_first.insert(m_first.end(), token.begin(), token.end());
        }
        m_pooled = m_first;
        if (m_head.hasPooler()) {
            pool();
        }
        if (isClassifier()) {
            linear<S>(m_batch, m_pooled, m_weights[m_classes], classBias(m_weights), y);
        } else {
            std::copy(m_pooled.begin(), m_pooled.end(), y.begin());
        }
    }

    /// For the x of the last forward pass.
    void backward(std::span<const S> dy, std::span<S> dx, GradientView<S> gradients) const
    {
        std::vector<S> dPooled(dy.begin(), dy.end());
        if (isClassifier()) {
            dPooled.resize(m_pooled.size());
            linearBackward<S>(m_batch,
                              m_pooled,
                              m_weights[m_classes],
                              dy,
                              dPooled,
                              gradients[m_classes],
                              classBias(gradients));
        }
        if (m_head.hasPooler()) {
            poolBackward(dPooled, gradients);
        }
        std::fill(dx.begin(), dx.end(), S(0));
        for (std::size_t b = 0; b < m_batch; ++b) {
            const auto token = std::span<const S>(dPooled).subspan(b * m_d, m_d);
            std::copy(token.begin(), token.end(), dx.subspan(b * m_sequence * m_d, m_d).begin());
        }
    }

private:
    bool isClassifier() const { return m_head.kind == HeadKind::classifier; }

    template <class Tensors>
    auto* classBias(Tensors tensors) const
    {
        return m_head.bias ? &tensors[m_classes + 1] : nullptr;
    }

    void pool()
    {
        using std::tanh;
        linear<S>(m_batch, m_first, m_weights[0], &m_weights[1], m_pooled);
        for (S& value : m_pooled) {
            value = tanh(value);
        }
    }

    // Turns dPooled into the gradient of the first tokens, in place.
    void poolBackward(std::vector<S>& dPooled, GradientView<S> gradients) const
    {
        std::vector<S> dDense(dPooled.size());
        for (std::size_t i = 0; i < dDense.size(); ++i) {
            dDense[i] = dPooled[i] * (S(1) - m_pooled[i] * m_pooled[i]);
        }
        linearBackward<S>(
            m_batch, m_first, m_weights[0], dDense, dPooled, gradients[0], &gradients[1]);
    }

    const Head& m_head;
    std::size_t m_batch;
    std::size_t m_sequence;
    std::size_t m_d;
    WeightView<S> m_weights;
    std::size_t m_classes; ///< tensor index of their matrix
    std::vector<S> m_first; ///< [batch, d]
    std::vector<S> m_pooled; ///< [batch, d]; the first tokens themselves without a pooler
};

} // namespace flopsmith::reference
