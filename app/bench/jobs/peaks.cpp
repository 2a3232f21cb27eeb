// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/peaks.h"

#include "app/bench/jobs/describe.h"
#include "core/base/text.h"
#include "core/kernels/cpu/peaks.h"
#include "core/measure/harness.h"
#include "core/measure/memory.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <new>

namespace flopsmith::bench {
namespace {

constexpr std::int64_t kMinCopy = std::int64_t{256} << 20;
constexpr std::int64_t kMaxCopy = std::int64_t{1} << 30;
constexpr int kManyThreads = 8; // that a product of 1024 would not keep busy

// Of the budget.
constexpr double kProductsShare = 0.4;
constexpr double kCopiesShare = 0.25;
constexpr double kCachesShare = 0.3;
constexpr double kLaunchShare = 0.05;

int productSize(int threads)
{
    return threads > kManyThreads ? 2048 : 1024;
}

// Four times the last cache, so that a copy cannot live in it.
std::size_t copyBytes(const Environment& environment)
{
    const std::int64_t cache = std::min(environment.l3Bytes.value_or(0), kMaxCopy);
    return static_cast<std::size_t>(std::clamp(4 * cache, kMinCopy, kMaxCopy));
}

std::vector<cpu::Threads> threadCounts(int threads)
{
    return threads == 1 ? std::vector<cpu::Threads>{{1}}
                        : std::vector<cpu::Threads>{{1}, {threads}};
}

std::string threadsText(int threads)
{
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

// Measures one kind of peak after the other until one fails.
class PeaksJob
{
public:
    PeaksJob(const PeaksRequest& request, const std::stop_token& stop)
        : m_request(request)
        , m_stop(stop)
        , m_threads{threadsFor(request.threads)}
        , m_environment(currentEnvironment(m_threads.count))
        , m_peaks{.id = request.id, .threads = m_threads.count}
    {}

    Answer answer()
    {
        const std::size_t bytes = copyBytes(m_environment);
        const Status fits = fitsInMemory("Measuring how fast this machine copies",
                                         2 * static_cast<Count>(bytes),
                                         availableMemoryBytes());
        if (!fits) {
            return Failure{m_request.id, FailureCode::memory, fits.error().message};
        }
        for (const Status& status : {products(), caches(), memory(bytes), launch()}) {
            if (!status) {
                return Failure{m_request.id, FailureCode::failed, status.error().message};
            }
        }
        if (m_stop.stop_requested()) {
            return Failure{m_request.id, FailureCode::cancelled, "Cancelled."};
        }
        m_peaks.measuredAt = static_cast<std::int64_t>(std::time(nullptr));
        m_peaks.sentence = sentence(bytes);
        return m_peaks;
    }

private:
    Measurement timed(const cpu::PeakKernel& peak, double share)
    {
        Measurement measurement = measure([&] { peak.kernel->run(); },
                                          {.budgetSeconds = share * m_request.budgetSeconds},
                                          m_stop,
                                          {});
        m_peaks.lostShare =
            std::max({m_peaks.lostShare, measurement.waitingShare, measurement.stolenShare});
        return measurement;
    }

    // Amount per second of the fastest sample; 0 if stopped before the first.
    double bestRate(const cpu::PeakKernel& peak, double share)
    {
        const double fastest = timed(peak, share).samples.min();
        return fastest > 0.0 ? toDouble(peak.amount) / fastest : 0.0;
    }

    Status products()
    {
        const bool rounds = cpu::computesProductsIn(cpu::Precision::bfloat16).ok();
        const double share = rounds ? kProductsShare / 2.0 : kProductsShare;
        if (const Status status = products(cpu::Precision::float32, share); !status) {
            return status;
        }
        m_peaks.flopsPerSecond = m_peaks.products.front().flopsPerSecond;
        return rounds ? products(cpu::Precision::bfloat16, share) : Done{};
    }

    Status products(cpu::Precision precision, double share)
    {
        const Result<std::vector<cpu::PeakKernel>> products =
            cpu::prepareProductPeaks(productSize(m_threads.count), m_threads, precision);
        if (!products) {
            return products.error();
        }
        double fastest = 0.0;
        for (const cpu::PeakKernel& product : *products) {
            const double own = share / static_cast<double>(products->size());
            fastest = std::max(fastest, bestRate(product, own));
        }
        m_peaks.products.push_back({precision == cpu::Precision::bfloat16
                                        ? ComputePrecision::bfloat16
                                        : ComputePrecision::float32,
                                    fastest});
        return Done{};
    }

    struct Level
    {
        std::string name;
        std::uint64_t bytes;
        std::size_t workingSet; ///< of each thread
    };

    // The working set lies half-way, on a logarithmic scale, between the level below and this one.
    // The last level is shared; where a thread's part of it is no larger than the level below,
    // nothing can be told of it.
    std::vector<Level> levels(int threads) const
    {
        std::vector<Level> levels;
        double below = 0.0;
        const auto add = [&](const char* name, std::optional<std::int64_t> size, int shared) {
            const double whole = static_cast<double>(size.value_or(0));
            const double own = whole / shared;
            if (own > 2.0 * below) {
                const double set = below > 0.0 ? std::sqrt(below * own) : own / 2.0;
                levels.push_back(
                    {name, static_cast<std::uint64_t>(whole), static_cast<std::size_t>(set)});
                below = own;
            }
        };
        add("L1", m_environment.l1DataBytes, 1);
        add("L2", m_environment.l2Bytes, 1);
        add("L3", m_environment.l3Bytes, threads);
        return levels;
    }

    // Several threads reach what one does, even if others kept them from it just now.
    void add(CachePeak peak)
    {
        for (const CachePeak& before : m_peaks.caches) {
            if (before.name == peak.name) {
                peak.bytesPerSecond = std::max(peak.bytesPerSecond, before.bytesPerSecond);
            }
        }
        m_peaks.caches.push_back(std::move(peak));
    }

    Status caches()
    {
        const std::vector<cpu::Threads> counts = threadCounts(m_threads.count);
        constexpr double kLevels = 3.0;
        const double share = kCachesShare / (kLevels * static_cast<double>(counts.size()));
        for (const cpu::Threads threads : counts) {
            for (const Level& level : levels(threads.count)) {
                const Result<cpu::PeakKernel> peak =
                    cpu::prepareCachePeak(level.workingSet, threads);
                if (!peak) {
                    return peak.error();
                }
                add({level.name, level.bytes, bestRate(*peak, share), threads.count});
            }
        }
        return Done{};
    }

    Status memory(std::size_t bytes)
    {
        const std::vector<cpu::Threads> counts = threadCounts(m_threads.count);
        const Result<std::vector<cpu::PeakKernel>> copies = cpu::prepareCopyPeaks(bytes, counts);
        if (!copies) {
            return copies.error();
        }
        const double share = kCopiesShare / static_cast<double>(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            add({"memory",
                 2 * static_cast<std::uint64_t>(bytes),
                 bestRate((*copies)[i], share),
                 counts[i].count});
        }
        m_peaks.bytesPerSecond = m_peaks.caches.back().bytesPerSecond; // of all threads
        return Done{};
    }

    // The usual time, not the shortest: this one is no roof, it is paid at every step.
    Status launch()
    {
        const Result<cpu::PeakKernel> empty = cpu::prepareLaunch(m_threads);
        if (!empty) {
            return empty.error();
        }
        m_peaks.launchSeconds = timed(*empty, kLaunchShare).samples.median();
        return Done{};
    }

    std::string sentence(std::size_t bytes) const
    {
        const std::string size = std::to_string(productSize(m_threads.count));
        const bool rounds = m_peaks.products.size() > 1;
        return (rounds ? "products" : "single precision product") + (" of two " + size) + " × "
            + size + (rounds ? " matrices in float32 and bfloat16" : " matrices") + ", copy of "
            + bytesText(static_cast<double>(bytes)) + ", the best of "
            + threadsText(m_threads.count);
    }

    const PeaksRequest& m_request;
    const std::stop_token& m_stop;
    cpu::Threads m_threads;
    Environment m_environment;
    PeaksMeasured m_peaks;
};

} // namespace

Answer peaks(const PeaksRequest& request, const std::stop_token& stop)
{
    if (const Status valid = validated(MeasureOptions{.budgetSeconds = request.budgetSeconds});
        !valid) {
        return Failure{request.id, FailureCode::badMessage, valid.error().message};
    }
    try {
        return PeaksJob(request, stop).answer();
    } catch (const std::bad_alloc&) {
        return Failure{
            request.id, FailureCode::memory, "There is not enough memory to measure the peaks."};
    }
}

} // namespace flopsmith::bench
