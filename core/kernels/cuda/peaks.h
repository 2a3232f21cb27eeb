// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"

#include <memory>

namespace flopsmith::cuda {

/// A kernel that measures a peak of the GPU: the peak is `amount` divided by the seconds of a run.
struct PeakKernel
{
    std::unique_ptr<Kernel> kernel;
    Count amount; ///< FLOPs, or bytes read and written; 0 for the empty kernel
};

/// C = A·B of square matrices in the device's precision, 2n³ FLOPs, by cuBLAS.
Result<PeakKernel> prepareProductPeak(const Device& device, int n);

/// Copies `bytes`, far more than the last-level cache holds; `amount` counts bytes read and
/// written.
Result<PeakKernel> prepareCopyPeak(const Device& device, std::size_t bytes);

/// Copies one half of a working set of `bytes` to the other, repeatedly: the bandwidth of the cache
/// that holds it.
Result<PeakKernel> prepareCachePeak(const Device& device, std::size_t bytes);

/// One launch of an empty kernel.
Result<PeakKernel> prepareLaunch(const Device& device);

} // namespace flopsmith::cuda
