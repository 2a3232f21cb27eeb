// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/bf16_block.h"
#include "core/kernels/cpu/bf16_packing.h"
#include "core/kernels/cpu/precision.h"
#include "core/kernels/cpu/product.h"
#include "core/kernels/cpu/product_tile.h"

#include <algorithm>

namespace flopsmith::cpu {

/// Blocks of nearly equal size, none larger than `most`.
inline int blocksIn(std::int64_t count, std::int64_t most)
{
    return static_cast<int>((count + most - 1) / most);
}

/// A block's result, whose rows are as wide as its panels, into its place in c; see Sum.
void storeBlock(const float* block,
                std::int64_t width,
                std::int64_t rows,
                std::int64_t columns,
                const MatrixAt<float>& c,
                Sum sum);

/// c (+)= a·b in blocks, on the calling thread; `first` says how the first terms come into c.
/// rightBlock(inner, columns) answers where the packed panels of a block of b are; done(rows,
/// columns) is called for each block of c that is finished.
template <class RightBlock, class Done>
void multiplyInBlocks(const ProductSize& size,
                      const MatrixAt<const float>& a,
                      Stored storedA,
                      const RightBlock& rightBlock,
                      const MatrixAt<float>& c,
                      Sum first,
                      const Done& done)
{
    const BlockScratch scratch = blockScratch();
    const int rowBlocks = blocksIn(size.rows, BlockSize::kMostRows);
    const int innerBlocks = blocksIn(size.inner, BlockSize::kMostInner);
    for (int r = 0; r < rowBlocks; ++r) {
        const Range rows = partOf(size.rows, rowBlocks, r, BlockSize::kRowGrain);
        for (int k = 0; k < innerBlocks; ++k) {
            const Range inner = partOf(size.inner, innerBlocks, k, BlockSize::kInnerGrain);
            const std::int64_t height = roundedUp(inner.size(), BlockSize::kInnerGrain);
            packRows(a, storedA, rows, inner, scratch.a);
            for (std::int64_t j = 0; j < size.columns; j += BlockSize::kMostColumns) {
                const Range columns{j, std::min(size.columns, j + BlockSize::kMostColumns)};
                const std::int64_t width = roundedUp(columns.size(), BlockSize::kPanel);
                multiplyBlock({blockRowsFor(rows.size()), height, width},
                              scratch.a,
                              rightBlock(inner, columns),
                              scratch.c);
                storeBlock(scratch.c,
                           width,
                           rows.size(),
                           columns.size(),
                           {c.first + rows.first * c.stride + j, c.stride},
                           k == 0 ? first : Sum::continues);
                if (k + 1 == innerBlocks) {
                    done(rows, columns);
                }
            }
        }
    }
}

/// multiply() with operands in the precision; float32 is multiply() itself. In bfloat16 both are
/// rounded in each call.
void multiplyIn(Precision precision,
                const ProductSize& size,
                const MatrixAt<const float>& a,
                const MatrixAt<const float>& b,
                Stored stored,
                const MatrixAt<float>& c,
                Into into = Into::overwrite);

/// multiplyTransposed() likewise.
void multiplyTransposedIn(Precision precision,
                          const ProductSize& size,
                          const MatrixAt<const float>& a,
                          const MatrixAt<const float>& b,
                          const MatrixAt<float>& c,
                          Into into = Into::overwrite);

} // namespace flopsmith::cpu
