// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"
#include "core/layer/residual.h"

#include <cstddef>
#include <span>

// Reference kernels of the layers around mixers and FFNs. `weights` are those of the layer's
// weights(…) in that order; S is float, double or Counted.
namespace flopsmith::reference {

/// y = norm(x), both [T, d]; y = x if there is no norm.
template <class S>
void forward(const Norm& norm,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y);

/// Its gradients: dx [T, d] and one tensor per weight, all overwritten. Here and below, saved
/// activations are recomputed without being counted.
template <class S>
void backward(const Norm& norm,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients);

/// y [T, d] = token row + position row + row 0 of the token types, then the norm, and where the
/// embedding has one, the projection. `tokenIds` are
/// T numbers in [0, V). The i-th query token (from 0) has position C − S + i; a learned
/// table repeats after its last row.
template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const int> tokenIds,
             std::span<S> y);

/// The gradients of the tables and of the norm.
template <class S>
void backward(const Embedding& embedding,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const int> tokenIds,
              std::span<const S> dy,
              GradientView<S> gradients);

/// The same for images [batch, channels, size, size]: patches row by row after the extra tokens;
/// the shape's sequence is imageTokens(). There are gradients for all tensors.
template <class S>
void forward(const Embedding& embedding,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> images,
             std::span<S> y);

template <class S>
void backward(const Embedding& embedding,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> images,
              std::span<const S> dy,
              GradientView<S> gradients);

/// lm: x [T, d] → y [T, V]; pooler: the first query token of each sequence → y [batch, d];
/// classifier: → y [batch, classes]; none: y is empty.
template <class S>
void forward(const Head& head,
             int vocab,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y);

/// dx [T, d] and the gradients of the weights from dy, sized like y. Without a head both are zero.
template <class S>
void backward(const Head& head,
              int vocab,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients);

/// Elements of a head's y.
std::size_t headOutputs(const Head& head, int vocab, const Shape& shape);

/// sum = x + f, all of equal length. Also serves as its backward pass: dx is the sum of the
/// gradients of the residual path and of f's input.
template <class S>
void addResidual(std::span<const S> x, std::span<const S> f, std::span<S> sum);

/// sum = x + f or x + f + g, perhaps scaled; g is empty if there is one branch.
template <class S>
void addResidual(const Residual& residual,
                 std::span<const S> x,
                 std::span<const S> f,
                 std::span<const S> g,
                 std::span<S> sum);

} // namespace flopsmith::reference
