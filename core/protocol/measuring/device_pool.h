// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/measuring.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// The result of one job of a pool.
struct PooledResult
{
    std::size_t job = 0;
    std::string device{}; ///< that answered, or was the last to try
    std::vector<MeasuredPart> plan{};
    std::vector<PartResult> parts{}; ///< parallel to the plan
    /// Parallel to the plan, or empty: for results from the store, when they were measured, in
    /// seconds since 1970.
    std::vector<std::optional<std::int64_t>> storedAt{};
};

/// A device's results for the parts of one job.
struct PooledParts
{
    MeasuringOutcome outcome{};
    std::vector<std::optional<std::int64_t>> storedAt{}; ///< see PooledResult
};

/// Earlier results, which may replace measurements. The functions may be empty.
struct PoolMemory
{
    /// Called instead of measureParts(), on the devices' threads, several at once.
    std::function<PooledParts(DeviceSession& session,
                              std::span<const MeasuredPart> plan,
                              const MeasuringOptions& options,
                              const std::stop_token& stop,
                              KnownResults& known,
                              const MeasuringObserver& observer)>
        measure{};

    /// The index of the device that probably has results for the whole plan. While it is alive,
    /// only it gets that job, which it finishes immediately. Called on the thread of
    /// measureOnDevices().
    std::function<std::optional<std::size_t>(std::span<const MeasuredPart>)> home{};
};

/// Called on the thread that called measureOnDevices(); each may be empty.
struct PoolObserver
{
    std::function<void(const PooledResult&)> result; ///< in the order of the jobs
    /// How many jobs are done, and which one each device works on.
    std::function<void(std::size_t done, std::span<const std::optional<std::size_t>> working)>
        progress;
};

struct PoolEnd
{
    bool stopped = false;
    std::vector<std::string> lostDevices{}; ///< a sentence per device that was given up
    bool allDevicesLost = false; ///< and jobs are left
};

/// Spreads jobs over devices: each takes the next one when it is free, so that a faster device does
/// more, and every job is measured once. `planOf` returns the plan of a job; it is called on the
/// devices' threads. Results come in the order of the jobs; after a stop, or when no device is
/// left, finished results behind an unfinished job follow.
///
/// If a device's program dies or sends garbage (twice) in a job, another device does that job; if
/// that happens on every remaining device, the job has failed. A device is lost if it cannot
/// describe itself, if it hangs twice in one job, or after three such jobs in a row. A refusal is
/// an answer too. `options` apply to each job. A stop ends within the grace of DeviceSession.
/// Results in `memory` are not measured again. A device for which the system has no thread is lost
/// too.
PoolEnd measureOnDevices(std::span<const Device> devices,
                         std::size_t jobs,
                         const std::function<std::vector<MeasuredPart>(std::size_t)>& planOf,
                         const MeasuringOptions& options,
                         const std::stop_token& stop,
                         const PoolObserver& observer,
                         const PoolMemory& memory = {});

} // namespace flopsmith
