// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/kernels/cuda/device/device.h"
#include "core/kernels/kernel.h"

#include <memory>

namespace flopsmith::cuda {

/// What a GPU does at most, as a kernel that somebody else times: `amount` per run, divided by the
/// seconds, is the peak.
struct PeakKernel
{
    std::unique_ptr<Kernel> kernel;
    Count amount; ///< FLOPs, or bytes read and written; 0 of what does nothing
};

/// C = A·B of square matrices in the device's precision, 2n³ FLOPs, by cuBLAS.
Result<PeakKernel> prepareProductPeak(const Device& device, int n);

/// Copies `bytes` (well beyond the last cache) to another place; counted are the bytes read and
/// the bytes written.
Result<PeakKernel> prepareCopyPeak(const Device& device, std::size_t bytes);

/// Copies within a working set of `bytes`, half of it read and half of it written, again and again:
/// what the cache that holds it moves.
Result<PeakKernel> prepareCachePeak(const Device& device, std::size_t bytes);

/// One kernel that does nothing.
Result<PeakKernel> prepareLaunch(const Device& device);

} // namespace flopsmith::cuda
