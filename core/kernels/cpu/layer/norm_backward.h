// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/weights.h"
#include "core/layer/norm.h"

#include <cstdint>
#include <span>

namespace flopsmith::cpu {

/// The backward pass of a norm over [tokens, d]. Weights and gradients are borrowed and begin with
/// the norm's own.
class NormBackward
{
public:
    NormBackward(const Norm& norm,
                 std::int64_t tokens,
                 int dModel,
                 WeightView<float> weights,
                 GradientSpans gradients,
                 Threads threads);

    /// Saves x normalised and the rstd (1/σ) of each token.
    void save(const float* x);

    /// The same, and y = norm(x) unless y is null.
    void save(std::span<const float> x, float* y);

    /// dx and the gradients of the weights from dy; dx must not alias dy.
    void run(const float* dy, float* dx);

private:
    float* partial(int part);
    void tokenBackward(const float* n, float rstd, const float* dy, float* dx) const;
    void addToGradients(const float* n, const float* dy, float* sums) const;
    void sumPartials();

    Norm m_norm;
    std::int64_t m_tokens;
    std::size_t m_dModel;
    WeightView<float> m_weights;
    GradientSpans m_gradients;
    Threads m_threads; ///< as many as are worth waking
    Buffer m_normalised;
    Buffer m_rstd;
    Buffer m_partials; ///< dγ and dβ, per thread
};

} // namespace flopsmith::cpu
