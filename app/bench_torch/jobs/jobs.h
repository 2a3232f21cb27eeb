// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/measure_job.h"
#include "app/bench_torch/jobs/torch_worker.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <stop_token>
#include <string>

// The answers of flopsmith-bench-torch. All of them ask the one worker, which they start if it does not
// run.
namespace flopsmith::bench {

/// "flopsmith-bench-torch 0.1.0".
std::string torchProgramVersion();

/// The device, and which PyTorch computes on it: "PyTorch 2.6.0, eager, CUDA 12.4".
Answer torchDescribed(TorchWorker& worker,
                      const DescribeRequest& request,
                      const std::stop_token& stop);

/// measuredOn() it; a shortage of either memory is an answer too.
Answer torchMeasured(TorchWorker& worker,
                     const MeasureRequest& request,
                     const std::stop_token& stop,
                     const std::function<void(const Progress&)>& progress,
                     const AvailableBytes& available);

/// The best product in each precision, the best copy in its memory, and the usual time of an operation
/// on one number.
Answer torchPeaks(TorchWorker& worker, const PeaksRequest& request, const std::stop_token& stop);

} // namespace flopsmith::bench
