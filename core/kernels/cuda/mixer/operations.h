// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"
#include "core/mixer/rope.h"

#include <limits>

// Operations that several kinds of attention use.
namespace flopsmith::cuda {

/// RoPE of some features of every head, from feature `first` on; rows are tokens of sequences, the
/// first of which stands at `firstPosition`.
struct Rotation
{
    int heads = 1;
    int first = 0;
    int features = 0;
    int firstPosition = 0;
    int sequence = 1;
};
Tensor* rotated(Plan& plan, Tensor* x, const Rotation& rotation, const Rope& rope);

/// Values within [−limit, limit].
Tensor* limited(Plan& plan, Tensor* x, float limit);

/// For every sequence its cached rows and then its new ones; without a backward pass.
Tensor* joined(Plan& plan, Tensor* cached, Tensor* fresh, std::int64_t batch);

} // namespace flopsmith::cuda
