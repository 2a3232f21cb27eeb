// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"
#include "core/layer/norm.h"

#include <cstdint>

// Norms of pieces of rows: heads of queries and keys, or latents. Rows may be strided, a bias may
// be added first, and the forward pass saves mean and factor for the backward pass.
namespace flopsmith::cuda {

/// Each of `tokens` rows of `stride` holds `units` consecutive pieces of `features` from `column`
/// on.
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

/// Mean and factor of a piece.
struct NormMeasure
{
    float centre; ///< mean of LayerNorm, else 0
    float factor; ///< 1/sqrt(…)
};

/// measures[token·units + unit], enqueued.
void measureRows(const Device& device,
                 const Norm& norm,
                 const NormPieces& rows,
                 NormMeasure* measures);

/// to[token, ·] = normalised·γ for rows without bias and one piece per token.
void scaleRows(const Device& device,
               const NormPieces& rows,
               const NormMeasure* measures,
               const float* gamma,
               const Destination& to);

/// Turns dy into dx in place, [tokens, gradientStride] with the pieces at the columns of the rows.
/// `products` [tokens, productStride], pieces first, receives dy·n for the gradient of γ.
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
