// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/roofline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace flopsmith {

struct MeasuredPart;

enum class PartState {
    pending, ///< neither measured nor scheduled
    queued, ///< not measured yet, but scheduled
    running,
    settled,
    notSettled, ///< the budget ended before the spread was small enough; the median is kept
    failed, ///< see the sentence
};

/// The state of measuring one MeasuredPart. Seconds are for one use.
struct PartTime
{
    PartState state = PartState::pending;
    double medianSeconds = 0.0; ///< 0 without a time
    double madSeconds = 0.0; ///< median absolute deviation, plain
    std::optional<double> relativeError{}; ///< against the reference kernel
    std::string sentence{}; ///< why it failed or did not settle
    /// When it was measured, in seconds since 1970, if the time comes from the store: from the same
    /// device with the same libraries, driver and program.
    std::optional<std::int64_t> storedAt{};
    /// The shortest and the longest time of repeated measurements; 0 before the second.
    double lowestSeconds = 0.0;
    double highestSeconds = 0.0;
    /// While it runs: seconds without a message from the device; 0 as long as it answers.
    int silentSeconds = 0;

    bool hasTime() const
    {
        return (state == PartState::settled || state == PartState::notSettled)
            && medianSeconds > 0.0;
    }

    bool operator==(const PartTime&) const = default;
};

/// How many of the parts that add up to a pass have a time. Stages, which explain a part, and parts
/// inside a part do not count.
struct PartsMeasured
{
    int all = 0;
    int timed = 0;
    int failed = 0;

    /// Every part has a time, so the sum is the pass's, and shares of it are known.
    bool isComplete() const { return all > 0 && timed == all; }

    /// "5 of 6 parts"
    std::string text() const;
};

/// `times` is parallel to `parts`; missing entries count as pending.
PartsMeasured partsMeasured(std::span<const MeasuredPart> parts, std::span<const PartTime> times);

} // namespace flopsmith
