// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/measure/clock.h"

// Timers for measure() by the device's clock: events on the stream around the timed runs. The
// device must outlive the timer, and one timer times one kernel.
namespace flopsmith::bench {

/// Warm caches: runs are launched back to back, as graphs of several runs, which hides the host's
/// cost per launch.
BatchTimer hotTimer(const cuda::Device& device);

/// Cold caches: the last-level cache is overwritten before each run, outside the timing; the run is
/// enqueued as a graph meanwhile.
BatchTimer coldTimer(const cuda::Device& device);

/// Runs are launched one by one, without graphs.
BatchTimer launchTimer(const cuda::Device& device);

} // namespace flopsmith::bench
