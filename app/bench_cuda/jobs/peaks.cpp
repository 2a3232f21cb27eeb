// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/peaks.h"

#include "app/bench_cuda/jobs/cuda_backend.h"
#include "app/bench_cuda/jobs/jobs.h"
#include "app/bench_cuda/jobs/timers.h"
#include "core/base/text.h"

#include <algorithm>
#include <ctime>
#include <new>

namespace flopsmith::bench {
namespace {

constexpr int kLargestProduct = 8192;
constexpr int kSmallestProduct = 1024;
constexpr std::size_t kMaxCopied = std::size_t{1} << 30;

// Of the budget.
constexpr double kProductShare = 0.2; // of each precision
constexpr double kCopyShare = 0.2;
constexpr double kCacheShare = 0.1;
constexpr double kLaunchShare = 0.1;

class PeaksJob
{
public:
    PeaksJob(const PeaksRequest& request, const std::stop_token& stop)
        : m_request(request)
        , m_stop(stop)
        , m_peaks{.id = request.id}
    {}

    Answer answer()
    {
        for (const ComputePrecision precision :
             {ComputePrecision::float32, ComputePrecision::tf32, ComputePrecision::bfloat16}) {
            if (const Status status = product(precision); !status) {
                return failure(status.error());
            }
        }
        m_peaks.flopsPerSecond = m_peaks.products.front().flopsPerSecond;
        if (const Status status = memoryAndLaunch(); !status) {
            return failure(status.error());
        }
        if (m_stop.stop_requested()) {
            return Failure{m_request.id, FailureCode::cancelled, "Cancelled."};
        }
        m_peaks.measuredAt = static_cast<std::int64_t>(std::time(nullptr));
        m_peaks.sentence = "products of two " + std::to_string(m_n) + " × " + std::to_string(m_n)
            + " matrices in float32, tf32 and bfloat16, copy of "
            + bytesText(static_cast<double>(m_copied));
        return m_peaks;
    }

private:
    Answer failure(const Error& error) const
    {
        return Failure{m_request.id, FailureCode::failed, error.message};
    }

    Measurement timed(const cuda::PeakKernel& peak, const BatchTimer& timer, double share) const
    {
        MeasureOptions options{.budgetSeconds = share * m_request.budgetSeconds};
        options.timer = timer;
        return measure([&] { peak.kernel->run(); }, options, m_stop, {});
    }

    // Amount per second of the fastest sample; 0 if stopped before the first.
    double bestRate(const cuda::PeakKernel& peak, const cuda::Device& device, double share) const
    {
        const double fastest = timed(peak, hotTimer(device), share).samples.min();
        return fastest > 0.0 ? toDouble(peak.amount) / fastest : 0.0;
    }

    // The largest product whose three matrices take at most a tenth of the free memory.
    static int productSize(const cuda::Device& device)
    {
        int n = kLargestProduct;
        const auto bytes = [](int size) {
            return 3 * sizeof(float) * static_cast<std::size_t>(size)
                * static_cast<std::size_t>(size);
        };
        while (n > kSmallestProduct && bytes(n) > device.facts().memoryBytes / 10) {
            n /= 2;
        }
        return n;
    }

    Status product(ComputePrecision precision)
    {
        const Result<std::unique_ptr<cuda::Device>> device =
            cuda::Device::open(productPrecision(precision));
        if (!device) {
            return device.error();
        }
        m_n = productSize(**device);
        const Result<cuda::PeakKernel> peak = cuda::prepareProductPeak(**device, m_n);
        if (!peak) {
            return peak.error();
        }
        m_peaks.products.push_back({precision, bestRate(*peak, **device, kProductShare)});
        return Done{};
    }

    // The L2 cache on half of itself; the memory on four times the cache at least.
    Status memoryAndLaunch()
    {
        const Result<std::unique_ptr<cuda::Device>> device =
            cuda::Device::open(cuda::ProductPrecision::float32);
        if (!device) {
            return device.error();
        }
        const cuda::DeviceFacts& facts = (*device)->facts();
        const Result<cuda::PeakKernel> cache = cuda::prepareCachePeak(**device, facts.l2Bytes / 2);
        if (!cache) {
            return cache.error();
        }
        m_peaks.caches.push_back({"L2", facts.l2Bytes, bestRate(*cache, **device, kCacheShare), 1});
        m_copied = std::min(kMaxCopied, facts.memoryBytes / 8);
        const Result<cuda::PeakKernel> copy = cuda::prepareCopyPeak(**device, m_copied);
        if (!copy) {
            return copy.error();
        }
        m_peaks.bytesPerSecond = bestRate(*copy, **device, kCopyShare);
        m_peaks.caches.push_back({"memory", 2 * m_copied, m_peaks.bytesPerSecond, 1});
        const Result<cuda::PeakKernel> empty = cuda::prepareLaunch(**device);
        if (!empty) {
            return empty.error();
        }
        // The median, because every step pays it.
        m_peaks.launchSeconds = timed(*empty, launchTimer(**device), kLaunchShare).samples.median();
        return Done{};
    }

    const PeaksRequest& m_request;
    const std::stop_token& m_stop;
    PeaksMeasured m_peaks;
    int m_n = 0;
    std::size_t m_copied = 0;
};

} // namespace

Answer cudaPeaks(const PeaksRequest& request, const std::stop_token& stop)
{
    if (const Status valid = validated(MeasureOptions{.budgetSeconds = request.budgetSeconds});
        !valid) {
        return Failure{request.id, FailureCode::badMessage, valid.error().message};
    }
    try {
        return PeaksJob(request, stop).answer();
    } catch (const std::bad_alloc& shortage) {
        const auto* onDevice = dynamic_cast<const cuda::DeviceOutOfMemory*>(&shortage);
        return Failure{request.id,
                       FailureCode::memory,
                       onDevice != nullptr ? onDevice->what()
                                           : "There is not enough memory to measure the peaks."};
    } catch (const std::exception& error) {
        return Failure{request.id, FailureCode::failed, error.what()};
    }
}

} // namespace flopsmith::bench
