// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace flopsmith {

/// A monotonic clock: seconds since an arbitrary moment. Injected, so that tests can fake time and
/// a device can use its own clock.
using Clock = std::function<double()>;

/// Seconds that `runs` calls of `run` take together, by the clock of the device that executes what
/// they enqueue.
using BatchTimer = std::function<double(const std::function<void()>& run, int runs)>;

/// The operating system's monotonic clock (nanoseconds on Linux; setting the date does not
/// touch it).
Clock steadyClock();

} // namespace flopsmith
