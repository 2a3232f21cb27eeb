// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/products.h"
#include "core/layer/activation.h"
#include "core/layer/gate_values.h"
#include "core/layer/norm.h"

#include <vector>

// Operations that several layers use. Without a backward pass a result may take the place of its
// input, which then has no other reader.
namespace flopsmith::cuda {

/// act(x)
Tensor* activated(Plan& plan, Activation activation, Tensor* x);
Tensor* sigmoids(Plan& plan, Tensor* x);

/// act(gate) ⊙ up within limits, if there are any.
Tensor* gated(Plan& plan,
              Activation activation,
              Tensor* gate,
              Tensor* up,
              const GateValues& values);

/// The norm of each of `units` equal pieces of every row, with γ and β of one piece; x itself
/// without a norm. `weights` begins with the norm's.
Tensor* normed(Plan& plan, const Norm& norm, Tensor* x, Tensors weights, int units = 1);

/// a + w ⊙ b; a may be null. There is one w, or one per column, per row (as many as b has) or per
/// element; those of elements are constant.
Tensor* weightedSum(Plan& plan, Tensor* a, Tensor* b, Tensor* weight);
/// a + scale·b
Tensor* sumOf(Plan& plan, Tensor* a, Tensor* b, float scale = 1.0F);

/// y[row, c] = x[row, sources[c]]. No source appears twice.
Tensor* selected(Plan& plan, Tensor* x, const std::vector<int>& sources);

/// Entries of a weight at their places in a dense matrix [rows, columns] of zeros.
Tensor* scattered(Plan& plan,
                  Tensor* entries,
                  const std::vector<Index>& places,
                  Index rows,
                  Index columns);

Tensor* zeros(Plan& plan, Index rows, Index columns);

} // namespace flopsmith::cuda
