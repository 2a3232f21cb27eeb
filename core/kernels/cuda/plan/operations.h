// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/layer/activation.h"
#include "core/layer/gate_values.h"
#include "core/layer/norm.h"

#include <vector>

// Operations that several layers use. Without a backward pass a result may take the place of its
// input, which then has no other reader.
namespace flopsmith::cuda {

/// A tensor as one matrix of a product, or as those of a batch: rows of `stride` values, and `step`
/// elements from one product's matrix to the next one's. Step 0: all products read the same.
struct Factor
{
    Tensor* of = nullptr;
    Index stride = 0;
    Stored stored = Stored::straight;
    Index step = 0;
};

struct ProductOptions
{
    Index count = 1; ///< products of the batch
    float scale = 1.0F;
    bool exact = false; ///< operands are not rounded to bfloat16
};

/// c = scale·a·b as a step of cuBLAS, and the gradients of a and b.
void product(Plan& plan,
             const ProductSize& size,
             const Factor& a,
             const Factor& b,
             const Factor& c,
             const ProductOptions& options = {});

/// x·W + b, [rows, out]; W [in, out], b may be null.
Tensor* linear(Plan& plan, Tensor* x, Index out, Tensor* w, Tensor* bias = nullptr);

/// y ← y + b, in place.
void addBias(Plan& plan, Tensor* y, Tensor* bias);

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

/// Every row, as a matrix [rows, columns], transposed.
Tensor* turned(Plan& plan, Tensor* x, Index rows, Index columns);

/// Entries of a weight at their places in a dense matrix [rows, columns] of zeros.
Tensor* scattered(Plan& plan,
                  Tensor* entries,
                  const std::vector<Index>& places,
                  Index rows,
                  Index columns);

Tensor* zeros(Plan& plan, Index rows, Index columns);

} // namespace flopsmith::cuda
