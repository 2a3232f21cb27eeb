// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/product.h"

#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/gemm/dot_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/prefetch.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

// Measured (README.md of this folder): up to so many rows reading b in place beats packing it.
constexpr std::int64_t kFewRows = 40;
constexpr std::int64_t kFewTerms = 8;

// The same for dot products, whose sums over the lanes take as long as some hundred terms each.
bool dotsAreFaster(const ProductSize& size)
{
    constexpr std::int64_t kMaxRows = 48;
    constexpr std::int64_t kTermsPerRow = 8;
    constexpr std::int64_t kAlwaysRows = 3;
    return size.rows <= std::max(kAlwaysRows, std::min(kMaxRows, size.inner / kTermsPerRow));
}

// Rows up to this length that are not contiguous (the keys of one head) are prefetched; hardware
// prefetchers need longer runs.
constexpr std::int64_t kShortRow = 512;

// Columns whose sums stay in the first-level cache while the rows of b stream by.
std::int64_t columnsAtOnce(std::int64_t rows)
{
    constexpr std::int64_t kSums = 8192; // 32 KiB
    return std::clamp(kSums / rows / 64 * 64, std::int64_t{256}, std::int64_t{1024});
}

// Rows of b that are added in one pass over the sums.
constexpr int kRowsPerPass = 8;

// c[0, columns) += Σ_r a[r]·b[r, ·] over kRowsPerPass rows of b, for every row of a and c.
void addRows(std::int64_t rows,
             std::int64_t columns,
             const MatrixAt<const float>& a,
             const MatrixAt<const float>& b,
             const MatrixAt<float>& c)
{
    const auto addTo = [&](std::int64_t j, const auto& loadAt, const auto& storeAt) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
        std::array<Lanes, kRowsPerPass> source;
        for (int r = 0; r < kRowsPerPass; ++r) {
            source[r] = loadAt(b.first + r * b.stride + j);
        }
        for (std::int64_t i = 0; i < rows; ++i) {
            float* to = c.first + i * c.stride + j;
            Lanes sum = loadAt(to);
            for (int r = 0; r < kRowsPerPass; ++r) {
                sum += a.first[i * a.stride + r] * source[r];
            }
            storeAt(to, sum);
        }
    };
    along(
        static_cast<std::size_t>(columns),
        [&](std::size_t j) { addTo(static_cast<std::int64_t>(j), load, store); },
        [&](std::size_t j, std::size_t n) {
            addTo(
                static_cast<std::int64_t>(j),
                [n](const float* from) { return loadSome(from, n); },
                [n](float* to, Lanes sum) { storeSome(to, sum, n); });
        });
}

void addRow(std::int64_t rows,
            std::int64_t columns,
            const MatrixAt<const float>& a,
            const float* b,
            const MatrixAt<float>& c)
{
    for (std::int64_t i = 0; i < rows; ++i) {
        float* to = c.first + i * c.stride;
        const float factor = a.first[i * a.stride];
        along(
            static_cast<std::size_t>(columns),
            [&](std::size_t j) { store(to + j, load(to + j) + factor * load(b + j)); },
            [&](std::size_t j, std::size_t n) {
                storeSome(to + j, loadSome(to + j, n) + factor * loadSome(b + j, n), n);
            });
    }
}

void multiplyFewRows(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     const MatrixAt<const float>& b,
                     const MatrixAt<float>& c,
                     Into into)
{
    const std::int64_t maxColumns = columnsAtOnce(size.rows);
    const bool prefetches = b.stride > size.columns && size.columns <= kShortRow;
    for (std::int64_t j = 0; j < size.columns; j += maxColumns) {
        const std::int64_t columns = std::min(maxColumns, size.columns - j);
        const MatrixAt<float> sums{c.first + j, c.stride};
        for (std::int64_t i = 0; into == Into::overwrite && i < size.rows; ++i) {
            std::fill_n(sums.first + i * sums.stride, columns, 0.0F);
        }
        std::int64_t r = 0;
        for (; r + kRowsPerPass <= size.inner; r += kRowsPerPass) {
            const std::int64_t ahead = std::min(r + 3 * kRowsPerPass, size.inner);
            for (std::int64_t next = r + 2 * kRowsPerPass; prefetches && next < ahead; ++next) {
                prefetchToRead(b.first + next * b.stride + j, columns);
            }
            addRows(size.rows,
                    columns,
                    {a.first + r, a.stride},
                    {b.first + r * b.stride + j, b.stride},
                    sums);
        }
        for (; r < size.inner; ++r) {
            addRow(size.rows, columns, {a.first + r, a.stride}, b.first + r * b.stride + j, sums);
        }
    }
}

// Row by row of c: c[i, ·] (+)= Σ_k a[k, i]·b[k, ·].
void multiplyFewTerms(const ProductSize& size,
                      const MatrixAt<const float>& a,
                      const MatrixAt<const float>& b,
                      const MatrixAt<float>& c,
                      Into into)
{
    for (std::int64_t i = 0; i < size.rows; ++i) {
        float* row = c.first + i * c.stride;
        const auto sumAt = [&](std::size_t j, const auto& loadAt) {
            Lanes sum = into == Into::accumulate ? loadAt(row + j) : Lanes{};
            for (std::int64_t k = 0; k < size.inner; ++k) {
                sum += a.first[k * a.stride + i] * loadAt(b.first + k * b.stride + j);
            }
            return sum;
        };
        along(
            static_cast<std::size_t>(size.columns),
            [&](std::size_t j) { store(row + j, sumAt(j, load)); },
            [&](std::size_t j, std::size_t n) {
                const auto some = [n](const float* from) { return loadSome(from, n); };
                storeSome(row + j, sumAt(j, some), n);
            });
    }
}

} // namespace

void multiply(const ProductSize& size,
              const MatrixAt<const float>& a,
              const MatrixAt<const float>& b,
              Stored stored,
              const MatrixAt<float>& c,
              Into into)
{
    if (stored == Stored::notTransposed && size.rows <= kFewRows) {
        multiplyFewRows(size, a, b, c, into);
    } else if (stored == Stored::transposed && dotsAreFaster(size)) {
        multiplyByDots(size, a, b, c, into);
    } else if (size.rows <= libraryThreshold()) {
        multiplyBlocked(size, a, Stored::notTransposed, b, stored, c, into);
    } else {
        multiplyByLibrary(size, a, Stored::notTransposed, b, stored, c, into);
    }
}

void multiplyTransposed(const ProductSize& size,
                        const MatrixAt<const float>& a,
                        const MatrixAt<const float>& b,
                        const MatrixAt<float>& c,
                        Into into)
{
    if (size.inner <= kFewTerms) {
        multiplyFewTerms(size, a, b, c, into);
    } else if (size.inner <= libraryThreshold()) {
        multiplyBlocked(size, a, Stored::transposed, b, Stored::notTransposed, c, into);
    } else {
        multiplyByLibrary(size, a, Stored::transposed, b, Stored::notTransposed, c, into);
    }
}

} // namespace flopsmith::cpu
