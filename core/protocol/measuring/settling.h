// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <cstddef>
#include <optional>
#include <string>

namespace flopsmith {

// Whether a measured time can be trusted. One measurement sees one moment of the machine: whether
// its own samples agree, and who disturbed them. If neighbours on the same host slow the caches for
// minutes, only a later measurement shows it, so the store keeps the latest medians of each
// question.

/// Share of the sampling time that other programs or other virtual machines took, 0 to 1.
double lostShare(const Measured& measured);

/// The latest settled measurements of a question.
struct Repeats
{
    std::size_t times = 0;
    double lowestSeconds = 0.0; ///< the medians
    double middleSeconds = 0.0; ///< their median
    double highestSeconds = 0.0;

    /// How far the one that is farthest away is from the middle, over the middle: 0.05 reads
    /// "within 5 %".
    double spread() const;

    bool operator==(const Repeats&) const = default;
};

/// Repeated measurements within this of their median, on both sides, count as one number.
inline constexpr double kLargestSpread = 0.05;

/// As many of the latest measurements count.
inline constexpr std::size_t kMaxRepeats = 10;

/// Nothing before the second measurement.
std::optional<Repeats> repeatsOf(const Measured& measured);

/// `later` with the medians of `earlier`, which answered the same question on the same machine
/// before, and its own if it settled.
Measured repeated(const Measured& earlier, Measured later);

/// The samples agree with one another, and so do repeated measurements.
bool isSettled(const Measured& measured);

/// Why a measurement has not settled, as far as it is known: "Other programs had the processor for
/// 45.0 % of the time." if others took more than kLargestInterference; "4 measurements of one run
/// gave 4.10 ms to 6.50 ms." if these differ by more than kLargestSpread. Empty if it settled.
std::string unsettledSentence(const Measured& measured);

} // namespace flopsmith
