// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/bf16_product.h"

#include "core/kernels/cpu/bf16_lanes.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/dot_product.h"

namespace flopsmith::cpu {
namespace {

// Activations are read again soon, gradients of weights are not.
Sum firstSumOf(const ProductSize& size, Stored storedA, const MatrixAt<float>& c, Into into)
{
    if (storedA == Stored::transposed) {
        return firstSum(size, c, into);
    }
    return into == Into::add ? Sum::continues : Sum::starts;
}

// With one block of rows, which is rounded once, each block of b is rounded just before it is used.
void multiplyRowsRounded(const ProductSize& size,
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
    multiplyInBlocks(
        size, a, storedA, rightBlock, c, firstSumOf(size, storedA, c, into), [](Range, Range) {});
    storesDone();
}

// With several, so many columns of b are rounded for all of them: they stay in the last-level cache.
constexpr std::int64_t kColumnsAtOnce = 2048;

Bfloat16* roundedColumns()
{
    static thread_local Buffer columns(bufferSize(BlockSize::kMostInner / 2, kColumnsAtOnce));
    return reinterpret_cast<Bfloat16*>(columns.data());
}

void multiplyRounded(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     Stored storedA,
                     const MatrixAt<const float>& b,
                     Stored storedB,
                     const MatrixAt<float>& c,
                     Into into)
{
    if (size.rows <= BlockSize::kMostRows) {
        multiplyRowsRounded(size, a, storedA, b, storedB, c, into);
        return;
    }
    const Sum first = firstSumOf(size, storedA, c, into);
    Bfloat16* panels = roundedColumns();
    const int innerBlocks = blocksIn(size.inner, BlockSize::kMostInner);
    for (int k = 0; k < innerBlocks; ++k) {
        const Range inner = partOf(size.inner, innerBlocks, k, BlockSize::kInnerGrain);
        const std::int64_t height = roundedUp(inner.size(), BlockSize::kInnerGrain);
        const std::int64_t leftAt = inner.first * (storedA == Stored::straight ? 1 : a.stride);
        for (std::int64_t j = 0; j < size.columns; j += kColumnsAtOnce) {
            const Range columns{j, std::min(size.columns, j + kColumnsAtOnce)};
            packPanels(b, storedB, inner, columns, panels);
            multiplyInBlocks(
                {size.rows, inner.size(), columns.size()},
                {a.first + leftAt, a.stride},
                storedA,
                [&](Range /*inner*/, Range some) { return panels + some.first * height; },
                {c.first + j, c.stride},
                k == 0 ? first : Sum::continues,
                [](Range, Range) {});
        }
    }
    storesDone();
}

// Sums of so few terms are bound by writing them. Single precision adds them in one pass, and knows
// products of two bfloat16 exactly.
constexpr std::int64_t kFewTerms = 16;
constexpr std::int64_t kCached = BlockSize::kMostRows * BlockSize::kMostColumns; // floats

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
    constexpr std::int64_t kMost = kCached / kFewTerms;
    const BlockScratch scratch = blockScratch();
    float* roundedA = reinterpret_cast<float*>(scratch.a);
    float* roundedB = scratch.c;
    for (std::int64_t i = 0; i < size.rows; i += kMost) {
        const std::int64_t rows = std::min(kMost, size.rows - i);
        roundRows({a.first + i, a.stride}, size.inner, rows, roundedA);
        for (std::int64_t j = 0; j < size.columns; j += kMost) {
            const std::int64_t columns = std::min(kMost, size.columns - j);
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
// single precision multiplies what is rounded on the way.
constexpr std::int64_t kFewRows = 8;
constexpr std::int64_t kLongest = kCached / 16; // row, so that several are rounded at a time

bool hasFewRows(const ProductSize& size, Stored stored)
{
    return size.rows <= kFewRows && (stored == Stored::transposed || size.columns <= kLongest);
}

// Along the inner values so many that all rows of a fit into scratch.
void multiplyFewRoundedDots(const ProductSize& size,
                            const MatrixAt<const float>& a,
                            const MatrixAt<const float>& b,
                            const MatrixAt<float>& c,
                            Into into)
{
    constexpr std::int64_t kMost = kCached / kFewRows;
    float* roundedA = blockScratch().c;
    for (std::int64_t k = 0; k < size.inner; k += kMost) {
        const std::int64_t inner = std::min(kMost, size.inner - k);
        roundRows({a.first + k, a.stride}, size.rows, inner, roundedA);
        multiplyByRoundedDots({size.rows, inner, size.columns},
                              {roundedA, inner},
                              {b.first + k, b.stride},
                              c,
                              k == 0 ? into : Into::add);
    }
}

void multiplyFewRoundedRows(const ProductSize& size,
                            const MatrixAt<const float>& a,
                            const MatrixAt<const float>& b,
                            const MatrixAt<float>& c,
                            Into into)
{
    const BlockScratch scratch = blockScratch();
    float* roundedA = reinterpret_cast<float*>(scratch.a);
    float* roundedB = scratch.c;
    const std::int64_t most = std::min(kCached / size.columns, kLongest);
    for (std::int64_t k = 0; k < size.inner; k += most) {
        const std::int64_t inner = std::min(most, size.inner - k);
        roundRows({a.first + k, a.stride}, size.rows, inner, roundedA);
        roundRows({b.first + k * b.stride, b.stride}, inner, size.columns, roundedB);
        multiply({size.rows, inner, size.columns},
                 {roundedA, inner},
                 {roundedB, size.columns},
                 Stored::straight,
                 c,
                 k == 0 ? into : Into::add);
    }
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
                Sum sum)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* from = block + r * width;
        float* to = c.first + r * c.stride;
        switch (sum) {
        case Sum::starts: std::copy_n(from, columns, to); break;
        case Sum::continues:
            std::transform(from, from + columns, to, to, [](float x, float y) { return x + y; });
            break;
        case Sum::passesBy:
            for (std::int64_t j = 0; j < columns; j += kLanes) {
                storePassingBy(to + j, load(from + j));
            }
            break;
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
    } else if (hasFewRows(size, stored)) {
        const auto product =
            stored == Stored::transposed ? multiplyFewRoundedDots : multiplyFewRoundedRows;
        product(size, a, b, c, into);
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
    } else if (size.inner <= kFewTerms) {
        multiplyFewRoundedTerms(size, a, b, c, into);
    } else {
        multiplyRounded(size, a, Stored::transposed, b, Stored::straight, c, into);
    }
}

} // namespace flopsmith::cpu
