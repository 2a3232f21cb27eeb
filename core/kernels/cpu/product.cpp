// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/product.h"

#include "core/kernels/cpu/ahead.h"
#include "core/kernels/cpu/blocked_product.h"
#include "core/kernels/cpu/lane_transpose.h"
#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/library_product.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

// Measured (tests/bench/README.md): up to so many rows reading b as it lies beats packing it.
constexpr std::int64_t kFewRows = 40;
constexpr std::int64_t kFewRowsTransposed = 8;
constexpr std::int64_t kFewTerms = 8;

// Up to this length, rows that stand apart (the keys of one head) are fetched ahead: processors
// foresee long runs only.
constexpr std::int64_t kShortRow = 512;

// Columns whose sums stay in the first-level cache while the rows of b stream by.
std::int64_t columnsAtOnce(std::int64_t rows)
{
    constexpr std::int64_t kSums = 8192; // 32 KiB
    return std::clamp(kSums / rows / 64 * 64, std::int64_t{256}, std::int64_t{1024});
}

// Rows of b that are added in one pass over the sums.
constexpr int kRowsAtOnce = 8;

// c[0, columns) += Σ_r a[r]·b[r, ·] over kRowsAtOnce rows of b, for every row of a and c.
void addRows(std::int64_t rows,
             std::int64_t columns,
             const MatrixAt<const float>& a,
             const MatrixAt<const float>& b,
             const MatrixAt<float>& c)
{
    const auto addTo = [&](std::int64_t j, const auto& loadAt, const auto& storeAt) {
        std::array<Lanes, kRowsAtOnce> source;
        for (int r = 0; r < kRowsAtOnce; ++r) {
            source[r] = loadAt(b.first + r * b.stride + j);
        }
        for (std::int64_t i = 0; i < rows; ++i) {
            float* to = c.first + i * c.stride + j;
            Lanes sum = loadAt(to);
            for (int r = 0; r < kRowsAtOnce; ++r) {
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
    const std::int64_t most = columnsAtOnce(size.rows);
    const bool apart = b.stride > size.columns && size.columns <= kShortRow;
    for (std::int64_t j = 0; j < size.columns; j += most) {
        const std::int64_t columns = std::min(most, size.columns - j);
        const MatrixAt<float> sums{c.first + j, c.stride};
        for (std::int64_t i = 0; into == Into::overwrite && i < size.rows; ++i) {
            std::fill_n(sums.first + i * sums.stride, columns, 0.0F);
        }
        std::int64_t r = 0;
        for (; r + kRowsAtOnce <= size.inner; r += kRowsAtOnce) {
            const std::int64_t ahead = std::min(r + 3 * kRowsAtOnce, size.inner);
            for (std::int64_t next = r + 2 * kRowsAtOnce; apart && next < ahead; ++next) {
                askToRead(b.first + next * b.stride + j, columns);
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

// The products of a and b, added up in each lane.
Lanes laneSums(const float* a, const float* b, std::int64_t count)
{
    std::array<Lanes, 4> sums{};
    std::int64_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
        for (int k = 0; k < 4; ++k) {
            sums[k] += load(a + i + k * kLanes) * load(b + i + k * kLanes);
        }
    }
    along(
        static_cast<std::size_t>(count - i),
        [&](std::size_t j) { sums[0] += load(a + i + j) * load(b + i + j); },
        [&](std::size_t j, std::size_t n) {
            sums[1] += loadSome(a + i + j, n) * loadSome(b + i + j, n);
        });
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The dot products of a with kLanes rows of b: turning the lanes' sums into rows of a square and
// adding its columns takes a quarter of what adding the lanes of each takes.
Lanes dots(const float* a, const MatrixAt<const float>& b, std::int64_t count)
{
    LaneBlock sums;
    for (std::size_t row = 0; row < sums.size(); ++row) {
        sums[row] = laneSums(a, b.first + static_cast<std::int64_t>(row) * b.stride, count);
    }
    transpose(sums);
    Lanes total{};
    for (const Lanes& part : sums) {
        total += part;
    }
    return total;
}

void multiplyFewRowsTransposed(const ProductSize& size,
                               const MatrixAt<const float>& a,
                               const MatrixAt<const float>& b,
                               const MatrixAt<float>& c,
                               Into into)
{
    const bool apart = b.stride > size.inner && size.inner <= kShortRow;
    std::int64_t j = 0;
    for (; j + kLanes <= size.columns; j += kLanes) {
        const std::int64_t ahead = std::min(j + 2 * kLanes, size.columns);
        for (std::int64_t next = j + kLanes; apart && next < ahead; ++next) {
            askToRead(b.first + next * b.stride, size.inner);
        }
        for (std::int64_t i = 0; i < size.rows; ++i) {
            float* to = c.first + i * c.stride + j;
            const Lanes values =
                dots(a.first + i * a.stride, {b.first + j * b.stride, b.stride}, size.inner);
            store(to, into == Into::add ? load(to) + values : values);
        }
    }
    for (; j < size.columns; ++j) {
        for (std::int64_t i = 0; i < size.rows; ++i) {
            const float value =
                sumOf(laneSums(a.first + i * a.stride, b.first + j * b.stride, size.inner));
            float& to = c.first[i * c.stride + j];
            to = into == Into::add ? to + value : value;
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
            Lanes sum = into == Into::add ? loadAt(row + j) : Lanes{};
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
    if (stored == Stored::straight && size.rows <= kFewRows) {
        multiplyFewRows(size, a, b, c, into);
    } else if (stored == Stored::transposed && size.rows <= kFewRowsTransposed) {
        multiplyFewRowsTransposed(size, a, b, c, into);
    } else if (size.rows <= fewForLibrary()) {
        multiplyBlocked(size, a, Stored::straight, b, stored, c, into);
    } else {
        multiplyByLibrary(size, a, Stored::straight, b, stored, c, into);
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
    } else if (size.inner <= fewForLibrary()) {
        multiplyBlocked(size, a, Stored::transposed, b, Stored::straight, c, into);
    } else {
        multiplyByLibrary(size, a, Stored::transposed, b, Stored::straight, c, into);
    }
}

} // namespace flopsmith::cpu
