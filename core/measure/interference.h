// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace flopsmith {

// What other programs cost a measurement. A clock cannot tell: on a processor that is shared half
// and half every run takes twice as long, one as long as the other. The system knows.

/// Samples of which a larger share was lost are disturbed. Waking threads alone costs 1 to 3 % on a
/// machine with nothing else to do.
inline constexpr double kLargestInterference = 0.05;

/// By thread of this process, how many seconds it has been ready to run without a processor to run
/// on (Linux: run delay, to the nanosecond). Empty where the system does not say.
using ThreadWaits = std::map<std::string, double>;

ThreadWaits threadWaits(const std::filesystem::path& root = "/");

/// By processor, how many seconds the hypervisor ran something else in its place (steal), in steps
/// of 10 ms. Empty where the system does not say; all zero on a machine of its own.
using StolenTimes = std::map<std::string, double>;

StolenTimes stolenTimes(const std::filesystem::path& root = "/");

/// The largest growth of any entry from `before` to `after`, one without a predecessor counted from
/// 0. Not the sum: threads that work side by side wait for the slowest.
double largestGrowth(const std::map<std::string, double>& before,
                     const std::map<std::string, double>& after);

/// Seconds since the previous call (0 at the first) that the system took from the thread, or from the
/// processor, that lost most. Passed in, so that tests disturb as they please.
using InterferenceMeter = std::function<double()>;

InterferenceMeter waitingMeter(const std::filesystem::path& root = "/");
InterferenceMeter stealMeter(const std::filesystem::path& root = "/");

} // namespace flopsmith
