// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/measure/clock.h"

// The device's clock for measure(): events on the stream around what is timed. The device must
// outlive the timer, and one timer times one kernel.
namespace flopsmith::bench {

/// Runs follow one another: launched as graphs of several runs, so that the host's part of a
/// launch does not show.
BatchTimer hotTimer(const cuda::Device& device);

/// The last cache is overwritten before each run, outside the timing; the run is launched as a
/// graph while that still goes on.
BatchTimer coldTimer(const cuda::Device& device);

/// Runs are launched one by one, as a program without graphs does.
BatchTimer launchTimer(const cuda::Device& device);

} // namespace flopsmith::bench
