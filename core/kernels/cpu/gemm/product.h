// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Whether the right matrix of a product is stored as it is used or transposed (the token embedding
/// as LM head, the keys of attention).
enum class Stored { notTransposed, transposed };

enum class Into { overwrite, accumulate };

/// How the sums of a block are written: they overwrite c, are accumulated into it, or overwrite it
/// by streaming stores, which do not read c into the cache first. Streaming needs whole panels, c
/// aligned to a register, a stride of whole registers, and a final fenceStreamingStores().
enum class Sum { overwrite, accumulate, stream };

/// A row-major matrix inside a larger one: its first element and the stride of its rows.
template <class Value>
struct MatrixAt
{
    Value* first;
    std::int64_t stride;
};

/// rows×inner times inner×columns.
struct ProductSize
{
    std::int64_t rows;
    std::int64_t inner;
    std::int64_t columns;
};

/// c = a·b, or c += a·b, on the calling thread. Few rows read b in place (multiplyByDots() if it is
/// stored transposed), some hundred are multiplyBlocked(), more multiplyByLibrary().
void multiply(const ProductSize& size,
              const MatrixAt<const float>& a,
              const MatrixAt<const float>& b,
              Stored stored,
              const MatrixAt<float>& c,
              Into into = Into::overwrite);

/// c (+)= aᵀ·b with a [inner, rows], b [inner, columns], on the calling thread: the gradient of a
/// weight. Few inner terms are added in one pass that writes c once, some hundred are
/// multiplyBlocked(), more multiplyByLibrary().
void multiplyTransposed(const ProductSize& size,
                        const MatrixAt<const float>& a,
                        const MatrixAt<const float>& b,
                        const MatrixAt<float>& c,
                        Into into = Into::overwrite);

} // namespace flopsmith::cpu
