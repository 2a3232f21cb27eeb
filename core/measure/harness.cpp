// SPDX-License-Identifier: MIT
#include "core/measure/harness.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

constexpr double kWarmUpShare = 0.25;

// Batches are sized above the minimum, so that a slightly faster batch still reaches it.
constexpr double kBatchMargin = 1.25;
constexpr double kLargestBatchGrowth = 10.0;

class Session
{
public:
    Session(const std::function<void()>& run,
            const MeasureOptions& options,
            std::stop_token stop,
            const std::function<void(const MeasureProgress&)>& progress)
        : m_run(run)
        , m_options(options)
        , m_stop(std::move(stop))
        , m_progress(progress)
        , m_start(options.clock())
        , m_lastReport(m_start)
    {}

    Measurement measurement()
    {
        warmUp();
        Measurement result;
        result.warmUpSeconds = elapsed();
        result.runsPerSample = m_runsPerSample;
        StoppingRule rule(samplingLimits(result.warmUpSeconds));
        result.end = sample(rule, result);
        result.samples = rule.samples();
        result.relativeHalfWidth = rule.relativeHalfWidth();
        result.elapsedSeconds = elapsed();
        return result;
    }

private:
    double elapsed() const { return std::max(0.0, m_options.clock() - m_start); }

    // Seconds of a whole batch.
    double timedBatch() const
    {
        if (m_options.beforeEachRun) {
            m_options.beforeEachRun();
        }
        if (m_options.timer) {
            return std::max(0.0, m_options.timer(m_run, m_runsPerSample));
        }
        const double before = m_options.clock();
        for (int i = 0; i < m_runsPerSample; ++i) {
            m_run();
        }
        return std::max(0.0, m_options.clock() - before);
    }

    // Runs until caches and clock frequency are warm and a batch is long enough for the clock.
    // Batches are sized here, because a cold run is slower and would make them too small.
    void warmUp()
    {
        const double enough =
            std::min(m_options.warmUpSeconds, kWarmUpShare * m_options.budgetSeconds);
        int runs = 0;
        while (!m_stop.stop_requested()) {
            const double batch = timedBatch();
            m_isShort =
                batch < m_options.burstSeconds && !m_options.beforeEachRun && !m_options.timer;
            runs = std::min(runs + m_runsPerSample, m_options.warmUpRuns);
            const bool tooShort = batch < m_options.minSampleSeconds
                && m_runsPerSample < m_options.maxRunsPerSample && !m_options.beforeEachRun;
            if (tooShort && elapsed() < m_options.budgetSeconds) {
                m_runsPerSample = longerBatch(batch);
                continue;
            }
            // `batch <= 0` ends the loop if the clock stands still over the largest batch.
            const bool warm = runs >= m_options.warmUpRuns && (elapsed() >= enough || batch <= 0.0);
            if (warm || elapsed() >= m_options.budgetSeconds) {
                return;
            }
        }
    }

    int longerBatch(double batchSeconds) const
    {
        const double wanted = kBatchMargin * m_options.minSampleSeconds;
        const double growth = batchSeconds > wanted / kLargestBatchGrowth ? wanted / batchSeconds
                                                                          : kLargestBatchGrowth;
        const double runs = std::ceil(growth * m_runsPerSample);
        return static_cast<int>(std::min<double>(runs, m_options.maxRunsPerSample));
    }

    StoppingLimits samplingLimits(double warmUpSeconds) const
    {
        StoppingLimits limits;
        limits.relativePrecision = m_options.relativePrecision;
        limits.minSamples = m_options.minSamples;
        limits.maxSamples = m_options.maxSamples;
        limits.budgetSeconds = std::max(0.0, m_options.budgetSeconds - warmUpSeconds);
        return limits;
    }

