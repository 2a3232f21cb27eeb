// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"

namespace flopsmith::bench {

/// Median wall time of a run within so many seconds.
double medianSeconds(Kernel& kernel, double budgetSeconds);

/// The best FLOP/s of a square product of any library here, in `budgetSeconds` for each size.
double productPeak(cpu::Threads threads,
                   double budgetSeconds,
                   cpu::Precision precision = cpu::Precision::float32);

/// Bytes read and written per second between places that no cache holds.
double copyPeak(cpu::Threads threads, double budgetSeconds);

} // namespace flopsmith::bench
