// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/shared/operands.h"
#include "core/base/result.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"

#include <memory>
#include <string>

namespace flopsmith::bench {

/// The operation's CPU kernel on these weights and inputs, which must outlive it.
Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                         WeightView<float> weights,
                                         const Inputs& inputs,
                                         cpu::Threads threads,
                                         cpu::Precision precision = cpu::Precision::float32);

} // namespace flopsmith::bench
