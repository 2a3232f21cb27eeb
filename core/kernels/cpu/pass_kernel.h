// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/kernel.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

// The common frame of every kernel of a mixer or layer. A pass owns the scratch of its steps and is
// moved into the kernel, so that it may point to its buffers but not to itself.
namespace flopsmith::cpu {

/// A forward pass, which has run(input, y), with its borrowed input and its output.
template <class Pass, class Input>
class ForwardKernel : public Kernel
{
public:
    ForwardKernel(Pass pass, const Input& input, std::size_t outputs)
        : m_pass(std::move(pass))
        , m_input(input)
        , m_y(outputs)
    {}

    void run() override { m_pass.run(m_input, m_y.data()); }
    std::span<const float> output() const override { return m_y.span(); }

private:
    Pass m_pass;
    Input m_input;
    Buffer m_y;
};

template <class Pass, class Input>
std::unique_ptr<Kernel> forwardKernel(Pass pass, const Input& input, std::size_t outputs)
{
    return std::make_unique<ForwardKernel<Pass, Input>>(std::move(pass), input, outputs);
}

/// A backward pass with its borrowed input and dy: save(input, y) is the forward pass, whose y may be
/// null, and run(dy, dx) writes the gradients of the weights to the output's gradients().
template <class Pass, class Input>
class BackwardKernel : public TrainingKernel
{
public:
    BackwardKernel(Pass pass, GradientOutput output, const Input& input, std::span<const float> dy)
        : m_pass(std::move(pass))
        , m_output(std::move(output))
        , m_input(input)
        , m_dy(dy)
    {
        m_pass.save(m_input, nullptr);
    }

    void forward(std::span<float> y) override { m_pass.save(m_input, y.data()); }
    void run() override { m_pass.run(m_dy.data(), m_output.input()); }
    std::span<const float> output() const override { return m_output.span(); }

private:
    Pass m_pass;
    GradientOutput m_output;
    Input m_input;
    std::span<const float> m_dy;
};

template <class Pass, class Input>
std::unique_ptr<TrainingKernel> backwardKernel(Pass pass,
                                               GradientOutput output,
                                               const Input& input,
                                               std::span<const float> dy)
{
    return std::make_unique<BackwardKernel<Pass, Input>>(
        std::move(pass), std::move(output), input, dy);
}

} // namespace flopsmith::cpu
