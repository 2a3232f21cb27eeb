// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace flopsmith {

/// One operation made ready to run again and again on one device: weights packed, transforms
/// planned, buffers touched, threads started. All of that happens in the function that makes it,
/// so that run() is the work and nothing else: it allocates no memory (libraries may, to
/// pack the operands of a product) and may be timed.
///
/// What a kernel was made from (weights, inputs) is borrowed: it must outlive the kernel and stay
/// where it is. Inputs may change their values between runs. One thread runs a kernel at a time.
class Kernel
{
public:
    virtual ~Kernel() = default;
    Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// Computes output() from the inputs.
    virtual void run() = 0;

    /// Of the last run, in the host's memory; its size is known before the first.
    virtual std::span<const float> output() const = 0;
};

/// A backward pass as training uses it: between two runs, inputs and weights change.
class TrainingKernel : public Kernel
{
public:
    /// The forward pass of training: the operation's output for the inputs and weights as they are
    /// now. It keeps what the next run() reads. Preparing has done this once.
    virtual void forward(std::span<float> y) = 0;
};

} // namespace flopsmith
