// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/peaks.h"

#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/eigen_product.h"
#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

using Product = void (*)(const ProductSize&,
                         const MatrixAt<const float>&,
                         const MatrixAt<const float>&,
                         const MatrixAt<float>&);

void blasProduct(const ProductSize& size,
                 const MatrixAt<const float>& a,
                 const MatrixAt<const float>& b,
                 const MatrixAt<float>& c)
{
    multiply(size, a, b, Stored::straight, c);
}

class ProductPeak : public Kernel
{
public:
    ProductPeak(Product product, int n, Threads threads)
        : m_product(product)
        , m_n(n)
        , m_threads(threads)
        , m_a(elements())
        , m_b(elements())
        , m_c(elements())
    {
        // Not zeros: processors may take products with zero faster or cooler.
        for (std::size_t i = 0; i < elements(); ++i) {
            m_a.data()[i] = static_cast<float>(i % 7) * 0.25F - 0.7F;
            m_b.data()[i] = static_cast<float>(i % 11) * 0.125F - 0.6F;
        }
    }

    void run() override
    {
        onThreads(m_threads, [this](int part) {
            const Slice slice = sliceOf(m_n, m_n, m_threads, part);
            m_product({slice.tokens.size(), m_n, slice.columns.size()},
                      {m_a.data() + slice.tokens.first * m_n, m_n},
                      {m_b.data() + slice.columns.first, m_n},
                      {m_c.data() + slice.tokens.first * m_n + slice.columns.first, m_n});
        });
    }

    std::span<const float> output() const override { return m_c.span(); }
    std::size_t workspaceBytes() const override { return m_a.bytes() + m_b.bytes(); }

private:
    std::size_t elements() const
    {
        return static_cast<std::size_t>(m_n) * static_cast<std::size_t>(m_n);
    }

    Product m_product;
    std::int64_t m_n;
    Threads m_threads;
    Buffer m_a;
    Buffer m_b;
    Buffer m_c;
};

struct CopyBuffers
{
    explicit CopyBuffers(std::size_t bytes)
        : from(bytes / sizeof(float))
        , to(bytes / sizeof(float))
    {}

    Buffer from;
    Buffer to;
};

class CopyPeak : public Kernel
{
public:
    CopyPeak(std::shared_ptr<CopyBuffers> buffers, Threads threads)
        : m_threads(threads)
        , m_buffers(std::move(buffers))
    {}

    void run() override
    {
        onThreads(m_threads, [this](int part) {
            constexpr std::int64_t kPage = 1024; // floats
            const Buffer& from = m_buffers->from;
            const Range mine =
                partOf(static_cast<std::int64_t>(from.size()), m_threads.count, part, kPage);
            std::copy(from.data() + mine.first,
                      from.data() + mine.last,
                      m_buffers->to.data() + mine.first);
        });
    }

    std::span<const float> output() const override { return m_buffers->to.span(); }
    std::size_t workspaceBytes() const override { return m_buffers->from.bytes(); }

private:
    Threads m_threads;
    std::shared_ptr<CopyBuffers> m_buffers;
};

class CachePeak : public Kernel
{
public:
    CachePeak(std::size_t bytes, Threads threads)
        : m_threads(threads)
        , m_half(std::max<std::size_t>(bytes / 2 / kBlockBytes, 1) * kBlock)
        , m_values(static_cast<std::size_t>(threads.count) * 2 * m_half)
    {
        std::fill_n(m_values.data(), m_values.size(), 1.0F);
    }

    Count amount() const
    {
        return Count{2} * m_threads.count * 2 * static_cast<Count>(rounds())
            * static_cast<Count>(m_half * sizeof(float));
    }

    void run() override
    {
        onThreads(m_threads, [this](int thread) {
            float* const there = m_values.data() + 2 * m_half * static_cast<std::size_t>(thread);
            for (std::size_t round = 0; round < rounds(); ++round) {
                copy(there, there + m_half);
                copy(there + m_half, there);
            }
        });
    }

    std::span<const float> output() const override { return m_values.span(); }
    std::size_t workspaceBytes() const override { return 0; }

private:
    static constexpr std::size_t kUnrolled = 4;
    static constexpr std::size_t kBlock = kUnrolled * kLanes;
    static constexpr std::size_t kBlockBytes = kBlock * sizeof(float);

    // There and back, so many times that waking the threads does not count.
    std::size_t rounds() const
    {
        constexpr std::size_t kFloats = std::size_t{1} << 20;
        return std::max<std::size_t>(kFloats / m_half, 1);
    }

    // Times a one that the compiler does not know: else it calls memcpy, which passes by the caches
    // when it thinks that they are too small.
    void copy(const float* from, float* to) const
    {
        const Lanes one = all(m_one);
        for (std::size_t i = 0; i < m_half; i += kBlock) {
            for (std::size_t j = 0; j < kUnrolled; ++j) {
                store(to + i + j * kLanes, one * load(from + i + j * kLanes));
            }
        }
    }

    Threads m_threads;
    std::size_t m_half; ///< floats that each thread copies
    float m_one = 1.0F;
    Buffer m_values;
};

class Launch : public Kernel
{
public:
    explicit Launch(Threads threads)
        : m_threads(threads)
        , m_woken(wholeLines(1) * static_cast<std::size_t>(threads.count))
    {}

    void run() override
    {
        onThreads(m_threads, [this](int thread) {
            m_woken.data()[wholeLines(1) * static_cast<std::size_t>(thread)] += 1.0F;
        });
    }

