// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/kernels/cuda/gemm/product.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace flopsmith::cuda {

/// A matrix of float32 on the device and, where a backward pass wants it, its gradient of the same
/// layout. Plans own tensors and hand out pointers.
struct Tensor
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0; ///< from row to row
    float* values = nullptr;
    float* gradient = nullptr; ///< null: none is wanted
    Tensor* whole = nullptr; ///< of a view
    std::int64_t first = 0; ///< element of the whole where a view begins
    bool borrowed = false; ///< several runs read it: nothing may be written in its place
    bool constant = false; ///< written before the plan runs
    bool reached = false; ///< a backward step writes the gradient
    __nv_bfloat16* rounded = nullptr; ///< the values as operands, once a product reads them
    __nv_bfloat16* roundedGradient = nullptr;

    std::int64_t elements() const { return rows * columns; }
};

/// Consecutive tensors of a layer's weights, in the order of its WeightShapes.
using Tensors = std::span<Tensor* const>;

/// The tensor, or null where it is absent.
inline Tensor* tensorAt(Tensors weights, std::size_t place)
{
    return place == 0 ? nullptr : weights[place];
}

enum class Pass { forward, backward };

/// What a kernel enqueues: library calls and kernels on buffers that were allocated when it was made.
/// An operation pushes its forward steps and behind them those that lead its gradients back; the
/// backward pass takes operations from the last to the first. Steps neither wait nor allocate.
class Plan
{
public:
    using Step = std::function<void()>;

    Plan(const Device& device, Pass pass);
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    const Device& device() const { return m_device; }
    bool learns() const { return m_pass == Pass::backward; }

    /// An intermediate result. Without a backward pass `like` gives a tensor to overwrite in place.
    Tensor* tensor(std::int64_t rows, std::int64_t columns);
    Tensor* like(Tensor* x);
    /// The same without a gradient.
    Tensor* still(std::int64_t rows, std::int64_t columns);
    /// What is copied from the host: inputs or weights, and what never changes nor learns.
    Tensor* input(std::span<const float> values, std::int64_t columns);
    Tensor* weight(std::span<const float> values);
    Tensor* constant(const std::vector<float>& values, std::int64_t columns);
    /// Some columns or rows of a tensor. Views whose gradients are written must not overlap.
    Tensor* columns(Tensor* of, std::int64_t first, std::int64_t count);
    Tensor* rows(Tensor* of, std::int64_t first, std::int64_t count);

    /// Memory that lives as long as the plan.
    template <class T>
    T* memory(std::int64_t count)
    {
        return reinterpret_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T)));
    }
    template <class T>
    const T* copied(const std::vector<T>& values)
    {
        T* const to = memory<T>(static_cast<std::int64_t>(values.size()));
        if (!values.empty()) {
            copyToDevice(to, values.data(), values.size() * sizeof(T));
        }
        return to;
    }
    /// Memory that all steps share: its contents last until the next step. Its pointer is valid once
    /// the plan is finished.
    void reserve(std::int64_t elements);
    float* scratch() const { return m_scratch.data(); }

    void forward(Step step);
    void backward(Step step);
    /// Whether the backward step pushed next is the first to write the gradient of `of` or adds to
    /// it; known once the plan is finished.
    const Into* claim(Tensor* of);
    /// The gradient begins as zeros: its parts have several writers.
    void clearFirst(Tensor* of);

    /// Values or gradients as an operand of products, rounded where the precision wants it.
    Operand operand(Tensor* of);
    Operand gradientOperand(Tensor* of);

    /// Called once, after the last operation, whose result and gradient `y` are.
    void finish(Tensor* y);
    void runForward() const;
    void runBackward() const;

private:
    struct Claim
    {
        Tensor* of;
        Into into;
    };
    struct Operation
    {
        std::vector<Step> back;
        std::deque<Claim> claims; ///< steps point to them
    };

    std::byte* bytes(std::size_t count);
    Operation& operation();
    Tensor* kept(Tensor tensor, bool learns);
    Tensor* view(Tensor* of, std::int64_t first, std::int64_t rows, std::int64_t columns);

    const Device& m_device;
    Pass m_pass;
    std::deque<Tensor> m_tensors;
    std::vector<DeviceBuffer<std::byte>> m_memory;
    std::vector<Step> m_forward;
    std::deque<Operation> m_operations;
    std::vector<Tensor*> m_cleared;
    bool m_opens = true; ///< the next backward step begins an operation
    std::int64_t m_reserved = 0;
    DeviceBuffer<float> m_scratch;
};

/// Rounds `count` values to the nearest bfloat16.
void roundValues(const Device& device, const float* from, __nv_bfloat16* to, std::int64_t count);

} // namespace flopsmith::cuda
