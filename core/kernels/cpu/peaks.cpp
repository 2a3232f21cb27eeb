// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/peaks.h"

#include "core/kernels/cpu/gemm/bf16/bf16_rows.h"
#include "core/kernels/cpu/gemm/bf16/bf16_weight.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

using Product = void (*)(const ProductSize&,
                         const MatrixAt<const float>&,
                         const MatrixAt<const float>&,
                         const MatrixAt<float>&);

void libraryProduct(const ProductSize& size,
                    const MatrixAt<const float>& a,
                    const MatrixAt<const float>& b,
                    const MatrixAt<float>& c)
{
    multiply(size, a, b, Stored::notTransposed, c);
}

// Not zeros: processors may compute products with zero faster or cooler.
void fill(Buffer& a, Buffer& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        a.data()[i] = static_cast<float>(i % 7) * 0.25F - 0.7F;
        b.data()[i] = static_cast<float>(i % 11) * 0.125F - 0.6F;
    }
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
        fill(m_a, m_b);
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

// B is packed, and rounded, beforehand, as weights are; A in each run.
class PackedProductPeak : public Kernel
{
public:
    PackedProductPeak(Precision precision, int n, Threads threads)
        : m_n(n)
        , m_threads(threads)
        , m_a(bufferSize(n, n))
        , m_b(bufferSize(n, n))
        , m_c(bufferSize(n, n))
        , m_product(n, n, m_b.data(), nullptr)
    {
        fill(m_a, m_b);
        m_product.computedIn(precision).packed(n, threads);
    }

    void run() override { m_product.run(m_a.data(), m_c.data(), m_n, m_threads); }

    std::span<const float> output() const override { return m_c.span(); }

private:
    std::int64_t m_n;
    Threads m_threads;
    Buffer m_a;
    Buffer m_b;
    Buffer m_c;
    Linear m_product;
};

// In bfloat16 with both operands rounded beforehand.
class RoundedProductPeak : public Kernel
{
public:
    RoundedProductPeak(int n, Threads threads)
        : m_n(n)
        , m_threads(threads)
        , m_c(bufferSize(n, n))
        , m_a(n, n)
        , m_b(roundedOperands())
    {}

    void run() override
    {
        onThreads(m_threads, [this](int part) {
            const Slice slice = sliceOf(m_n, m_n, m_threads, part);
            const std::int64_t first = slice.columns.first;
            multiplyTiles<1>(m_a.tiles(),
                             slice.tokens,
                             slice.columns.size(),
                             RoundedWeight::panelsOf(first, m_b),
                             [&](const Range& rows, const Range& some, const BlockSums<1>& sums) {
                                 storeBlock(
                                     sums,
                                     rows.size(),
                                     some.size(),
                                     {m_c.data() + rows.first * m_n + first + some.first, m_n},
                                     Sum::overwrite);
                             });
        });
    }

    std::span<const float> output() const override { return m_c.span(); }

private:
    RoundedWeight roundedOperands()
    {
        Buffer a(m_c.size());
        Buffer b(m_c.size());
        fill(a, b);
        m_a.round(a.data(), {0, m_n});
        return {m_n, m_n, b.data(), Stored::notTransposed, m_threads};
    }

    std::int64_t m_n;
    Threads m_threads;
    Buffer m_c;
    RoundedRows m_a;
    RoundedWeight m_b;
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

private:
    static constexpr std::size_t kSums = 8; // independent, so that none waits for its own latency

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
template <class Peak, class... What>
Result<std::unique_ptr<Kernel>> productPeak(int n, Threads threads, What... what)
{
    return prepared("the product peak", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<Peak>(what..., n, threads));
    });
}

} // namespace

Result<std::vector<PeakKernel>> prepareProductPeaks(int n, Threads threads, Precision precision)
{
    FLOPSMITH_CHECK(n >= 1);
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    std::vector<Result<std::unique_ptr<Kernel>>> kernels;
    kernels.push_back(productPeak<PackedProductPeak>(n, threads, precision));
    if (precision == Precision::float32) {
        kernels.push_back(productPeak<ProductPeak>(n, threads, libraryProduct));
    } else {
        kernels.push_back(productPeak<RoundedProductPeak>(n, threads));
    }
    std::vector<PeakKernel> peaks;
    for (Result<std::unique_ptr<Kernel>>& kernel : kernels) {
        if (!kernel) {
            return kernel.error();
        }
        peaks.push_back(PeakKernel{std::move(*kernel), Count{2} * n * n * n});
    }
    return peaks;
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
