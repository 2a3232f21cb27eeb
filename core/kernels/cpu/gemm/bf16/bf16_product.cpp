// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_product.h"

#include "core/kernels/cpu/gemm/dot_product.h"
#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/simd/bf16_lanes.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/prefetch.h"

namespace flopsmith::cpu {
namespace {

// Activations are read again soon, gradients of weights are not.
Sum firstSumOf(const ProductSize& size, Stored storedA, const MatrixAt<float>& c, Into into)
{
    if (storedA == Stored::transposed) {
        return firstSum(size, c, into);
    }
    return into == Into::accumulate ? Sum::accumulate : Sum::overwrite;
}

// Some columns of b. Each block of inner values is rounded just before its first use, and reused if
// there are several blocks of rows.
class RoundedColumns
{
public:
    RoundedColumns(const MatrixAt<const float>& b,
                   Stored stored,
                   const Range& inner,
                   const Range& columns,
                   bool reused)
        : m_b(b)
        , m_stored(stored)
        , m_columns(columns)
        , m_first(inner.first)
        , m_rounded(inner.first)
        , m_reused(reused)
        , m_panels(rightScratch(reused ? inner.size() : BlockSize::kMaxInner))
    {}

    const Bfloat16* panels(const Range& inner)
    {
        const std::int64_t before = m_reused ? inner.first - m_first : 0;
        Bfloat16* to = m_panels + before * roundedUp(m_columns.size(), BlockSize::kPanel);
        if (m_rounded < inner.last) {
            packPanels(m_b, m_stored, inner, m_columns, to);
            m_rounded = inner.last;
        }
        return to;
    }

private:
    MatrixAt<const float> m_b;
    Stored m_stored;
    Range m_columns;
    std::int64_t m_first;
    std::int64_t m_rounded; ///< up to here
    bool m_reused;
    Bfloat16* m_panels;
};

// Rows of a that are rounded together: whole blocks of at most 16 MiB, but only one block if its
// product covers all columns.
std::int64_t rowsRoundedAtOnce(const Range& inner, std::int64_t columns)
{
    constexpr std::int64_t kElements = std::int64_t{8} << 20;
    const std::int64_t block = BlockSize::kMaxRows * heightOf(inner);
    return columns <= BlockSize::kMaxColumns
        ? BlockSize::kMaxRows
        : std::max<std::int64_t>(1, kElements / block) * BlockSize::kMaxRows;
}

void multiplyRounded(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     Stored storedA,
                     const MatrixAt<const float>& b,
                     Stored storedB,
                     const MatrixAt<float>& c,
                     Into into)
{
    const InnerBlocks blocks(size.inner);
    for (int k = 0; k < blocks.count(); k += InnerBlocks::kMaxAtOnce) {
        const int end = std::min(blocks.count(), k + InnerBlocks::kMaxAtOnce);
        const Range inner{blocks.at(k).first, blocks.at(end - 1).last};
        const Sum sum = k == 0 ? firstSumOf(size, storedA, c, into) : Sum::accumulate;
        Range rows;
        for (; rows.first < size.rows; rows.first = rows.last) {
            rows.last = std::min(size.rows, rows.first + rowsRoundedAtOnce(inner, size.columns));
            const LeftTiles left = packedRows(a, storedA, rows, blocks, k, end);
            Range columns;
            for (; columns.first < size.columns; columns.first = columns.last) {
                columns.last = std::min(size.columns, columns.first + BlockSize::kMaxColumns);
                RoundedColumns right(b, storedB, inner, columns, rows.size() > BlockSize::kMaxRows);
                const MatrixAt<float> to{c.first + rows.first * c.stride + columns.first, c.stride};
                multiplyTiles<1>(
                    left,
                    {0, rows.size()},
                    columns.size(),
                    [&](const PanelsFrom& here, const PanelsFrom& /*after*/) {
                        const Bfloat16* panels = right.panels(here.inner);
                        return Panels<1>{{panels}, {panels}}; // the next ones are not rounded yet
                    },
                    [&](const Range& here, const Range& /*columns*/, const BlockSums<1>& sums) {
                        storeBlock(sums,
                                   here.size(),
                                   columns.size(),
                                   {to.first + here.first * to.stride, to.stride},
                                   sum);
                    });
            }
        }
    }
    fenceStreamingStores();
}

// Sums of so few terms are bound by writing c. float32 adds them in one pass, and represents
// products of two bfloat16 exactly.
constexpr std::int64_t kFewBf16Terms = 16;
constexpr std::int64_t kCached = 65536; // floats of either operand
static_assert(kCached <= BlockSize::kMaxRows * BlockSize::kMaxColumns);

float* cachedFloats()
{
    return reinterpret_cast<float*>(
        leftScratch(BlockSize::kRowGrain, 2 * kCached / BlockSize::kRowGrain));
}

void roundRows(const MatrixAt<const float>& from,
               std::int64_t rows,
               std::int64_t columns,
               float* to)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        transform(from.first + r * from.stride,
                  to + r * columns,
                  static_cast<std::size_t>(columns),
                  [](Lanes values, std::size_t /*i*/) { return nearestBfloat16(values); });
    }
}

