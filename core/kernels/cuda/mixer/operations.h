// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"
#include "core/mixer/rope.h"

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

/// The columns from `first` on of each of the heads that lie side by side in a tensor's rows.
struct HeadColumns
{
    Tensor* of = nullptr;
    Index heads = 1;
    Index first = 0;
};

/// `count` columns of each head become those of another tensor, whose only head may stand for all. It
/// adds to gradients, which begin as zeros.
void copyColumns(Plan& plan, const HeadColumns& to, const HeadColumns& from, Index count);

/// For every sequence its cached rows and then its new ones, without a backward pass; without a cache
/// `fresh` itself. The cached rows are on the host: column j is their column `columns[j]`.
Tensor* withCached(Plan& plan,
                   const Shape& shape,
                   std::span<const float> cached,
                   Tensor* fresh,
                   const std::vector<int>& columns);

/// `count` numbers from `first` on.
std::vector<int> numbers(Index first, Index count);

} // namespace flopsmith::cuda
