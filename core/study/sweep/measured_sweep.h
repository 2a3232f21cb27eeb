// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/device_pool.h"
#include "core/study/sweep/sweep.h"

namespace flopsmith {

/// A measured sweep has at most this many points.
inline constexpr std::size_t kMaxMeasuredPoints = 100'000;

/// Progress of a measured sweep.
struct MeasuredSweepProgress
{
    std::size_t done = 0; ///< points that are measured, or failed
    std::size_t of = 0; ///< points that are possible
    std::vector<std::string> working{}; ///< names of the busy devices
};

/// A sweep whose measured metrics are filled in: points are spread over the devices by
/// measureOnDevices(), each point once, its parts within the budget of `each`. `visit` is called
/// for every point in order, on the calling thread; a point that could not be measured says why and
/// keeps its computed values. Results in `memory` are not measured again. A stopped sweep visits
/// only finished points; if no device is left, the remaining points are visited with that as their
/// problem.
Result<PoolEnd> measuredSweep(
    const SweepPlan& plan,
    std::span<const Device> devices,
    const MeasuringOptions& each,
    const std::function<void(const SweepPoint&)>& visit,
    const std::stop_token& stop = {},
    const std::function<void(const MeasuredSweepProgress&)>& progress = {},
    const PoolMemory& memory = {});

} // namespace flopsmith
