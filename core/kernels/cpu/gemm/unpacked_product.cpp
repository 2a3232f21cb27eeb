// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/unpacked_product.h"

#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

// The sums of a tile fill the registers but those for a row of b and one value of a.
constexpr int kSums = 2 * kMostTileRows;
constexpr int kMostRegisters = 4; // of a row of c

constexpr int rowsFor(int registers)
{
    return std::min(kSums / registers, kMostTileRows);
}

// Where the rows of a tile begin, three by three: the processor adds one stride or two to an address
// by itself.
template <int Rows>
class TileRows
{
public:
    TileRows(const float* first, std::int64_t stride)
        : m_stride(stride)
    {
        for (std::size_t i = 0; i < m_bases.size(); ++i) {
            m_bases[i] = first + 3 * static_cast<std::int64_t>(i) * stride;
        }
    }

    template <int Row>
    float at() const
    {
        return m_bases[Row / 3][Row % 3 * m_stride];
    }

    void next()
    {
        for (const float*& base : m_bases) {
            ++base;
        }
    }

private:
    std::int64_t m_stride;
    std::array<const float*, (Rows + 2) / 3> m_bases;
};

// c[Rows, ·] (+)= a·b over so many registers of columns, of the last of which `last` count.
template <int Rows, int Registers, bool kWhole>
void addTile(std::int64_t inner,
             const MatrixAt<const float>& a,
             const MatrixAt<const float>& b,
             const MatrixAt<float>& c,
             std::size_t last,
             Into into,
             ReadAhead* ahead)
{
    const auto loadAt = [last](const float* from, auto q) __attribute__((always_inline))
    {
        return kWhole || q < Registers - 1 ? load(from + q * kLanes)
                                           : loadSome(from + q * kLanes, last);
    };
    const auto forEachSum = [&](const auto& step) __attribute__((always_inline))
    {
        unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
            unrolled<Registers>([&](auto q) __attribute__((always_inline)) {
                step(r, q, c.first + r * c.stride);
            });
        });
    };
    std::array<std::array<Lanes, Registers>, Rows> sums{};
    if (into == Into::add) {
        forEachSum([&](auto r, auto q, const float* from)
                       __attribute__((always_inline)) { sums[r][q] = loadAt(from, q); });
    }
    TileRows<Rows> left(a.first, a.stride);
    LinesAhead lines(ahead, inner, a.first);
    const float* right = b.first;
    for (std::int64_t k = 0; k < inner; ++k) {
        lines.ask();
        std::array<Lanes, Registers> row{};
        unrolled<Registers>([&](auto q)
                                __attribute__((always_inline)) { row[q] = loadAt(right, q); });
        unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
            const Lanes x = all(left.template at<r>());
            unrolled<Registers>([&](auto q)
                                    __attribute__((always_inline)) { sums[r][q] += x * row[q]; });
        });
        left.next();
        right += b.stride;
    }
    forEachSum([&](auto r, auto q, float* to) __attribute__((always_inline)) {
        if (kWhole || q < Registers - 1) {
            store(to + q * kLanes, sums[r][q]);
        } else {
            storeSome(to + q * kLanes, sums[r][q], last);
        }
    });
}

// All rows of some columns, as many at a time as the registers have room for.
template <int Registers, bool kWhole>
void addColumns(const ProductSize& size,
                const MatrixAt<const float>& a,
                const MatrixAt<const float>& b,
                const MatrixAt<float>& c,
                Into into,
                ReadAhead* ahead)
{
    const auto last = static_cast<std::size_t>(size.columns - (Registers - 1) * kLanes);
    std::int64_t row = 0;
    const auto take = [&](auto rows) {
        for (; row + rows <= size.rows; row += rows) {
            const MatrixAt<const float> some{a.first + row * a.stride, a.stride};
            addTile<rows, Registers, kWhole>(
                size.inner, some, b, {c.first + row * c.stride, c.stride}, last, into, ahead);
        }
    };
    take(std::integral_constant<int, rowsFor(Registers)>{});
    if constexpr (rowsFor(Registers) > 4) {
        take(std::integral_constant<int, 4>{});
    }
    if constexpr (rowsFor(Registers) > 2) {
        take(std::integral_constant<int, 2>{});
    }
    take(std::integral_constant<int, 1>{});
}

using AddColumns = void (*)(const ProductSize&,
                            const MatrixAt<const float>&,
                            const MatrixAt<const float>&,
                            const MatrixAt<float>&,
                            Into,
                            ReadAhead*);

constexpr std::array<std::array<AddColumns, 2>, kMostRegisters> kAddColumns{
    {{addColumns<1, false>, addColumns<1, true>},
     {addColumns<2, false>, addColumns<2, true>},
     {addColumns<3, false>, addColumns<3, true>},
     {addColumns<4, false>, addColumns<4, true>}}};

} // namespace

void multiplyUnpacked(const ProductSize& size,
                      const MatrixAt<const float>& a,
                      const MatrixAt<const float>& b,
                      const MatrixAt<float>& c,
                      Into into,
                      ReadAhead* ahead)
{
    const std::int64_t registers = (size.columns + kLanes - 1) / kLanes;
    const auto parts = static_cast<int>((registers + kMostRegisters - 1) / kMostRegisters);
    for (int part = 0; part < parts; ++part) {
        const Range mine = partOf(registers, parts, part);
        const std::int64_t first = mine.first * kLanes;
        const std::int64_t columns = std::min(size.columns, mine.last * kLanes) - first;
        const bool whole = columns % kLanes == 0;
        const auto& add = kAddColumns[static_cast<std::size_t>(mine.size() - 1)];
        add[whole ? 1 : 0]({size.rows, size.inner, columns},
                           a,
                           {b.first + first, b.stride},
                           {c.first + first, c.stride},
                           into,
                           ahead);
    }
}

} // namespace flopsmith::cpu
