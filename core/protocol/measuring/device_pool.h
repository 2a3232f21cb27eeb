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

/// What one job of a pool gave.
struct PooledResult
{
    std::size_t job = 0;
    std::string device{}; ///< that answered, or was the last to try
    std::vector<MeasuredPart> plan{};
    std::vector<PartResult> parts{}; ///< parallel to the plan
    /// Parallel to the plan, or empty: when a result was measured, in seconds since 1970, that was
    /// known from before.
    std::vector<std::optional<std::int64_t>> storedAt{};
};

/// What a device gave for the parts of one job.
struct PooledParts
{
    MeasuringOutcome outcome{};
    std::vector<std::optional<std::int64_t>> storedAt{}; ///< see PooledResult
};

/// Results from before, that may answer for a device. The functions may be empty.
struct PoolMemory
{
    /// In place of measureParts(); called on the devices' threads, on several at once.
    std::function<PooledParts(DeviceSession& session,
                              std::span<const MeasuredPart> plan,
                              const MeasuringOptions& options,
                              const std::stop_token& stop,
                              KnownResults& known,
                              const MeasuringObserver& observer)>
        measure{};

    /// The number of the device that probably knows all of a plan. While it is there, nobody else
    /// gets that job, which it has done at once. Called on the thread of measureOnDevices().
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
/// more, and every job is measured once. `planOf` says what a job measures; it is called on the
/// devices' threads. Results come in the order of the jobs; when it is stopped, or no device is
/// left, those that are done and were waiting for an earlier one follow.
///
/// If a device's program dies or babbles (twice) in a job, another device does that job; if
/// that happens on every device that is left, the job has failed. A device is lost if it cannot
/// describe itself, when it hangs twice in one job, or after three such jobs in a row. An answer is
/// an answer, even if it is a refusal. `options` is what each job gets. A stop ends within the grace
/// of DeviceSession. What `memory` knows is not measured again. A device that gets no thread, because
/// the system has no more of them, is lost too.
PoolEnd measureOnDevices(std::span<const Device> devices,
                         std::size_t jobs,
                         const std::function<std::vector<MeasuredPart>(std::size_t)>& planOf,
                         const MeasuringOptions& options,
                         const std::stop_token& stop,
                         const PoolObserver& observer,
                         const PoolMemory& memory = {});

} // namespace flopsmith
