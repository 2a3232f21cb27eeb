// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"

#include <cmath>
#include <vector>

namespace flopsmith::reference {

/// `tokens` rows of `width` features.
inline Shape rowsShape(std::size_t tokens, std::size_t width)
{
    const auto rows = static_cast<int>(tokens);
    return {.batch = 1, .sequence = rows, .context = rows, .dModel = static_cast<int>(width)};
}

/// An LM head: its tensors, and the activations saved for the backward pass.
template <class S>
class LmHead
{
public:
    LmHead(const Head& head, int vocab, const Shape& shape, WeightView<S> weights)
        : m_head(head)
        , m_vocab(static_cast<std::size_t>(vocab))
        , m_tokens(shape.tokens())
        , m_scale(headScale(head, shape.dModel))
        , m_weights(weights)
        , m_logits(tensorsBeforeLogits(head))
        , m_width(weights[m_logits].size() / m_vocab)
    {}

    /// y [T, V] from x [T, d].
    void forward(std::span<const S> x, std::span<S> y)
    {
        reach(x);
        for (std::size_t t = 0; t < m_tokens; ++t) {
            logits(row(m_last, t), y.subspan(t * m_vocab, m_vocab));
        }
        if (m_head.capsLogits()) {
            cap(y);
        }
    }

    /// dx and the gradients of all tensors from dy, for the x of the last forward pass.
    void backward(std::span<const S> x,
                  std::span<const S> dy,
                  std::span<S> dx,
                  GradientView<S> gradients) const
    {
        std::vector<S> dLogits(dy.begin(), dy.end());
        for (std::size_t i = 0; m_head.capsLogits() && i < dLogits.size(); ++i) {
            dLogits[i] = dy[i] * (S(1) - m_tanh[i] * m_tanh[i]);
        }
        std::vector<S> dLast(m_last.size());
        for (std::size_t t = 0; t < m_tokens; ++t) {
            logitsBackward(t, dLogits, std::span<S>(dLast), gradients.subspan(m_logits));
        }
        if (m_head.hasScale()) {
            scale(dLast);
        }
        if (m_head.hasTransform()) {
            transformBackward(x, dLast, dx, gradients);
        } else if (m_head.hasProjection()) {
            linearBackward<S>(m_tokens, x, m_weights[0], dLast, dx, gradients[0], nullptr);
        } else {
            std::copy(dLast.begin(), dLast.end(), dx.begin());
        }
    }

private:
    std::span<const S> row(const std::vector<S>& rows, std::size_t t) const
    {
        return std::span<const S>(rows).subspan(t * m_width, m_width);
    }

    std::size_t normTensors() const { return m_head.transformBias ? 2 : 1; }

    void scale(std::vector<S>& values) const
    {
        for (S& value : values) {
            value *= S(m_scale);
        }
    }

    // Computes the input of the product with the vocabulary.
    void reach(std::span<const S> x)
    {
        m_last.assign(x.begin(), x.end());
        if (m_head.hasTransform()) {
            m_dense.resize(m_tokens * m_width);
            linear<S>(
                m_tokens, x, m_weights[0], m_head.transformBias ? &m_weights[1] : nullptr, m_dense);
            m_activated = m_dense;
            activate<S>(m_head.activation, m_activated);
            m_last.resize(m_activated.size());
            reference::forward<S>(m_head.norm,
                                  rowsShape(m_tokens, m_width),
                                  m_weights.subspan(normTensors()),
                                  m_activated,
                                  m_last);
        } else if (m_head.hasProjection()) {
            m_last.resize(m_tokens * m_width);
            linear<S>(m_tokens, x, m_weights[0], nullptr, m_last);
        }
        if (m_head.hasScale()) {
            scale(m_last);
        }
    }

    // One token. W [V, width] is stored as the embedding table is: a row per token of the
    // vocabulary.
    void logits(std::span<const S> token, std::span<S> y) const
    {
        const std::span<const S> w = m_weights[m_logits];
        for (std::size_t v = 0; v < m_vocab; ++v) {
            y[v] = dot(token, w.subspan(v * m_width, m_width));
            if (m_head.bias) {
                y[v] += m_weights[m_logits + 1][v];
            }
        }
    }

    // cap·tanh(y/cap); the tanh is kept.
    void cap(std::span<S> y)
    {
        using std::tanh;
        m_tanh.clear();
        for (S& value : y) {
            m_tanh.push_back(tanh(value * S(1.0 / m_head.softCap)));
            value = m_tanh.back() * S(m_head.softCap);
        }
    }

    // One token's gradients: dx = dy·W, dW (+)= dyᵀ·x, dbias (+)= dy; the first token overwrites.
    void logitsBackward(std::size_t t,
                        const std::vector<S>& dLogits,
                        std::span<S> dLast,
                        GradientView<S> gradients) const
    {
        const std::span<const S> x = row(m_last, t);
        const auto dx = dLast.subspan(t * m_width, m_width);
        const auto dy = std::span<const S>(dLogits).subspan(t * m_vocab, m_vocab);
        for (std::size_t v = 0; v < m_vocab; ++v) {
            for (std::size_t j = 0; j < m_width; ++j) {
                accumulate(dx[j], dy[v] * m_weights[m_logits][v * m_width + j], v == 0);
                accumulate(gradients[0][v * m_width + j], dy[v] * x[j], t == 0);
            }
            if (m_head.bias) {
                accumulate(gradients[1][v], dy[v], t == 0);
            }
        }
    }

    void transformBackward(std::span<const S> x,
                           std::span<const S> dLast,
                           std::span<S> dx,
                           GradientView<S> gradients) const
    {
        std::vector<S> dDense(dLast.size());
        reference::backward<S>(m_head.norm,
                               rowsShape(m_tokens, m_width),
                               m_weights.subspan(normTensors()),
                               m_activated,
                               dLast,
                               dDense,
                               gradients.subspan(normTensors()));
        activateBackward<S>(m_head.activation, m_dense, dDense);
        linearBackward<S>(m_tokens,
                          x,
                          m_weights[0],
                          dDense,
                          dx,
                          gradients[0],
                          m_head.transformBias ? &gradients[1] : nullptr);
    }

    Head m_head;
    std::size_t m_vocab;
    std::size_t m_tokens;
    double m_scale;
    WeightView<S> m_weights;
    std::size_t m_logits; ///< tensor index of their matrix
    std::size_t m_width;
    std::vector<S> m_dense; ///< here and below [T, width]
    std::vector<S> m_activated;
    std::vector<S> m_last; ///< input of the product with the vocabulary
    std::vector<S> m_tanh; ///< [T, V]
};

} // namespace flopsmith::reference