    std::span<const float> output() const override { return m_woken.span(); }
    std::size_t workspaceBytes() const override { return 0; }

private:
    Threads m_threads;
    Buffer m_woken; ///< a cache line for each thread, which counts its rounds in the first value
};

class AdditionPeak : public Kernel
{
public:
    AdditionPeak(std::size_t bytes, Threads threads)
        : m_threads(threads)
        , m_registers(std::max<std::size_t>(bytes / sizeof(Lanes) / kSums, 1) * kSums)
        , m_values(static_cast<std::size_t>(threads.count) * m_registers * kLanes)
        , m_sums(static_cast<std::size_t>(threads.count))
    {
        std::fill_n(m_values.data(), m_values.size(), 1.0F);
    }

    Count amount() const
    {
        return static_cast<Count>(m_values.size()) * static_cast<Count>(rounds());
    }

    void run() override
    {
        onThreads(m_threads, [this](int thread) {
            const auto own = static_cast<std::size_t>(thread);
            m_sums.data()[own] = sum(m_values.data() + own * m_registers * kLanes);
        });
    }

    std::span<const float> output() const override { return m_sums.span(); }
    std::size_t workspaceBytes() const override { return m_values.bytes(); }

private:
    static constexpr std::size_t kSums = 8; // side by side, so that none waits for itself

    std::size_t rounds() const
    {
        constexpr std::size_t kRegisters = std::size_t{1} << 20;
        return std::max<std::size_t>(kRegisters / m_registers, 1);
    }

    float sum(const float* values) const
    {
        std::array<Lanes, kSums> sums{};
        for (std::size_t round = 0; round < rounds(); ++round) {
            for (std::size_t i = 0; i < m_registers; i += kSums) {
                for (std::size_t j = 0; j < kSums; ++j) {
                    sums[j] += load(values + (i + j) * kLanes);
                }
            }
        }
        float total = 0.0F;
        for (const Lanes each : sums) {
            total += sumOf(each);
        }
        return total;
    }

    Threads m_threads;
    std::size_t m_registers; ///< of each thread
    Buffer m_values;
    Buffer m_sums;
};

// An error instead of std::bad_alloc.
Result<std::unique_ptr<Kernel>> productPeak(Product product, int n, Threads threads)
{
    return prepared("the product peak", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<ProductPeak>(product, n, threads));
    });
}

} // namespace

Result<std::vector<PeakKernel>> prepareProductPeaks(int n, Threads threads)
{
    FLOPSMITH_CHECK(n >= 1);
    std::vector<PeakKernel> peaks;
    for (const Product product : {blasProduct, eigenProduct}) {
        Result<std::unique_ptr<Kernel>> kernel = productPeak(product, n, threads);
        if (!kernel) {
            return kernel.error();
        }
        peaks.push_back(PeakKernel{std::move(*kernel), Count{2} * n * n * n});
    }
    return peaks;
}

Result<std::vector<PeakKernel>> prepareCopyPeaks(std::size_t bytes,
                                                 const std::vector<Threads>& threads)
{
    std::shared_ptr<CopyBuffers> buffers;
    std::vector<PeakKernel> peaks;
    for (const Threads each : threads) {
        Result<std::unique_ptr<Kernel>> kernel =
            prepared("the copy peak", each, [&]() -> Result<std::unique_ptr<Kernel>> {
                if (!buffers) {
                    buffers = std::make_shared<CopyBuffers>(bytes);
                }
                return std::unique_ptr<Kernel>(std::make_unique<CopyPeak>(buffers, each));
            });
        if (!kernel) {
            return kernel.error();
        }
        const Count copied = floatBytes((*kernel)->output().size());
        peaks.push_back(PeakKernel{std::move(*kernel), 2 * copied});
    }
    return peaks;
}

Result<PeakKernel> prepareCopyPeak(std::size_t bytes, Threads threads)
{
    Result<std::vector<PeakKernel>> peaks = prepareCopyPeaks(bytes, {threads});
    if (!peaks) {
        return peaks.error();
    }
    return std::move(peaks->front());
}

Result<PeakKernel> prepareCachePeak(std::size_t bytes, Threads threads)
{
    Count amount = 0;
    Result<std::unique_ptr<Kernel>> kernel =
        prepared("the cache peak", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
            auto peak = std::make_unique<CachePeak>(bytes, threads);
            amount = peak->amount();
            return std::unique_ptr<Kernel>(std::move(peak));
        });
    if (!kernel) {
        return kernel.error();
    }
    return PeakKernel{std::move(*kernel), amount};
}

Result<PeakKernel> prepareLaunch(Threads threads)
{
    Result<std::unique_ptr<Kernel>> kernel =
        prepared("an empty step", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
            return std::unique_ptr<Kernel>(std::make_unique<Launch>(threads));
        });
    if (!kernel) {
        return kernel.error();
    }
    return PeakKernel{std::move(*kernel), 1};
}

Result<PeakKernel> prepareAdditionPeak(std::size_t bytes, Threads threads)
{
    Count amount = 0;
    Result<std::unique_ptr<Kernel>> kernel =
        prepared("the addition peak", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
            auto peak = std::make_unique<AdditionPeak>(bytes, threads);
            amount = peak->amount();
            return std::unique_ptr<Kernel>(std::move(peak));
        });
    if (!kernel) {
        return kernel.error();
    }
    return PeakKernel{std::move(*kernel), amount};
}

} // namespace flopsmith::cpu
