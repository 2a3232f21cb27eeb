// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/kernel.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/head.h"

#include <memory>
#include <span>

namespace flopsmith::cpu {

/// The backward pass of an LM head; preparing it runs the forward pass and saves its activations.
std::unique_ptr<TrainingKernel> lmHeadBackward(const Head& head,
                                               int vocab,
                                               const Shape& shape,
                                               WeightView<float> weights,
                                               std::span<const float> x,
                                               std::span<const float> dy,
                                               Threads threads,
                                               Precision precision);

} // namespace flopsmith::cpu
