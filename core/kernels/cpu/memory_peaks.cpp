// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/peaks.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>

// The peaks that move bytes.
namespace flopsmith::cpu {
namespace {

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

    // Times a one that is unknown to the compiler: otherwise it calls memcpy, which uses streaming
    // stores for arrays that it expects to exceed the caches.
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

} // namespace

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
        const auto copied = static_cast<Count>((*kernel)->output().size() * sizeof(float));
        peaks.push_back(PeakKernel{std::move(*kernel), 2 * copied});
    }
    return peaks;
}

Result<PeakKernel> prepareCopyPeak(std::size_t bytes, Threads threads)
{
    FLOPSMITH_TRY(std::vector<PeakKernel> peaks, prepareCopyPeaks(bytes, {threads}));
    return std::move(peaks.front());
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

} // namespace flopsmith::cpu
