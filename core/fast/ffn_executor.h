// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/shape.h"
#include "core/train/executor.h"

#include <vector>

namespace flopsmith {

/// An FFN by the CPU kernels, as classifyingFfnExecutor() of core/train: with classes U [d, C] the
/// logits s·(x + FFN(x))·U [T, C], without classes FFN(x) [T, d].
ExecutorFactory<float> fastFfnExecutor(FfnSpec ffn,
                                       Shape shape,
                                       std::vector<float> classes,
                                       cpu::Threads threads);

} // namespace flopsmith
