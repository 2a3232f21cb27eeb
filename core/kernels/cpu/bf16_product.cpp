// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/bf16_product.h"

namespace flopsmith::cpu {
namespace {

// Columns of c one block after the other, so that each block of b is rounded once for all rows
// that fit a block.
void multiplyRounded(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     Stored storedA,
                     const MatrixAt<const float>& b,
                     Stored storedB,
                     const MatrixAt<float>& c,
                     Into into)
{
    const auto rightBlock = [&](Range inner, Range columns) {
        Bfloat16* to = blockScratch().b;
        packPanels(b, storedB, inner, columns, to);
        return to;
    };
    multiplyInBlocks(size, a, storedA, rightBlock, c, into, [](Range, Range) {});
}

// A sum without terms.
void sumNothing(const ProductSize& size, const MatrixAt<float>& c, Into into)
{
    for (std::int64_t r = 0; r < size.rows && into == Into::overwrite; ++r) {
        std::fill_n(c.first + r * c.stride, size.columns, 0.0F);
    }
}

} // namespace

void storeBlock(const float* block,
                std::int64_t width,
                std::int64_t rows,
                std::int64_t columns,
                const MatrixAt<float>& c,
                Into into)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* from = block + r * width;
        float* to = c.first + r * c.stride;
        if (into == Into::overwrite) {
            std::copy_n(from, columns, to);
        } else {
            std::transform(from, from + columns, to, to, [](float x, float y) { return x + y; });
        }
    }
}

void multiplyIn(Precision precision,
                const ProductSize& size,
                const MatrixAt<const float>& a,
                const MatrixAt<const float>& b,
                Stored stored,
                const MatrixAt<float>& c,
                Into into)
{
    if (precision == Precision::float32) {
        multiply(size, a, b, stored, c, into);
    } else if (size.inner == 0) {
        sumNothing(size, c, into);
    } else {
        multiplyRounded(size, a, Stored::straight, b, stored, c, into);
    }
}

void multiplyTransposedIn(Precision precision,
                          const ProductSize& size,
                          const MatrixAt<const float>& a,
                          const MatrixAt<const float>& b,
                          const MatrixAt<float>& c,
                          Into into)
{
    if (precision == Precision::float32) {
        multiplyTransposed(size, a, b, c, into);
    } else if (size.inner == 0) {
        sumNothing(size, c, into);
    } else {
        multiplyRounded(size, a, Stored::transposed, b, Stored::straight, c, into);
    }
}

} // namespace flopsmith::cpu
