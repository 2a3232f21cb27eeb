// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"

#include <cstddef>
#include <span>

// Reference kernels of what surrounds mixers and FFNs. `weights` are those of the layer's
// weights(…) in that order; S is float, double or Counted.
namespace flopsmith::reference {

/// y = norm(x), both [T, d]; no norm copies.
template <class S>
void forward(const Norm& norm,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y);

/// y [T, d] = token row + position row + row 0 of the token types, then the norm. `tokenIds` are
/// T numbers in [0, V). The i-th query token (from 0) stands at position C − S + i; a learned
/// table repeats after its last row.
template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const int> tokenIds,
             std::span<S> y);

/// lm: x [T, d] → y [T, V]; pooler: the first query token of each sequence → y [batch, d]; none:
/// y is empty.
template <class S>
void forward(const Head& head,
             int vocab,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y);

/// Elements of a head's y.
std::size_t headOutputs(const Head& head, int vocab, const Shape& shape);

/// sum = x + f, all of equal length.
template <class S>
void addResidual(std::span<const S> x, std::span<const S> f, std::span<S> sum);

} // namespace flopsmith::reference
