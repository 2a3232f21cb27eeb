// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/factored/kronecker.h"
#include "core/kernels/cuda/gemm/product.h"
#include "core/kernels/cuda/stage.h"

#include <vector>

namespace flopsmith::cuda {

/// One of the two products of a Kronecker matrix, for all tokens. The factors of all terms are
/// stacked in one dense matrix [in, out], ordered so that its output is the other product's input;
/// entries that a sparse factor does not keep are zeros.
///   along    y = x·F, features contiguous: one large product of [tokens·others, in]
///   across   y_t = Fᵀ·x_t, features `others` apart: one product per token
class KroneckerProduct
{
public:
    enum class Direction { along, across };

    struct Sizes
    {
        Direction direction = Direction::along;
        int in = 1;
        int out = 1;
        int others = 1; ///< per token
    };

    /// `places`: the index of each entry of the factor in the dense matrix.
    KroneckerProduct(const Device& device,
                     const Sizes& sizes,
                     const std::vector<std::int64_t>& places,
                     DeviceSpan<const float> entries,
                     std::int64_t tokens);

    std::int64_t inputs() const { return std::int64_t{m_sizes.in} * m_sizes.others; } ///< per token
    std::int64_t outputs() const { return std::int64_t{m_sizes.out} * m_sizes.others; }

    void run(const Operand& x, const Destination& y) const;

    void prepareBackward();
    void backward(const Operand& x,
                  const Operand& dy,
                  const Destination& dx,
                  DeviceSpan<float> dEntries);

private:
    void sumOverTokens(const Operand& x, const Operand& dy);

    const Device* m_device;
    Sizes m_sizes;
    std::int64_t m_tokens;
    DeviceBuffer<std::int64_t> m_places;
    DeviceBuffer<float> m_dense;
    RoundedRows m_rounded;
    Operand m_factor;
    DeviceBuffer<float> m_gradient; ///< of the dense matrix
    std::int64_t m_tokensAtOnce = 0;
    DeviceBuffer<float> m_partial; ///< [tokens at once, in, out]
};

/// A projection (see hidden_stage.h) by two products, in the matrix's order.
class KroneckerLayer
{
public:
    /// `weights`: left factors, right factors and perhaps a bias; `a`, `b`: the columns of the kept
    /// entries of left and right factors.
    KroneckerLayer(const Device& device,
                   const KroneckerMatrix& matrix,
                   const std::vector<int>& a,
                   const std::vector<int>& b,
                   DeviceWeights weights,
                   std::int64_t tokens);

    const float* bias() const { return m_bias; } ///< null if there is none

    void product(const Operand& x, const Destination& y);
    void run(const Operand& x, const Destination& y);

    void prepareBackward(DeviceGradients gradients);
    void backward(const Operand& x, const Operand& dy, const Destination& dx);
    DeviceSpan<float> biasGradient() const { return m_gradients[2]; }

private:
    const Device* m_device;
    bool m_rightFirst;
    std::int64_t m_tokens;
    int m_out;
    KroneckerProduct m_first;
    KroneckerProduct m_second;
    const float* m_bias;
    OperandBuffer m_between;
    OperandBuffer m_dBetween;
    DeviceGradients m_gradients;
};

} // namespace flopsmith::cuda
