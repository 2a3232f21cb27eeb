// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/bfloat16.h"

#include <compare>
#include <cstdint>

namespace flopsmith::cpu {

/// Rows and inner values of a block of a left operand in bfloat16. Larger operands are cut into
/// blocks that fit the second-level cache beside their results, while the panels they are
/// multiplied by stay in the first-level cache.
///
/// A block is stored in tiles of kRowGrain rows by kInnerGrain inner values, each row by row; all
/// tiles of the same rows are contiguous. Rows beyond the last are undefined, inner values are
/// padded with zeros.
struct BlockSize
{
    static constexpr std::int64_t kMaxRows = 512;
    static constexpr std::int64_t kRowGrain = 16;
    static constexpr std::int64_t kMaxInner = 512;
    static constexpr std::int64_t kInnerGrain = 32;
    static constexpr std::int64_t kMaxColumns = 256; ///< of a block of rows whose sums are kept
    static constexpr std::int64_t kPanel = 32; ///< columns

    std::int64_t rows; ///< at least one
    std::int64_t inner; ///< a multiple of kInnerGrain, at least that

    auto operator<=>(const BlockSize&) const = default; // NOLINT(modernize-use-nullptr): its 0
};

constexpr std::int64_t roundedUp(std::int64_t count, std::int64_t grain)
{
    return (count + grain - 1) / grain * grain;
}

/// The offset of an element in a block with so many inner values; of the first element of a tile's
/// row if `inner` is a multiple of kInnerGrain.
constexpr std::int64_t placeInTiles(std::int64_t row, std::int64_t inner, std::int64_t innerValues)
{
    constexpr std::int64_t kRows = BlockSize::kRowGrain;
    constexpr std::int64_t kInner = BlockSize::kInnerGrain;
    return row / kRows * kRows * innerValues + inner / kInner * kRows * kInner
        + row % kRows * kInner + inner % kInner;
}

/// Scratch of the calling thread: panels of [kMaxRows, kPanel] sums, allocated by the first
/// product; a left operand and kMaxColumns columns of a right one, which grow to the largest size
/// requested.
float* sumsScratch();
Bfloat16* leftScratch(std::int64_t rows, std::int64_t inner);
Bfloat16* rightScratch(std::int64_t inner);

/// A block of a left operand, to be multiplied by panels on the calling thread: by the tiles of the
/// processor if it has these (bf16_tiles.h), otherwise by oneDNN; in float32 while that is emulated
/// (bf16_emulation.h). Only where computesProductsIn(bfloat16). `a` is borrowed and must not change.
/// One at a time on a thread: for oneDNN its rows lie in scratch.
///
/// oneDNN prepares the first block of a size on a thread, which takes about a millisecond.
class LeftBlock
{
public:
    LeftBlock(const BlockSize& size, const Bfloat16* a);

    /// c [rows, kPanel] (+)= a · panel, where c has whole tiles of rows; rows beyond the last are
    /// undefined. In a panel, of kPanel columns, rows 2i and 2i + 1 are interleaved: the order in
    /// which the processor multiplies pairs. Prefetches `next`, the next panel, at any address.
    void multiply(const Bfloat16* panel, const Bfloat16* next, float* c, Into into) const;

private:
    enum class By { tiles, library, emulation };
    static By chosen();

    BlockSize m_size;
    By m_by;
    const Bfloat16* m_a; ///< in tiles; for the library row by row in scratch
};

} // namespace flopsmith::cpu
