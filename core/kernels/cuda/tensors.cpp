// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/tensors.h"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

constexpr std::size_t kAligned = 64; // elements; aligns parts like separate allocations

std::size_t alignedUp(std::size_t count)
{
    return (count + kAligned - 1) / kAligned * kAligned;
}

std::size_t alignedSizes(std::size_t values, const WeightShapes& gradients)
{
    std::size_t sum = alignedUp(std::max<std::size_t>(values, 1));
    for (const WeightShape& shape : gradients) {
        sum += alignedUp(static_cast<std::size_t>(shape.size()));
    }
    return sum;
}

} // namespace

UploadedWeights::UploadedWeights(const Device& device, WeightView<float> weights)
{
    for (const std::vector<float>& tensor : weights) {
        m_tensors.emplace_back(device.memory(), tensor);
        m_view.push_back(m_tensors.back().constSpan());
    }
}

DeviceOutput::DeviceOutput(const Device& device, std::size_t values, const WeightShapes& gradients)
    : m_device(device)
    , m_memory(device.memory(), alignedSizes(values, gradients))
{
    constexpr int kNotANumber = 0xff; // in every byte
    check(cudaMemsetAsync(m_memory.data(), kNotANumber, m_memory.bytes(), device.stream()),
          "mark its output as not written");
    std::size_t size = values;
    std::size_t at = alignedUp(std::max<std::size_t>(values, 1));
    m_parts.emplace_back(m_memory.data(), values);
    for (const WeightShape& shape : gradients) {
        const auto elements = static_cast<std::size_t>(shape.size());
        m_parts.emplace_back(m_memory.data() + at, elements);
        at += alignedUp(elements);
        size += elements;
    }
    m_host.resize(size);
}

std::span<const float> DeviceOutput::onHost() const
{
    float* to = m_host.data();
    for (const DeviceSpan<float>& part : m_parts) {
        copyToHost(m_device, {part.data(), part.size()}, to);
        to += part.size();
    }
    return m_host;
}

} // namespace flopsmith::cuda
