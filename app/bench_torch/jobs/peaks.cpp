// SPDX-License-Identifier: MIT
#include "app/bench_torch/jobs/jobs.h"
#include "app/bench_torch/jobs/torch_backend.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/measure/harness.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <vector>

namespace flopsmith::bench {
namespace {

constexpr int kCpuProduct = 1024;
constexpr int kLargestProduct = 8192;
constexpr int kSmallestProduct = 1024;
constexpr std::int64_t kCpuCopy = std::int64_t{256} << 20;
constexpr std::int64_t kMaxCopy = std::int64_t{1} << 30;
constexpr std::int64_t kSharedMemory = std::int64_t{8}
    << 30; // of a GPU without a memory of its own

// Of the budget.
constexpr double kProductsShare = 0.6; // of all precisions together
constexpr double kCopyShare = 0.3;
constexpr double kLaunchShare = 0.1;

class PeaksJob
{
public:
    PeaksJob(TorchWorker& worker, const PeaksRequest& request, const std::stop_token& stop)
        : m_worker(worker)
        , m_request(request)
        , m_stop(stop)
        , m_facts(worker.facts(stop))
        , m_peaks{.id = request.id, .threads = threads()}
    {}

    Answer answer()
    {
        const std::vector<ComputePrecision> all{ComputePrecision::float32,
                                                ComputePrecision::tf32,
                                                ComputePrecision::bfloat16,
                                                ComputePrecision::float16};
        for (const ComputePrecision precision : all) {
            addProduct(precision, kProductsShare / static_cast<double>(all.size()));
        }
        m_peaks.flopsPerSecond = m_peaks.products.front().flopsPerSecond;
        addCopy();
        const int empty = loaded({{"what", "copy"}, {"size", 1}});
        // The median, because every step pays it.
        m_peaks.launchSeconds = timed(empty, kLaunchShare).median();
        m_worker.drop(empty);
        if (m_stop.stop_requested()) {
            return Failure{m_request.id, FailureCode::cancelled, "Cancelled."};
        }
        m_peaks.measuredAt = static_cast<std::int64_t>(std::time(nullptr));
        m_peaks.sentence = "PyTorch's products of two " + std::to_string(productSize()) + " × "
            + std::to_string(productSize()) + " matrices, copy of "
            + bytesText(static_cast<double>(copyBytes()));
        return m_peaks;
    }

private:
    int threads() const
    {
        const int usable = std::max(1, currentEnvironment(1).usableCores);
        return !m_facts.isCpu()      ? 1
            : m_request.threads == 0 ? usable
                                     : std::min(m_request.threads, usable);
    }

    std::int64_t deviceBytes() const { return m_facts.bytes > 0 ? m_facts.bytes : kSharedMemory; }

    // The largest product whose three matrices take at most a tenth of the memory.
    int productSize() const
    {
        if (m_facts.isCpu()) {
            return kCpuProduct;
        }
        int n = kLargestProduct;
        while (n > kSmallestProduct && std::int64_t{12} * n * n > deviceBytes() / 10) {
            n /= 2;
        }
        return n;
    }

    std::int64_t copyBytes() const
    {
        return m_facts.isCpu() ? kCpuCopy : std::min(kMaxCopy, deviceBytes() / 8);
    }

    int loaded(Json request)
    {
        const int slot = m_worker.newSlot();
        request["do"] = "peak";
        request["slot"] = slot;
        request["threads"] = m_peaks.threads;
        (void)m_worker.ask(request, m_stop);
        return slot;
    }

    Samples timed(int slot, double share)
    {
        MeasureOptions options{.budgetSeconds = share * m_request.budgetSeconds};
        options.minSampleSeconds = std::min(1e-3, options.budgetSeconds / 20.0);
        options.timer = [&](const std::function<void()>& /*run*/, int runs) {
            const Json answer = m_worker.ask(
                {{"do", "time"}, {"slot", slot}, {"runs", runs}, {"cold", false}}, m_stop);
            return answer.value("seconds", 0.0);
        };
        return measure([] {}, options, m_stop, {}).samples;
    }

    // Amount per second of the fastest sample.
    double bestRate(int slot, double amount, double share)
    {
        const double fastest = timed(slot, share).min();
        m_worker.drop(slot);
        return fastest > 0.0 ? amount / fastest : 0.0;
    }

    // What the device does not multiply in is left out.
    void addProduct(ComputePrecision precision, double share)
    {
        const int n = productSize();
        try {
            const int slot =
                loaded({{"what", "product"}, {"size", n}, {"precision", precisionName(precision)}});
            m_peaks.products.push_back({precision, bestRate(slot, 2.0 * std::pow(n, 3), share)});
        } catch (const TorchFailure& failure) {
            if (failure.code() != FailureCode::badOperation) {
                throw;
            }
        }
    }

    void addCopy()
    {
        const std::int64_t bytes = copyBytes();
        const int slot = loaded({{"what", "copy"}, {"size", bytes}});
        const double moved = 2.0 * static_cast<double>(bytes);
        m_peaks.bytesPerSecond = bestRate(slot, moved, kCopyShare);
        m_peaks.caches.push_back({"memory",
                                  2 * static_cast<std::uint64_t>(bytes),
                                  m_peaks.bytesPerSecond,
                                  m_peaks.threads});
    }

    TorchWorker& m_worker;
    const PeaksRequest& m_request;
    const std::stop_token& m_stop;
    TorchFacts m_facts;
    PeaksMeasured m_peaks;
};

} // namespace

Answer torchPeaks(TorchWorker& worker, const PeaksRequest& request, const std::stop_token& stop)
{
    if (const Status valid = validated(MeasureOptions{.budgetSeconds = request.budgetSeconds});
        !valid) {
        return Failure{request.id, FailureCode::badMessage, valid.error().message};
    }
    try {
        return PeaksJob(worker, request, stop).answer();
    } catch (const TorchFailure& failure) {
        return Failure{request.id, failure.code(), failure.what()};
    }
}

} // namespace flopsmith::bench
