// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/kernels/shape.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"

#include <span>

// The operations of what surrounds mixers and FFNs.
namespace flopsmith::cuda {

Tensor* planTokens(Plan& plan,
                   const Embedding& embedding,
                   const Shape& shape,
                   std::span<const int> tokenIds,
                   Tensors weights);

Tensor* planPatches(Plan& plan,
                    const Embedding& embedding,
                    const Shape& shape,
                    std::span<const float> images,
                    Tensors weights);

Tensor* planHead(Plan& plan,
                 const Head& head,
                 int vocab,
                 const Shape& shape,
                 Tensor* x,
                 Tensors weights);

/// x ← x + the row of its position, in place; as tokens of a sequence, or of an image, follow.
void addPositions(Plan& plan,
                  const Embedding& embedding,
                  const Shape& shape,
                  Tensor* x,
                  Tensors weights);

/// x + scale·(f + g); g may be null.
Tensor* planResidual(Plan& plan, Tensor* x, const Tensor* f, const Tensor* g, float scale);

} // namespace flopsmith::cuda
