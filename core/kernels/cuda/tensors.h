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

/// What a kernel writes: values of its own (y, dx), then the gradient of each weight, in one piece
/// with its copy on the host. Not-a-number until written. Each part begins at 16 bytes.
class DeviceOutput
{
public:
    DeviceOutput(const Device& device, std::size_t values, const WeightShapes& gradients = {});

    float* values() const { return m_parts.front().data(); }
    std::span<const DeviceSpan<float>> gradients() const
    {
        return std::span<const DeviceSpan<float>>(m_parts).subspan(1);
    }

    /// Copied from the device: values, then gradients, without gaps.
    std::span<const float> onHost() const;

private:
    const Device& m_device;
    DeviceBuffer<float> m_memory;
    std::vector<DeviceSpan<float>> m_parts;
    mutable std::vector<float> m_host;
};

/// What every prepare() does around its own work: waits until all of it has happened, and turns
/// what was thrown into a sentence. DeviceOutOfMemory passes through: the one who asked knows it
/// as std::bad_alloc.
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
