// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/peaks.h"

#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/gemm/product.h"
#include "core/kernels/cuda/tensors.h"

namespace flopsmith::cuda {
namespace {

// A kernel without output.
class Peak : public Kernel
{
public:
    std::span<const float> output() const override { return {}; }
};

class ProductPeak : public Peak
{
public:
    ProductPeak(const Device& device, int n)
        : m_device(device)
        , m_n(n)
        , m_a(device, elements())
        , m_b(device, elements())
        , m_c(device.memory(), elements())
    {
        // Zeros: the time of a product does not depend on the values.
        for (const OperandBuffer* operand : {&m_a, &m_b}) {
            check(cudaMemsetAsync(operand->rows(n).first,
                                  0,
                                  elements() * bytesOf(operand->element()),
                                  device.stream()),
                  "write zeros");
        }
    }

    void run() override
    {
        multiply(m_device,
                 {m_n, m_n, m_n},
                 m_a.rows(m_n),
                 m_b.rows(m_n),
                 destinationAt(m_c.data(), m_n));
    }

private:
    std::size_t elements() const
    {
        return static_cast<std::size_t>(m_n) * static_cast<std::size_t>(m_n);
    }

    const Device& m_device;
    int m_n;
    OperandBuffer m_a;
    OperandBuffer m_b;
    DeviceBuffer<float> m_c;
};

class CopyPeak : public Peak
{
public:
    CopyPeak(const Device& device, std::size_t bytes)
        : m_device(device)
        , m_from(device.memory(), bytes)
        , m_to(device.memory(), bytes)
    {
        check(cudaMemsetAsync(m_from.data(), 0, bytes, device.stream()), "write zeros");
    }

    void run() override
    {
        check(cudaMemcpyAsync(m_to.data(),
                              m_from.data(),
                              m_from.bytes(),
                              cudaMemcpyDeviceToDevice,
                              m_device.stream()),
              "copy");
    }

private:
    const Device& m_device;
    DeviceBuffer<std::byte> m_from;
    DeviceBuffer<std::byte> m_to;
};

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

class CachePeak : public Peak
{
public:
    CachePeak(const Device& device, std::size_t bytes)
        : m_device(device)
        , m_from(device.memory(), bytes / 2 / sizeof(float4))
        , m_to(device.memory(), m_from.size())
    {
        check(cudaMemsetAsync(m_from.data(), 0, m_from.bytes(), device.stream()), "write zeros");
    }

    Count amount() const { return Count{2 * kPasses} * static_cast<Count>(m_from.bytes()); }

    void run() override
    {
        const int blocks = m_device.facts().multiprocessors
            * (m_device.facts().threadsPerMultiprocessor / kThreads);
        launch(m_device,
               static_cast<unsigned>(blocks),
               kThreads,
               0,
               &copyPasses,
               m_from.data(),
               m_to.data(),
               static_cast<unsigned>(m_from.size()));
    }

private:
    const Device& m_device;
    DeviceBuffer<float4> m_from;
    DeviceBuffer<float4> m_to;
};

__global__ void nothing() {}

class LaunchPeak : public Peak
{
public:
    explicit LaunchPeak(const Device& device)
        : m_device(device)
    {}

    void run() override { launch(m_device, 1, kWarp, 0, &nothing); }

private:
    const Device& m_device;
};

template <class Make>
Result<PeakKernel> peak(const Device& device, Count amount, const Make& make)
{
    Result<std::unique_ptr<Kernel>> kernel = prepared(device, make);
    if (!kernel) {
        return kernel.error();
    }
    return PeakKernel{std::move(*kernel), amount};
}

} // namespace

Result<PeakKernel> prepareProductPeak(const Device& device, int n)
{
    return peak(device, Count{2} * n * n * n, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<ProductPeak>(device, n);
    });
}

Result<PeakKernel> prepareCopyPeak(const Device& device, std::size_t bytes)
{
    return peak(device, 2 * static_cast<Count>(bytes), [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<CopyPeak>(device, bytes);
    });
}

Result<PeakKernel> prepareCachePeak(const Device& device, std::size_t bytes)
{
    Count amount = 0;
    Result<PeakKernel> made = peak(device, 0, [&]() -> std::unique_ptr<Kernel> {
        auto kernel = std::make_unique<CachePeak>(device, bytes);
        amount = kernel->amount();
        return kernel;
    });
    if (made) {
        made->amount = amount;
    }
    return made;
}

Result<PeakKernel> prepareLaunch(const Device& device)
{
    return peak(device, 0, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<LaunchPeak>(device);
    });
}

} // namespace flopsmith::cuda
