// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/peaks.h"

#include "core/kernels/cuda/device/launch.cuh"
#include "core/kernels/cuda/gemm/product.h"

#include <functional>
#include <memory>
#include <utility>

namespace flopsmith::cuda {
namespace {

// A kernel without output that enqueues something.
class Peak : public Kernel
{
public:
    explicit Peak(std::function<void()> enqueue)
        : m_enqueue(std::move(enqueue))
    {}
    void run() override { m_enqueue(); }
    std::span<const float> output() const override { return {}; }

private:
    std::function<void()> m_enqueue;
};

using Bytes = std::shared_ptr<const DeviceBuffer<std::byte>>;

// Zeros: no time depends on the values.
Bytes zeros(const Device& device, std::size_t bytes)
{
    const auto made = std::make_shared<DeviceBuffer<std::byte>>(device.memory(), bytes);
    check(cudaMemsetAsync(made->data(), 0, bytes, device.stream()), "write zeros");
    return made;
}

constexpr int kPasses = 64;
constexpr int kThreads = 512;

// Each pass reads a different part, so that it hits neither registers nor lower-level caches.
__global__ void copyPasses(const float4* from, float4* to, unsigned count)
{
    const unsigned step = count / kPasses;
    const unsigned all = gridDim.x * blockDim.x;
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all) {
            const unsigned place = i + pass * step;
            to[i] = from[place < count ? place : place - count];
        }
    }
}

__global__ void nothing() {}

template <class Make>
Result<PeakKernel> peak(const Device& device, Count amount, const Make& make)
{
    try {
        auto kernel = std::make_unique<Peak>(make());
        device.wait();
        return PeakKernel{std::move(kernel), amount};
    } catch (const DeviceFailure& failure) {
        return Error{failure.what()};
    }
}

} // namespace

Result<PeakKernel> prepareProductPeak(const Device& device, int n)
{
    return peak(device, Count{2} * n * n * n, [&] {
        const Element element = operandElement(device);
        const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
        const Bytes a = zeros(device, count * bytesOf(element));
        const Bytes b = zeros(device, count * bytesOf(element));
        const Bytes c = zeros(device, count * sizeof(float));
        return [=, &device] {
            multiply(device,
                     {n, n, n},
                     {a->data(), n, element},
                     {b->data(), n, element},
                     {c->data(), n});
        };
    });
}

Result<PeakKernel> prepareCopyPeak(const Device& device, std::size_t bytes)
{
    return peak(device, 2 * static_cast<Count>(bytes), [&] {
        const Bytes from = zeros(device, bytes);
        const Bytes to = zeros(device, bytes);
        return [=, &device] {
            check(cudaMemcpyAsync(
                      to->data(), from->data(), bytes, cudaMemcpyDeviceToDevice, device.stream()),
                  "copy");
        };
    });
}

Result<PeakKernel> prepareCachePeak(const Device& device, std::size_t bytes)
{
    const std::size_t count = bytes / 2 / sizeof(float4);
    const Count amount = Count{2 * kPasses} * static_cast<Count>(count * sizeof(float4));
    return peak(device, amount, [&] {
        const Bytes from = zeros(device, count * sizeof(float4));
        const Bytes to = zeros(device, count * sizeof(float4));
        const DeviceFacts& facts = device.facts();
        const int blocks = facts.multiprocessors * (facts.threadsPerMultiprocessor / kThreads);
        return [=, &device] {
            launch(device,
                   static_cast<unsigned>(blocks),
                   kThreads,
                   0,
                   &copyPasses,
                   reinterpret_cast<const float4*>(from->data()),
                   reinterpret_cast<float4*>(to->data()),
                   static_cast<unsigned>(count));
        };
    });
}

Result<PeakKernel> prepareLaunch(const Device& device)
{
    return peak(
        device, 0, [&device] { return [&device] { launch(device, 1, kWarp, 0, &nothing); }; });
}

} // namespace flopsmith::cuda
