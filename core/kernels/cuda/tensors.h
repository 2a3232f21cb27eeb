// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"
#include "core/kernels/weights.h"
#include "core/layer/weight_shape.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace flopsmith::cuda {

/// Copies of weights on the device.
class UploadedWeights
{
public:
    UploadedWeights(const Device& device, WeightView<float> weights);

    std::span<const DeviceSpan<const float>> view() const { return m_view; }

private:
    std::vector<DeviceBuffer<float>> m_tensors;
    std::vector<DeviceSpan<const float>> m_view;
};

/// A kernel's output: y or dx, then the gradient of each weight, in one allocation, with a copy on
/// the host. NaN until written. Each part is aligned to 16 bytes.
class DeviceOutput
{
public:
    DeviceOutput(const Device& device, std::size_t values, const WeightShapes& gradients = {});

    float* values() const { return m_parts.front().data(); }
    std::span<const DeviceSpan<float>> gradients() const
    {
        return std::span<const DeviceSpan<float>>(m_parts).subspan(1);
    }

    /// Copies from the device: values, then gradients, without gaps.
    std::span<const float> onHost() const;

private:
    const Device& m_device;
    DeviceBuffer<float> m_memory;
    std::vector<DeviceSpan<float>> m_parts;
    mutable std::vector<float> m_host;
};

/// Wraps the work of every prepare(): waits for the device and turns a DeviceFailure into an Error.
/// DeviceOutOfMemory passes through: callers handle it as std::bad_alloc.
template <class Make>
Result<std::unique_ptr<Kernel>> prepared(const Device& device, const Make& make)
{
    try {
        std::unique_ptr<Kernel> kernel = make();
        device.wait();
        return Result<std::unique_ptr<Kernel>>(std::move(kernel)); // nvcc would copy it
    } catch (const DeviceFailure& failure) {
        return Error{failure.what()};
    }
}

} // namespace flopsmith::cuda