void multiplyFewRoundedTerms(const ProductSize& size,
                             const MatrixAt<const float>& a,
                             const MatrixAt<const float>& b,
                             const MatrixAt<float>& c,
                             Into into)
{
    constexpr std::int64_t kMax = kCached / kFewBf16Terms;
    float* roundedA = cachedFloats();
    float* roundedB = sumsScratch();
    for (std::int64_t i = 0; i < size.rows; i += kMax) {
        const std::int64_t rows = std::min(kMax, size.rows - i);
        roundRows({a.first + i, a.stride}, size.inner, rows, roundedA);
        for (std::int64_t j = 0; j < size.columns; j += kMax) {
            const std::int64_t columns = std::min(kMax, size.columns - j);
            roundRows({b.first + j, b.stride}, size.inner, columns, roundedB);
            multiplyTransposed({rows, size.inner, columns},
                               {roundedA, rows},
                               {roundedB, columns},
                               {c.first + i * c.stride + j, c.stride},
                               into);
        }
    }
}

// Few rows are bound by reading b, and rounding it into panels would take longer than the product:
// b is rounded as it is read and multiplied in float32.
constexpr std::int64_t kFewBf16Rows = 8;
constexpr std::int64_t kMaxRowLength = kCached / 16; // so that several rows are rounded together

bool hasFewRows(const ProductSize& size, Stored stored)
{
    return size.rows <= kFewBf16Rows
        && (stored == Stored::transposed || size.columns <= kMaxRowLength);
}

// In blocks of inner values, so that all rows of a fit the scratch.
void multiplyFewRoundedDots(const ProductSize& size,
                            const MatrixAt<const float>& a,
                            const MatrixAt<const float>& b,
                            const MatrixAt<float>& c,
                            Into into)
{
    constexpr std::int64_t kMax = kCached / kFewBf16Rows;
    float* roundedA = sumsScratch();
    for (std::int64_t k = 0; k < size.inner; k += kMax) {
        const std::int64_t inner = std::min(kMax, size.inner - k);
        roundRows({a.first + k, a.stride}, size.rows, inner, roundedA);
        multiplyByRoundedDots({size.rows, inner, size.columns},
                              {roundedA, inner},
                              {b.first + k, b.stride},
                              c,
                              k == 0 ? into : Into::accumulate);
    }
}

