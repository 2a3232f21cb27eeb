// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

#include <utility>

// FFNs with one hidden layer: y = down(up(x)). Variants differ in the hidden layer's formula and in
// how a projection multiplies.
//
// A projection multiplies with W [in, out], dense or factorised, and may add a bias:
//   product(x, y)          y = x·W
//   run(x, y)              y = x·W + b
//   bias()                 null if there is none
//   prepareBackward(g)     call before run() and backward(); g receives the gradients
//   backward(x, dy, dx)    for the x of the last run(): the gradient of W, then dx = dy·Wᵀ
//   biasGradient()         destination of the caller's Σ dy; empty without a bias
//
// `Up` computes the hidden layer:
//   run(x, hidden)
//   prepareBackward(g)     call before save() and backward()
//   save(x, hidden)        the same as run(), and saves what backward() reads
//   backward(x, dh, dx)    all gradients from dh, that of the hidden layer, which is overwritten
namespace flopsmith::cuda {

/// Allocates nothing without a bias.
inline ColumnSums biasSums(const Device& device,
                           const float* bias,
                           std::int64_t tokens,
                           int columns)
{
    return {device, bias == nullptr ? 0 : tokens, columns};
}

/// y = x·W + b by one product.
class DenseProjection
{
public:
    /// `weights`: W and perhaps b; gradients likewise.
    DenseProjection(const Device& device,
                    int in,
                    int out,
                    std::int64_t tokens,
                    DeviceWeights weights)
        : m_tokens(tokens)
        , m_linear(device,
                   in,
                   out,
                   weights[0],
                   weights.size() > 1 ? weights[1] : DeviceSpan<const float>())
    {}

    const float* bias() const { return m_linear.bias(); }
    void product(const Operand& x, const Destination& y) { m_linear.product(x, m_tokens, y); }
    void run(const Operand& x, const Destination& y) { m_linear.run(x, m_tokens, y); }

    void prepareBackward(DeviceGradients gradients) { m_gradients = gradients; }
    void backward(const Operand& x,
                  const Operand& dy,
                  const Destination& dx,
                  Into into = Into::overwrite)
    {
        m_linear.backward(x, dy, m_tokens, m_gradients[0], dx, into);
    }
    DeviceSpan<float> biasGradient() const
    {
        return m_gradients.size() > 1 ? m_gradients[1] : DeviceSpan<float>();
    }

private:
    std::int64_t m_tokens;
    Linear m_linear;
    DeviceGradients m_gradients;
};

/// An `Up` with one projection: hidden = act(x·W + b).
template <class Projection>
class ActivatedUp
{
public:
    ActivatedUp(const Device& device,
                Activation activation,
                std::int64_t tokens,
                int dFf,
                Projection projection)
        : m_device(&device)
        , m_activation(activation)
        , m_tokens(tokens)
        , m_dFf(dFf)
        , m_projection(std::move(projection))
    {}

    void run(const Operand& x, const Destination& hidden)
    {
        m_projection.product(x, hidden);
        activate(m_projection.bias(), hidden, hidden);
    }

    void prepareBackward(DeviceGradients gradients)
    {
        m_projection.prepareBackward(gradients);
        m_before = OperandBuffer(*m_device, static_cast<std::size_t>(m_tokens * m_dFf));
        m_biasSums = biasSums(*m_device, m_projection.bias(), m_tokens, m_dFf);
    }

    void save(const Operand& x, const Destination& hidden)
    {
        const Destination before = m_before.rows(m_dFf);
        m_projection.run(x, before);
        activate(nullptr, before, hidden);
    }

    void backward(const Operand& x, const Destination& dHidden, const Destination& dx)
    {
        activateBackward(
            *m_device, m_activation, m_tokens, m_dFf, m_before.rows(m_dFf), dHidden, dHidden);
        m_projection.backward(x, dHidden, dx);
        if (m_projection.bias() != nullptr) {
            m_biasSums.run(dHidden, m_tokens, m_projection.biasGradient().data());
        }
    }

private:
    void activate(const float* bias, const Operand& from, const Destination& to)
    {
        addBiasAndActivate(*m_device, m_activation, bias, m_tokens, m_dFf, from, to);
    }

