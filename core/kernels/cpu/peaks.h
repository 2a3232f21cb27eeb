// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"

#include <memory>
#include <vector>

namespace flopsmith::cpu {

/// What a machine does at most, as a kernel that somebody else times: `amount` per run, divided
/// by the seconds, is the peak.
struct PeakKernel
{
    std::unique_ptr<Kernel> kernel;
    Count amount; ///< FLOPs, or bytes read and written
};

/// C = A·B of square matrices, 2n³ FLOPs, by whatever multiplies here in the precision: packed weights
/// and the library for large products; in bfloat16 a rounded B with A rounded in each run, or beforehand
/// too. The peak is the fastest of them. n = 1024 takes some 20 ms on one core in float32. An Error where nothing computes in the precision.
Result<std::vector<PeakKernel>> prepareProductPeaks(int n,
                                                    Threads threads,
                                                    Precision precision = Precision::float32);

/// One copy for each of `threads`, all of the same memory; see prepareCopyPeak().
Result<std::vector<PeakKernel>> prepareCopyPeaks(std::size_t bytes,
                                                 const std::vector<Threads>& threads);

/// Copies `bytes` (well beyond the last cache level: 256 MiB or more) to another place; counted
/// are the bytes read and the bytes written.
Result<PeakKernel> prepareCopyPeak(std::size_t bytes, Threads threads);

/// Each thread copies one half of a working set of `bytes` of its own to the other and back, again
/// and again: what the cache that holds `bytes` moves. Counted are bytes read and bytes written, by
/// all threads together.
Result<PeakKernel> prepareCachePeak(std::size_t bytes, Threads threads);

/// Wakes the threads for nothing: what each step of a kernel pays before it begins. Counted is 1.
Result<PeakKernel> prepareLaunch(Threads threads);

/// Adds up `bytes` of values again and again on each thread, a register at a time: what sums
/// without products cost at least, when their terms lie in the cache that holds `bytes`. Counted
/// are the additions of single values. output() is the sum of each thread.
Result<PeakKernel> prepareAdditionPeak(std::size_t bytes, Threads threads);

} // namespace flopsmith::cpu