void multiplyFewRoundedRows(const ProductSize& size,
                            const MatrixAt<const float>& a,
                            const MatrixAt<const float>& b,
                            const MatrixAt<float>& c,
                            Into into)
{
    float* roundedA = cachedFloats();
    float* roundedB = sumsScratch();
    const std::int64_t maxInner = std::min(kCached / size.columns, kMaxRowLength);
    for (std::int64_t k = 0; k < size.inner; k += maxInner) {
        const std::int64_t inner = std::min(maxInner, size.inner - k);
        roundRows({a.first + k, a.stride}, size.rows, inner, roundedA);
        roundRows({b.first + k * b.stride, b.stride}, inner, size.columns, roundedB);
        multiply({size.rows, inner, size.columns},
                 {roundedA, inner},
                 {roundedB, size.columns},
                 Stored::notTransposed,
                 c,
                 k == 0 ? into : Into::accumulate);
    }
}

// Zeros, or c unchanged: a sum without terms.
void storeEmptySum(const ProductSize& size, const MatrixAt<float>& c, Into into)
{
    for (std::int64_t r = 0; r < size.rows && into == Into::overwrite; ++r) {
        std::fill_n(c.first + r * c.stride, size.columns, 0.0F);
    }
}

} // namespace

void storeBlock(const BlockSums<1>& sums,
                std::int64_t rows,
                std::int64_t columns,
                const MatrixAt<float>& c,
                Sum sum)
{
    constexpr std::int64_t kPrefetchRows = 4; // rows apart are not foreseen by hardware prefetchers
    for (std::int64_t r = 0; r < rows; ++r) {
        if (sum != Sum::stream) {
            const std::int64_t ahead = std::min(rows - 1, r + kPrefetchRows);
            prefetchToWrite(c.first + ahead * c.stride, static_cast<std::size_t>(columns));
        }
        for (std::int64_t j = 0; j < columns; j += BlockSize::kPanel) {
            const float* from = sums.panel(j / BlockSize::kPanel) + r * BlockSize::kPanel;
            float* to = c.first + r * c.stride + j;
            const auto count = static_cast<std::size_t>(std::min(BlockSize::kPanel, columns - j));
            switch (sum) {
            case Sum::overwrite:
                transform(from, to, count, [](Lanes x, std::size_t /*i*/) { return x; });
                break;
            case Sum::accumulate:
                inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
                    storeAt(to + i, loadAt(to + i) + loadAt(from + i));
                });
                break;
            case Sum::stream:
                for (std::size_t i = 0; i < count; i += kLanes) {
                    storeStreaming(to + i, load(from + i));
                }
                break;
            }
        }
    }
}

LeftTiles packedRows(const MatrixAt<const float>& a,
                     Stored stored,
                     const Range& rows,
                     const InnerBlocks& blocks,
                     int first,
                     int end)
{
    const std::int64_t begin = blocks.at(first).first;
    Bfloat16* values = leftScratch(rows.size(), blocks.at(end - 1).last - begin);
    const LeftTiles tiles(rows.size(), blocks, first, end, values);
    for (int k = first; k < end; ++k) {
        Range some;
        for (some.first = rows.first; some.first < rows.last; some.first = some.last) {
            some.last = std::min(rows.last, some.first + BlockSize::kMaxRows);
            const std::int64_t place = tiles.at(some.first - rows.first, blocks.at(k)) - values;
            packRows(a, stored, some, blocks.at(k), values + place);
        }
    }
    return tiles;
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
        storeEmptySum(size, c, into);
    } else if (hasFewRows(size, stored)) {
        const auto product =
            stored == Stored::transposed ? multiplyFewRoundedDots : multiplyFewRoundedRows;
        product(size, a, b, c, into);
    } else {
        multiplyRounded(size, a, Stored::notTransposed, b, stored, c, into);
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
        storeEmptySum(size, c, into);
    } else if (size.inner <= kFewBf16Terms) {
        multiplyFewRoundedTerms(size, a, b, c, into);
    } else {
        multiplyRounded(size, a, Stored::transposed, b, Stored::notTransposed, c, into);
    }
}

} // namespace flopsmith::cpu
