// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/peaks.h"

#include "app/bench/jobs/describe.h"
#include "core/base/text.h"
#include "core/kernels/cpu/peaks.h"
#include "core/measure/harness.h"
#include "core/measure/memory.h"

#include <algorithm>
#include <new>

namespace flopsmith::bench {
namespace {

constexpr std::int64_t kLeastCopy = std::int64_t{256} << 20;
constexpr std::int64_t kMostCopy = std::int64_t{1} << 30;
constexpr int kManyThreads = 8; // that a product of 1024 would not keep busy

int productSize(int threads)
{
    return threads > kManyThreads ? 2048 : 1024;
}

// Four times the last cache, so that a copy cannot live in it.
std::size_t copyBytes(const Environment& environment)
{
    const std::int64_t cache = std::min(environment.l3Bytes.value_or(0), kMostCopy);
    return static_cast<std::size_t>(std::clamp(4 * cache, kLeastCopy, kMostCopy));
}

// Amount per second of the fastest sample; 0 if stopped before the first.
double bestRate(const cpu::PeakKernel& peak, double budgetSeconds, const std::stop_token& stop)
{
    const Measurement measurement =
        measure([&] { peak.kernel->run(); }, {.budgetSeconds = budgetSeconds}, stop, {});
    const double fastest = measurement.samples.min();
    return fastest > 0.0 ? toDouble(peak.amount) / fastest : 0.0;
}

Answer measured(const PeaksRequest& request, const std::stop_token& stop)
{
    const cpu::Threads threads{threadsFor(request.threads)};
    const std::size_t bytes = copyBytes(currentEnvironment(threads.count));
    const Status fits = fitsInMemory("Measuring how fast this machine copies",
                                     2 * static_cast<Count>(bytes),
                                     availableMemoryBytes());
    if (!fits) {
        return Failure{request.id, FailureCode::memory, fits.error().message};
    }
    const int n = productSize(threads.count);
    PeaksMeasured peaks{.id = request.id, .threads = threads.count};
    {
        const Result<std::vector<cpu::PeakKernel>> products = cpu::prepareProductPeaks(n, threads);
        if (!products) {
            return Failure{request.id, FailureCode::failed, products.error().message};
        }
        const double share = request.budgetSeconds / static_cast<double>(products->size() + 1);
        for (const cpu::PeakKernel& product : *products) {
            peaks.flopsPerSecond = std::max(peaks.flopsPerSecond, bestRate(product, share, stop));
        }
    }
    const Result<cpu::PeakKernel> copy = cpu::prepareCopyPeak(bytes, threads);
    if (!copy) {
        return Failure{request.id, FailureCode::failed, copy.error().message};
    }
    peaks.bytesPerSecond = bestRate(*copy, request.budgetSeconds / 3.0, stop);
    if (stop.stop_requested()) {
        return Failure{request.id, FailureCode::cancelled, "Cancelled."};
    }
    const std::string size = std::to_string(n);
    peaks.sentence = "single precision product of two " + size + " × " + size
        + " matrices, copy of " + bytesText(static_cast<double>(bytes)) + ", the best of "
        + std::to_string(threads.count) + (threads.count == 1 ? " thread" : " threads");
    return peaks;
}

} // namespace

Answer peaks(const PeaksRequest& request, const std::stop_token& stop)
{
    if (const Status valid = validated(MeasureOptions{.budgetSeconds = request.budgetSeconds});
        !valid) {
        return Failure{request.id, FailureCode::badMessage, valid.error().message};
    }
    try {
        return measured(request, stop);
    } catch (const std::bad_alloc&) {
        return Failure{
            request.id, FailureCode::memory, "There is not enough memory to measure the peaks."};
    }
}

} // namespace flopsmith::bench
