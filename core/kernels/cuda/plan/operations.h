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

/// act(x + b); b may be null.
Tensor* activated(Plan& plan, Activation activation, Tensor* x, Tensor* bias = nullptr);

/// act(gate + b_gate) ⊙ (up + b_up) within limits, if there are any.
struct GatedHalves
{
    Tensor* gate = nullptr;
    Tensor* up = nullptr;
    Tensor* gateBias = nullptr;
    Tensor* upBias = nullptr;
};
Tensor* gated(Plan& plan,
              Activation activation,
              const GatedHalves& halves,
              const GateValues& values);

/// The norm of each of `units` equal pieces of every row, with γ and β of one piece; x itself
/// without a norm. `weights` begins with the norm's.
Tensor* normed(Plan& plan, const Norm& norm, Tensor* x, Tensors weights, int units = 1);

/// a + scale·b; without a just scale·b.
Tensor* sumOf(Plan& plan, Tensor* a, Tensor* b, float scale = 1.0F);

/// y[row, c] = x[row, sources[c]]. No source appears twice.
Tensor* selected(Plan& plan, Tensor* x, const std::vector<int>& sources);

/// Entries of a weight at their places in a dense matrix [rows, columns] of zeros.
Tensor* scattered(Plan& plan,
                  Tensor* entries,
                  const std::vector<Index>& places,
                  Index rows,
                  Index columns);

Tensor* zeros(Plan& plan, std::int64_t rows, std::int64_t columns);

} // namespace flopsmith::cuda
