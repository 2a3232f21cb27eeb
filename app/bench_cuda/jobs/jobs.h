// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/measure_job.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <stop_token>
#include <string>

// What flopsmith-bench-cuda answers. Without a driver or a GPU each answer is a Failure with the
// reason.
namespace flopsmith::bench {

/// "flopsmith-bench-cuda 0.1.0".
std::string cudaProgramVersion();

/// The first GPU, its driver and the libraries that compute on it; Described or Failure.
Answer cudaDescribed(const DescribeRequest& request);

/// measuredOn() the first GPU. Too little of its memory is an answer too.
Answer cudaMeasured(const MeasureRequest& request,
                    const std::stop_token& stop,
                    const std::function<void(const Progress&)>& progress,
                    const AvailableBytes& available);

/// The best matrix product by precision, the best copy in memory and in the L2 cache: the fastest
/// sample of each, because a roof is what is reached at best. And the usual time of launching a
/// kernel that does nothing. PeaksMeasured or Failure.
Answer cudaPeaks(const PeaksRequest& request, const std::stop_token& stop);

} // namespace flopsmith::bench
