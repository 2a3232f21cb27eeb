// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/bfloat16.h"

#include <cstdint>
#include <string>

namespace flopsmith::cpu {

/// A product of [rows, inner] by [inner, columns] in bfloat16. Larger ones are made of blocks that
/// the second-level cache holds together with their result. Sizes are multiples of what an
/// instruction takes, so that the library never fills anything up.
struct BlockSize
{
    static constexpr std::int64_t kMostRows = 256;
    static constexpr std::int64_t kRowGrain = 16;
    static constexpr std::int64_t kMostInner = 1024;
    static constexpr std::int64_t kInnerGrain = 32;
    static constexpr std::int64_t kMostColumns = 256;
    static constexpr std::int64_t kPanel = 64;

    std::int64_t rows; ///< as blockRowsFor() says
    std::int64_t inner; ///< a multiple of kInnerGrain
    std::int64_t columns; ///< a multiple of kPanel

    auto operator<=>(const BlockSize&) const = default; // NOLINT(modernize-use-nullptr): its 0
};

constexpr std::int64_t roundedUp(std::int64_t count, std::int64_t grain)
{
    return (count + grain - 1) / grain * grain;
}

/// As many rows as a block has for `rows` ones: few sizes, because each is compiled once.
constexpr std::int64_t blockRowsFor(std::int64_t rows)
{
    for (std::int64_t few = 1; few < BlockSize::kRowGrain; few *= 2) {
        if (rows <= few) {
            return few;
        }
    }
    return roundedUp(rows, BlockSize::kRowGrain);
}

/// What one thread rounds its operands into, and what comes out. Allocated in the thread's first
/// product.
struct BlockScratch
{
    Bfloat16* a; ///< [BlockSize::kMostRows, BlockSize::kMostInner]
    Bfloat16* b; ///< [BlockSize::kMostInner, BlockSize::kMostColumns] in panels
    float* c; ///< [BlockSize::kMostRows, BlockSize::kMostColumns]
};

BlockScratch blockScratch();

/// c = a·b on the calling thread; a and c are contiguous rows. b lies in panels of BlockSize::kPanel,
/// one after the other, in each of which rows 2i and 2i + 1 alternate element by element: the
/// order in which the processor multiplies pairs. Only where computesProductsIn(bfloat16).
/// The first block of a size on a thread is prepared, which takes about a millisecond.
void multiplyBlock(const BlockSize& size, const Bfloat16* a, const Bfloat16* b, float* c);

} // namespace flopsmith::cpu
