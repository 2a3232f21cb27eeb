// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace flopsmith {

// Time that a measurement lost to other programs. A clock cannot detect it: on a processor shared
// by two programs every run takes twice as long. The operating system reports it.

/// Samples that lost a larger share count as disturbed. Waking threads alone costs 1 to 3 % on an
/// idle machine.
inline constexpr double kLargestInterference = 0.05;

/// Seconds that each thread of a process was runnable without a processor (Linux: run delay, in
/// nanoseconds). Empty if the system does not report it.
using ThreadWaits = std::map<std::string, double>;

/// `process` is a process id, or this process.
ThreadWaits threadWaits(const std::filesystem::path& root = "/",
                        const std::string& process = "self");

/// Steal time of each processor in seconds, in steps of 10 ms. Empty if the system does not report
/// it; all zero without a hypervisor.
using StolenTimes = std::map<std::string, double>;

StolenTimes stolenTimes(const std::filesystem::path& root = "/");

/// The largest growth of any entry from `before` to `after`; new entries start at 0. Not the sum,
/// because parallel threads wait for the slowest.
double largestGrowth(const std::map<std::string, double>& before,
                     const std::map<std::string, double>& after);

/// Seconds lost since the previous call (0 at the first) by the thread, or the processor, that lost
/// most. Injected, so that tests can simulate interference.
using InterferenceMeter = std::function<double()>;

InterferenceMeter waitingMeter(const std::filesystem::path& root = "/",
                               const std::string& process = "self");
InterferenceMeter stealMeter(const std::filesystem::path& root = "/");

} // namespace flopsmith
