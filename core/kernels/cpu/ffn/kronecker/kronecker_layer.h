// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/factored/kronecker.h"
#include "core/kernels/cpu/ffn/kronecker/factor_product.h"
#include "core/kernels/weights.h"

#include <array>
#include <cstdint>
#include <memory>

namespace flopsmith::cpu {

/// y = act(x·W + b) with a Kronecker matrix W, as two factor products in the order of the cost.
/// On one thread it may be called from within onThreads().
class KroneckerLayer
{
public:
    /// `tensors` are those of W: the left factors, the right ones, the bias if there is one.
    KroneckerLayer(const KroneckerMatrix& matrix,
                   const std::vector<int>& columnsOfA,
                   const std::vector<int>& columnsOfB,
                   WeightView<float> tensors,
                   bool bias,
                   Passes passes,
                   Precision precision);

    KroneckerLayer& activatedBy(Activation activation);

    /// Elements per token: of the input, between the two products, and of the output.
    std::int64_t inputs() const { return m_first->inputs(); }
    std::int64_t between() const { return m_first->outputs(); }
    std::int64_t outputs() const { return m_second->outputs(); }
    std::int64_t macsPerToken() const { return m_first->macsPerToken() + m_second->macsPerToken(); }

    /// Floats of scratch per thread; the threads' parts are contiguous.
    std::int64_t scratchElements() const;

    /// `between` [tokens, between()] receives the output of the first product.
    void forward(const float* x,
                 float* between,
                 float* y,
                 std::int64_t tokens,
                 Threads threads,
                 float* scratch) const;

    /// Gradients of the left factors, the right ones and the bias; those of the factors have a
    /// layout of their own (see unpack()).
    using Gradients = std::array<float*, 3>;
    std::array<std::int64_t, 3> gradientElements() const;

    /// dx and the gradients from dy, the gradient of x·W + b. `dBetween` is scratch like `between`.
    void backward(const float* x,
                  const float* between,
                  const float* dy,
                  float* dBetween,
                  float* dx,
                  std::int64_t tokens,
                  Threads threads,
                  const Gradients& gradients,
                  Into into,
                  float* scratch) const;

    /// to (+)= the gradient of one tensor, in the layout of its weights.
    void unpack(std::size_t tensor, const float* gradient, float* to, Into into) const;

    /// Whether the two layouts differ.
    bool needsUnpacking(std::size_t tensor) const;

private:
    void activate(float* y, const Range& elements) const;

    std::unique_ptr<FactorProduct> m_first;
    std::unique_ptr<FactorProduct> m_second;
    std::size_t m_tensorOfFirst; ///< 0 for the left factors, 1 for the right ones
    const float* m_bias; ///< null without one
    Activation m_activation = Activation::none;
};

} // namespace flopsmith::cpu
