// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"

namespace flopsmith::cuda {

/// A tensor as one matrix of a product, or as those of a batch: rows of `stride` values, and `step`
/// elements from one product's matrix to the next one's. Step 0: all products read the same.
struct Factor
{
    Tensor* of = nullptr;
    std::int64_t stride = 0;
    Stored stored = Stored::straight;
    std::int64_t step = 0;
};

struct ProductOptions
{
    std::int64_t count = 1; ///< products of the batch
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
Tensor* linear(Plan& plan, Tensor* x, std::int64_t out, Tensor* w, Tensor* bias = nullptr);

/// y ← y + b, in place.
void addBias(Plan& plan, Tensor* y, Tensor* bias);

} // namespace flopsmith::cuda
