// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/run_time.h"

namespace flopsmith {

/// The times that one device has measured of a plan so far, or why it cannot.
struct DeviceTimes
{
    std::string device{}; ///< "this CPU"
    std::vector<PartTime> times{}; ///< parallel to the plan; missing entries count as pending
    std::optional<MachineRoofs> roofs{}; ///< of the device itself
    std::string unavailable{}; ///< why the device is not available; empty if it is
    std::string processor{}; ///< the device's own description; empty while unknown
};

/// One device of a comparison. It has a row for every part of the plan, measured or not.
struct RunTimeColumn
{
    std::string device{};
    std::string unavailable{};
    RunTimeTable table{};
    std::vector<double> ratios{}; ///< of each row's time to the first device's; 0 without both
    double ratio = 0.0; ///< over the parts that both have; 0 if there are none
    int commonParts = 0; ///< their number; stages do not count

    /// "614 ms", "614 ms stored", "3 of 8 parts, 614 ms", "not measured", "waiting" or "unavailable"
    std::string totalText{};
    std::string ratioText{}; ///< "0.51×"; empty for the first device and without a ratio

    /// False for an unavailable device without results: it has no bars.
    bool hasBars() const { return unavailable.empty() || table.total.seconds > 0.0; }
};

/// The same parts on several devices, side by side.
struct RunTimeComparison
{
    std::vector<RunTimeColumn> columns{}; ///< the others are compared with the first one
    std::string note{}; ///< how to read bars and ratios, line by line, least important first
    std::string key{}; ///< the same in a few words: "tick: lower bound; ≈: not settled"
    std::string emptyText{}; ///< if no device has measured anything or is about to

    bool isSideBySide() const { return columns.size() > 1; }
};

/// `devices` in the order in which they are shown; each has its own lower bounds, from its own
/// roofs. A ratio compares seconds: 0.5 is twice as fast as the first device.
RunTimeComparison runTimeComparison(std::span<const MeasuredPart> parts,
                                    std::span<const DeviceTimes> devices,
                                    const RoofConditions& as = {});

} // namespace flopsmith
