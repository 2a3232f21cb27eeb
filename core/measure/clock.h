// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace flopsmith {

/// Seconds since any fixed moment, never going back. Passed in, so that tests move time
/// themselves and a device can bring its own clock.
using Clock = std::function<double()>;

/// Seconds that `runs` calls of `run` take together, by the clock of a device that executes what they
/// hand over to it.
using BatchTimer = std::function<double(const std::function<void()>& run, int runs)>;

/// The operating system's monotonic clock (nanoseconds on Linux; setting the date does not
/// touch it).
Clock steadyClock();

} // namespace flopsmith
