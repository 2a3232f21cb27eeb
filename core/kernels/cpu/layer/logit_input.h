// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/head.h"

#include <cstdint>

namespace flopsmith::cpu {

/// The steps between an LM head's input x [T, d] and its matrix of logits: transform or projection,
/// then scale. The weights are borrowed.
class LogitInput
{
public:
    LogitInput(const Head& head,
               const Shape& shape,
               WeightView<float> weights,
               Threads threads,
               Precision precision);

    /// Whether there are no steps: the logits are computed from x.
    bool isIdentity() const
    {
        return !m_head.hasTransform() && !m_head.hasProjection() && !m_head.hasScale();
    }

    /// Features of the input of the product with W [V, width].
    std::int64_t width() const { return m_width; }
    std::size_t elements() const { return static_cast<std::size_t>(m_tokens * m_width); }

    /// All steps, x → y [T, width].
    void run(const float* x, float* y) const;

    /// The single steps, for a pass that saves the activations between them.
    void linear(const float* x, float* y) const;
    void activate(float* y) const;
    /// The same of a head with a transform, saving the derivatives for the backward pass.
    void activateKeepingSlopes(float* y, float* slopes) const;
    void normalise(float* y) const;
    void scale(float* y) const;

private:
    Head m_head;
    std::int64_t m_tokens;
    std::int64_t m_dModel;
    std::int64_t m_width;
    WeightView<float> m_weights;
    Threads m_threads;
    Precision m_precision;
};

/// Features of the input of an LM head's product with W [V, width].
std::int64_t logitWidth(const Head& head, const Shape& shape, WeightView<float> weights);

/// values ← factor·values.
void scaleValues(float* values, std::size_t count, float factor, Threads threads);

} // namespace flopsmith::cpu