    MeasureEnd sample(StoppingRule& rule, Measurement& result)
    {
        double waited = 0.0;
        (void)secondsOf(m_options.stolen);
        MeasureEnd end = MeasureEnd::Cancelled;
        while (!m_stop.stop_requested()) {
            const Burst burst = takenBurst(rule.samplesLeft(), waited);
            const Verdict verdict = rule.add(burst, elapsed() - result.warmUpSeconds);
            report(rule.samples(), verdict);
            if (verdict != Verdict::Continue) {
                end = verdict == Verdict::Settled ? MeasureEnd::Settled : MeasureEnd::GaveUp;
                break;
            }
        }
        const double sampling = elapsed() - result.warmUpSeconds;
        result.waitingShare = shareOf(waited, sampling);
        result.stolenShare = shareOf(secondsOf(m_options.stolen), sampling);
        const bool stolen = result.stolenShare > kLargestInterference;
        return end == MeasureEnd::Settled && stolen ? MeasureEnd::GaveUp : end;
    }

    // At least one sample, and no more than `maxSamples`.
    Burst takenBurst(std::size_t maxSamples, double& waited) const
    {
        Burst burst;
        (void)secondsOf(m_options.waiting);
        const double start = elapsed();
        if (m_isShort) {
            m_run();
        }
        do {
            burst.seconds.push_back(timedBatch() / m_runsPerSample);
        } while (burst.seconds.size() < maxSamples && elapsed() - start < m_options.burstSeconds
                 && elapsed() < m_options.budgetSeconds && !m_stop.stop_requested());
        const double waiting = secondsOf(m_options.waiting);
        burst.disturbed = waiting > kLargestInterference * (elapsed() - start);
        waited += waiting;
        return burst;
    }

    double secondsOf(const InterferenceMeter& meter) const
    {
        return meter && (!m_options.timer || m_options.timesThreads) ? meter() : 0.0;
    }

    static double shareOf(double part, double whole)
    {
        return whole > 0.0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
    }

    void report(const Samples& samples, Verdict verdict)
    {
        const double now = m_options.clock();
        const bool due = now - m_lastReport >= m_options.progressSeconds;
        if (!m_progress || (!due && verdict == Verdict::Continue)) {
            return;
        }
        m_lastReport = now;
        const double share = std::clamp((now - m_start) / m_options.budgetSeconds, 0.0, 1.0);
        m_progress({samples.count(), samples.median(), share});
    }

    const std::function<void()>& m_run;
    const MeasureOptions& m_options;
    std::stop_token m_stop;
    const std::function<void(const MeasureProgress&)>& m_progress;
    double m_start;
    double m_lastReport;
    int m_runsPerSample = 1;
    bool m_isShort = false; ///< waking the threads would be a noticeable part of a sample
};

struct OptionBound
{
    const char* name;
    double value;
    double minimum;
    bool minimumIncluded;
};

} // namespace

Status validated(const MeasureOptions& options)
{
    const OptionBound bounds[] = {
        {"budget in seconds", options.budgetSeconds, 0.0, false},
        {"relative precision", options.relativePrecision, 0.0, false},
        {"least number of samples", static_cast<double>(options.minSamples), 1.0, true},
        {"largest number of samples",
         static_cast<double>(options.maxSamples),
         static_cast<double>(options.minSamples),
         true},
        {"least length of a sample in seconds", options.minSampleSeconds, 0.0, true},
        {"largest number of runs per sample",
         static_cast<double>(options.maxRunsPerSample),
         1.0,
         true},
        {"number of warm-up runs", static_cast<double>(options.warmUpRuns), 1.0, true},
        {"warm-up in seconds", options.warmUpSeconds, 0.0, true},
        {"length of a burst in seconds", options.burstSeconds, 0.0, true},
        {"pause between progress reports in seconds", options.progressSeconds, 0.0, true},
    };
    for (const OptionBound& bound : bounds) {
        const bool inside =
            bound.value > bound.minimum || (bound.minimumIncluded && bound.value == bound.minimum);
        if (!std::isfinite(bound.value) || !inside) {
            return Error{std::string("the ") + bound.name + " is " + numberText(bound.value)
                         + "; it must be " + (bound.minimumIncluded ? "at least " : "more than ")
                         + numberText(bound.minimum)};
        }
    }
    return Done{};
}

Measurement measure(const std::function<void()>& run,
                    const MeasureOptions& options,
                    std::stop_token stop,
                    const std::function<void(const MeasureProgress&)>& progress)
{
    FLOPSMITH_CHECK(run && options.clock && validated(options).ok());
    return Session(run, options, std::move(stop), progress).measurement();
}

} // namespace flopsmith
