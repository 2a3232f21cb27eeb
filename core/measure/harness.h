// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/measure/clock.h"
#include "core/measure/interference.h"
#include "core/measure/samples.h"
#include "core/measure/stopping_rule.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace flopsmith {

// What is measured: the wall-clock seconds of one call, in the state that repeated calls reach:
// pages mapped, threads awake, clock frequency settled, and whatever fits in the caches cached.
//
// Why the usual way (time a loop of 100, divide) misleads:
//   * The first calls pay for page faults, lazy set-up and the ramp of the clock frequency. Here
//     they are warm-up and their time is reported apart.
//   * One interrupt doubles a mean. Here the median is the answer and the MAD its noise.
//   * A fixed number of repetitions is too few for a noisy machine and a waste on a quiet one.
//     Here the rule of stopping_rule.h decides, and when the budget ends first the result says
//     that it did not settle.
//   * Another program slows every run by the same factor, so that the samples still agree.
//     Here samples are taken in bursts, the system is asked after each whether a thread had to wait
//     for a processor, and those bursts are set aside; see interference.h.
//   * Threads fall asleep between two samples, while statistics are done, and waking them takes
//     longer than a short run. Here statistics wait for the end of a burst, and each burst begins
//     with a run that is not timed.
//   * A call of 100 ns is not longer than reading the clock. Here calls are timed in batches of
//     at least minSampleSeconds, so that reading the clock (some 30 ns) stays below 0.1 %; the
//     size of the batch is part of the result. A sample is then the mean of its batch.
//   * Dead code is removed. Here the call goes through a std::function, which the optimiser
//     cannot see through; `run` must still leave its results in memory that outlives it.
// Not measured: in a whole model other layers evict these weights from the caches, so an operation
// whose weights fit into the caches is slower there than alone in a loop. To measure that,
// overwrite the caches in beforeEachRun.

struct MeasureOptions
{
    double budgetSeconds = 1.0; ///< warm-up included; even a longer run is warmed up and timed once
    double relativePrecision = 0.01; ///< see StoppingLimits, as for the next two
    int minSamples = 6;
    int maxSamples = 10000;
    double minSampleSeconds = 50e-6; ///< shorter calls are timed in batches
    int maxRunsPerSample = 1 << 20;
    int warmUpRuns = 1; ///< at least; 1 is the least
    double warmUpSeconds = 0.05; ///< at least, but never more than a quarter of the budget
    double burstSeconds = 5e-3; ///< length of a burst; a longer sample is a burst of its own
    double progressSeconds = 0.05; ///< the pause between two reports of progress
    Clock clock = steadyClock();

    /// Times batches instead of `clock`, which then only limits the budget. May be empty.
    BatchTimer timer{};

    /// Called before each run, outside the timed part; runs are then timed one by one, however
    /// short. May be empty.
    std::function<void()> beforeEachRun{};

    /// The timer's clock is that of this machine's threads, of another process for example. That of a
    /// device does not include waiting of its host.
    bool timesThreads = false;

    /// Time lost to other programs; empty meters report none. Used where runs of threads are timed:
    /// without a `timer`, or by one that says so.
    InterferenceMeter waiting = waitingMeter();
    InterferenceMeter stolen = stealMeter();
};

/// An Error that names the first invalid option, such as a negative budget.
Status validated(const MeasureOptions& options);

struct MeasureProgress
{
    std::size_t samples = 0;
    double medianSeconds = 0.0;
    double budgetShare = 0.0; ///< spent so far, 0 to 1
};

enum class MeasureEnd {
    Settled,
    GaveUp, ///< budget or sample limit
    Cancelled, ///< the samples so far are kept; there may be none
};

struct Measurement
{
    Samples samples; ///< seconds of one run each
    int runsPerSample = 1;
    MeasureEnd end = MeasureEnd::GaveUp;
    std::optional<double> relativeHalfWidth; ///< see StoppingRule; nothing below 6 samples
    double warmUpSeconds = 0.0; ///< spent before the first sample
    double elapsedSeconds = 0.0; ///< warm-up and samples

    /// Share of the samples' time that the longest-waiting thread waited for a processor, 0 to 1.
    double waitingShare = 0.0;
    /// Share that the hypervisor stole from the processor that lost most. A measurement is not
    /// settled if it exceeds kLargestInterference.
    double stolenShare = 0.0;

    bool settled() const { return end == MeasureEnd::Settled; }
    bool cancelled() const { return end == MeasureEnd::Cancelled; }

    bool operator==(const Measurement&) const = default;
};

/// Warms up, then times `run` until the stopping rule ends, the budget is spent or `stop` is
/// requested (asked between samples: a run itself is never interrupted). There is at least one
/// sample unless cancelled. `progress` (may be empty) is called between bursts,
/// outside the timed part, at most every progressSeconds and once at the end. Exceptions of
/// `run` pass through. `options` must be valid.
Measurement measure(const std::function<void()>& run,
                    const MeasureOptions& options,
                    std::stop_token stop,
                    const std::function<void(const MeasureProgress&)>& progress);

} // namespace flopsmith
