// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

namespace flopsmith::cuda {

/// What the backward passes of FFNs with one hidden layer have in common: they keep the input as
/// products read it and the hidden layer, and add up gradients for the biases at both ends.
class HiddenLayerBackward
{
public:
    HiddenLayerBackward(const Device& device, const StageSize& size, int dFf, bool bias)
        : m_size(size)
        , m_dFf(dFf)
        , m_xRows(device, static_cast<std::size_t>(size.activations()))
        , m_dyRows(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, elements())
        , m_dHidden(device, elements())
        , m_hiddenSums(device, bias ? size.tokens : 0, dFf)
        , m_outSums(device, bias ? size.tokens : 0, size.dModel)
    {}

    /// Values of the hidden layer.
    std::size_t elements() const { return static_cast<std::size_t>(m_size.tokens * m_dFf); }

    /// x [tokens, d] of the forward pass, rounded if need be: x() until it is called again.
    const Operand& remember(const float* x)
    {
        m_x = m_xRows.of(x, m_size.tokens, m_size.dModel);
        return m_x;
    }
    const Operand& x() const { return m_x; }
    /// dy [tokens, d] rounded likewise.
    Operand rounded(const float* dy) { return m_dyRows.of(dy, m_size.tokens, m_size.dModel); }

    Destination hidden() const { return m_hidden.rows(m_dFf); } ///< [tokens, d_ff]
    Destination dHidden() const { return m_dHidden.rows(m_dFf); }

    /// The gradients of a bias of the hidden layer, and of the last one.
    void sumHidden(const Operand& dHidden, DeviceSpan<float> gradient)
    {
        m_hiddenSums.run(dHidden, m_size.tokens, gradient.data());
    }
    void sumOut(const float* dy, DeviceSpan<float> gradient)
    {
        m_outSums.run(operandAt(dy, m_size.dModel), m_size.tokens, gradient.data());
    }

private:
    StageSize m_size;
    int m_dFf;
    RoundedRows m_xRows;
    Operand m_x;
    RoundedRows m_dyRows;
    OperandBuffer m_hidden;
    OperandBuffer m_dHidden;
    ColumnSums m_hiddenSums;
    ColumnSums m_outSums;
};

} // namespace flopsmith::cuda
