// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"
#include "core/layer/norm.h"

#include <cstdint>

// Norms of pieces of rows: of the heads of queries and keys, of latents. The rows lie anywhere, a
// bias may be added to them first, and the backward pass gets what the forward pass measured.
namespace flopsmith::cuda {

/// In each of `tokens` rows of `stride`, `units` pieces of `features` each, one behind the other
/// from `column` on.
struct NormPieces
{
    const float* x = nullptr;
    std::int64_t stride = 0;
    std::int64_t tokens = 0;
    int column = 0;
    int units = 1;
    int features = 1;
    const float* bias = nullptr; ///< of the whole row; null: none

    std::int64_t pieces() const { return tokens * units; }
};

/// What is measured of a piece.
struct NormMeasure
{
    float centre; ///< mean of LayerNorm, else 0
    float factor; ///< 1/sqrt(…)
};

/// measures[token·units + unit], enqueued.
void measureRows(const Device& device,
                 NormKind kind,
                 const NormPieces& rows,
                 NormMeasure* measures);

/// to[token, ·] = normalised·γ of rows without bias; one piece per token.
void scaleRows(const Device& device,
               const NormPieces& rows,
               const NormMeasure* measures,
               const float* gamma,
               const Destination& to);

/// The gradient in place, [tokens, gradientStride] with the pieces where rows have them. `products`
/// [tokens, productStride], which begins with the pieces, gets dy·n for the gradient of γ.
void normBackward(const Device& device,
                  NormKind kind,
                  const NormPieces& rows,
                  const NormMeasure* measures,
                  const float* gamma,
                  float* gradient,
                  std::int64_t gradientStride,
                  float* products,
                  std::int64_t productStride);

} // namespace flopsmith::cuda
