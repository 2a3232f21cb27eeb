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

/// The peak of a machine, as a kernel that the caller times: `amount` per run divided by the
/// seconds.
struct PeakKernel
{
    std::unique_ptr<Kernel> kernel;
    Count amount; ///< FLOPs, or bytes read and written
};

/// C = A·B of square matrices, 2n³ FLOPs, by every way of multiplying in the precision: packed
/// weights and the library for large products; in bfloat16 a rounded B, with A rounded in each run
/// or beforehand. The peak is the fastest of them. n = 1024 takes some 20 ms on one core in
/// float32. An Error if products cannot be computed in the precision here.
Result<std::vector<PeakKernel>> prepareProductPeaks(int n,
                                                    Threads threads,
                                                    Precision precision = Precision::float32);

/// One copy for each of `threads`, all of the same memory; see prepareCopyPeak().
Result<std::vector<PeakKernel>> prepareCopyPeaks(std::size_t bytes,
                                                 const std::vector<Threads>& threads);

/// Copies `bytes` (well beyond the last cache level: 256 MiB or more) to another place; counted
/// are the bytes read and the bytes written.
Result<PeakKernel> prepareCopyPeak(std::size_t bytes, Threads threads);

/// Each thread repeatedly copies one half of its own working set of `bytes` to the other and back:
/// the bandwidth of the cache that holds `bytes`. Counts bytes read and bytes written, of all
/// threads together.
Result<PeakKernel> prepareCachePeak(std::size_t bytes, Threads threads);

/// Wakes the threads without work: the overhead of each step of a kernel. Counts 1.
Result<PeakKernel> prepareLaunch(Threads threads);

/// Repeatedly adds up `bytes` of values on each thread, a register at a time: the lower bound for
/// sums without products whose terms are in the cache that holds `bytes`. Counts additions of
/// single values. output() is the sum of each thread.
Result<PeakKernel> prepareAdditionPeak(std::size_t bytes, Threads threads);

} // namespace flopsmith::cpu
