// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/measure_job.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <stop_token>
#include <string>

// The answers of flopsmith-bench-cuda. Without a driver or a GPU each answer is a Failure with the
// reason.
namespace flopsmith::bench {

/// "flopsmith-bench-cuda 0.1.0".
std::string cudaProgramVersion();

/// The first GPU, its driver and the libraries that compute on it; Described or Failure.
Answer cudaDescribed(const DescribeRequest& request);

/// measuredOn() the first GPU. A shortage of its memory is a Failure.
Answer cudaMeasured(const MeasureRequest& request,
                    const std::stop_token& stop,
                    const std::function<void(const Progress&)>& progress,
                    const AvailableBytes& available);

/// Peaks of matrix products by precision and of copies in memory and in the L2 cache, each from the
/// fastest sample, because a roof is an upper bound; and the median time of launching an empty
/// kernel. PeaksMeasured or Failure.
Answer cudaPeaks(const PeaksRequest& request, const std::stop_token& stop);

} // namespace flopsmith::bench