    const Device* m_device;
    Activation m_activation;
    std::int64_t m_tokens;
    int m_dFf;
    Projection m_projection;
    OperandBuffer m_before; ///< input of the activation, saved for the backward pass
    ColumnSums m_biasSums;
};

/// The forward pass.
template <class Up, class Down>
class HiddenStage : public Stage
{
public:
    HiddenStage(const Device& device, const StageSize& size, int dFf, Up up, Down down)
        : m_size(size)
        , m_dFf(dFf)
        , m_up(std::move(up))
        , m_down(std::move(down))
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, static_cast<std::size_t>(size.tokens * dFf))
    {}

    void run(const float* x, float* y) override
    {
        const Destination hidden = m_hidden.rows(m_dFf);
        m_up.run(m_x.of(x, m_size.tokens, m_size.dModel), hidden);
        m_down.run(hidden, destinationAt(y, m_size.dModel));
    }

private:
    StageSize m_size;
    int m_dFf;
    Up m_up;
    Down m_down;
    RoundedRows m_x;
    OperandBuffer m_hidden;
};

/// The backward pass. Saves the rounded input and the hidden layer.
template <class Up, class Down>
class HiddenBackwardStage : public BackwardStage
{
public:
    HiddenBackwardStage(const Device& device, const StageSize& size, int dFf, Up up, Down down)
        : m_size(size)
        , m_dFf(dFf)
        , m_up(std::move(up))
        , m_down(std::move(down))
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_dy(device, static_cast<std::size_t>(size.activations()))
        , m_hidden(device, static_cast<std::size_t>(size.tokens * dFf))
        , m_dHidden(device, static_cast<std::size_t>(size.tokens * dFf))
        , m_outSums(biasSums(device, m_down.bias(), size.tokens, size.dModel))
    {}

    void save(const float* x, float* y) override
    {
        const Destination hidden = m_hidden.rows(m_dFf);
        m_xRounded = m_x.of(x, m_size.tokens, m_size.dModel);
        m_up.save(m_xRounded, hidden);
        m_down.run(hidden, destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const Destination dHidden = m_dHidden.rows(m_dFf);
        m_down.backward(m_hidden.rows(m_dFf), m_dy.of(dy, tokens, d), dHidden);
        m_up.backward(m_xRounded, dHidden, destinationAt(dx, d));
        if (m_down.bias() != nullptr) {
            m_outSums.run(operandAt(dy, d), tokens, m_down.biasGradient().data());
        }
    }

private:
    StageSize m_size;
    int m_dFf;
    Up m_up;
    Down m_down;
    RoundedRows m_x;
    Operand m_xRounded; ///< of the last save()
    RoundedRows m_dy;
    OperandBuffer m_hidden;
    OperandBuffer m_dHidden;
    ColumnSums m_outSums;
};

/// The two halves of a variant, and how many tensors each has.
template <class Up, class Down>
struct HiddenParts
{
    Up up;
    Down down;
    std::size_t upTensors; ///< those of `down` follow
    std::size_t downTensors;
};

template <class Up, class Down>
std::unique_ptr<Stage> makeHiddenStage(const Device& device,
                                       const StageSize& size,
                                       int dFf,
                                       HiddenParts<Up, Down> parts)
{
    return std::make_unique<HiddenStage<Up, Down>>(
        device, size, dFf, std::move(parts.up), std::move(parts.down));
}

template <class Up, class Down>
std::unique_ptr<BackwardStage> makeHiddenBackwardStage(const Device& device,
                                                       const StageSize& size,
                                                       int dFf,
                                                       HiddenParts<Up, Down> parts,
                                                       DeviceGradients gradients)
{
    parts.up.prepareBackward(gradients.subspan(0, parts.upTensors));
    parts.down.prepareBackward(gradients.subspan(parts.upTensors, parts.downTensors));
    return std::make_unique<HiddenBackwardStage<Up, Down>>(
        device, size, dFf, std::move(parts.up), std::move(parts.down));
}

} // namespace flopsmith::cuda
