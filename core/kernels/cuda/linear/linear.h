// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"
#include "core/layer/activation.h"

namespace flopsmith::cuda {

/// A linear layer with weights W [in, out] and an optional bias, both borrowed; in bfloat16 it
/// keeps a rounded copy of W. Operands have the device's operandElement(); see RoundedRows.
class Linear
{
public:
    Linear(const Device& device,
           int in,
           int out,
           DeviceSpan<const float> weight,
           DeviceSpan<const float> bias = {});

    int in() const { return m_in; }
    int out() const { return m_out; }
    const float* bias() const { return m_bias; } ///< null if there is none

    /// y = x·W without the bias; see addBiasAndActivate() and run().
    void product(const Operand& x,
                 std::int64_t rows,
                 const Destination& y,
                 Into into = Into::overwrite) const;

    /// y = x·W + b
    void run(const Operand& x, std::int64_t rows, const Destination& y) const;

    /// dx = dy·Wᵀ
    void productBackward(const Operand& dy,
                         std::int64_t rows,
                         const Destination& dx,
                         Into into = Into::overwrite) const;

    /// The backward pass of y = x·W: dW = xᵀ·dy, then dx as productBackward().
    void backward(const Operand& x,
                  const Operand& dy,
                  std::int64_t rows,
                  DeviceSpan<float> dWeight,
                  const Destination& dx,
                  Into into = Into::overwrite) const;

private:
    const Device* m_device;
    int m_in;
    int m_out;
    RoundedRows m_rounded;
    Operand m_weight;
    const float* m_bias;
};

/// dW = xᵀ·dy [in, out] of `rows` rows.
void weightGradient(const Device& device,
                    const Operand& x,
                    const Operand& dy,
                    std::int64_t rows,
                    int in,
                    int out,
                    DeviceSpan<float> gradient);

/// to = act(from + bias), element by element; in place if both are the same. `bias` may be null.
void addBiasAndActivate(const Device& device,
                        Activation activation,
                        const float* bias,
                        std::int64_t rows,
                        std::int64_t columns,
                        const Operand& from,
                        const Destination& to);

/// to = dy·act'(x), element by element; `to` may be dy.
void activateBackward(const Device& device,
                      Activation activation,
                      std::int64_t rows,
                      std::int64_t columns,
                      const Operand& x,
                      const Operand& dy,
                      const Destination& to);

/// Column sums of a matrix, for gradients of biases. The order of summation is fixed, so that
/// results are reproducible to the bit.
class ColumnSums
{
public:
    ColumnSums() = default;
    /// Workspace for up to `rows` rows of `columns`.
    ColumnSums(const Device& device, std::int64_t rows, std::int64_t columns);

    void run(const Operand& from, std::int64_t rows, float* sums);

    /// Column sums of a ⊙ b, both [rows, columns] without gaps.
    void runOfProducts(const float* a, const float* b, std::int64_t rows, float* sums);

private:
    void addParts(std::int64_t parts, float* sums);

    const Device* m_device = nullptr;
    std::int64_t m_columns = 0;
    DeviceBuffer<float> m_partial; ///< [parts, columns]
};

} // namespace flopsmith::cuda
