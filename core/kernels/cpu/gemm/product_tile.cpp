// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/product_tile.h"

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/simd/prefetch.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace flopsmith::cpu {
namespace {

// A tile's sums fill all registers except those for a row of the panel and one value of the left
// matrix.
constexpr int kMaxRows = kMaxTileRows;

// Floats: with few rows panels come from memory.
constexpr std::int64_t kPrefetchDistance = 1024;

// Each tile of a block prefetches its part of the next panel, so that memory is read evenly rather
// than by the first tile alone.
struct NextPanel
{
    const float* first; ///< cache line of the first step
    std::int64_t second; ///< distance to its other line
    std::int64_t step; ///< distance to the lines of the next step

    NextPanel(const float* panel, std::int64_t inner, int tile, int tiles)
        : first(tiles == 1 ? panel + kPrefetchDistance
                           : panel + inner * kPanel + tile * inner * kPanel / tiles)
        , second(tiles == 1 ? kLanes : 0)
        , step(kPanel / tiles)
    {}
};

// Floats of a packed block.
std::int64_t blockFloats()
{
    static const std::int64_t kFloats = [] {
        const std::int64_t cache = std::max<std::int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0);
        const std::int64_t available = cache / 2 / static_cast<std::int64_t>(sizeof(float));
        const std::int64_t tile = kInnerAtOnce * kMaxRows;
        return std::clamp<std::int64_t>((available - kInnerAtOnce * kPanel) / tile, 4, 16) * tile;
    }();
    return kFloats;
}

// A tile's last values are written as a whole register, which ends beyond the block.
float* packedRows()
{
    static thread_local Buffer rows(static_cast<std::size_t>(blockFloats() + kLanes),
                                    Grant::always);
    return rows.data();
}

// Packs a tile: the values of its rows for one inner index, then for the next. Whole registers are
// stored, and the lanes beyond `Rows` are overwritten by the next store.
template <int Rows>
void packRows(const float* a, std::int64_t stride, std::int64_t inner, float* to)
{
    std::int64_t k = 0;
    for (; k + kLanes <= inner; k += kLanes) {
        LaneBlock block{};
        for (int r = 0; r < Rows; ++r) {
            block[static_cast<std::size_t>(r)] = load(a + r * stride + k);
            prefetchNextPage(a + r * stride + k);
        }
        transpose(block);
        for (const Lanes& values : block) {
            store(to, values);
            to += Rows;
        }
    }
    for (; k < inner; ++k) {
        for (int r = 0; r < Rows; ++r) {
            to[r] = a[r * stride + k];
        }
        to += Rows;
    }
}

template <int Rows>
void packColumns(const float* a, std::int64_t stride, std::int64_t inner, float* to)
{
    for (std::int64_t k = 0; k < inner; ++k) {
        std::memcpy(to, a + k * stride, Rows * sizeof(float)); // a known size: no call
        to += Rows;
    }
}

// c[Rows, Panels·kPanel] (+)= a·b with a [inner, Rows] packed and Panels panels of b, each
// [inner, kPanel]. All sums stay in registers.
template <int Rows, int Panels>
void addTile(const float* a,
             const float* b,
             std::int64_t inner,
             float* c,
             std::int64_t stride,
             Sum sum,
             const NextPanel& next)
{
    constexpr int kRegisters = Panels * kPanelLanes;
    std::array<std::array<Lanes, kRegisters>, Rows> sums{};
    const std::int64_t panel = inner * kPanel;
    const float* ahead = next.first;
    const auto forEachSum = [&](const auto& step) __attribute__((always_inline))
    {
        unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
            unrolled<kRegisters>([&](auto q) __attribute__((always_inline)) {
                step(c + r * stride + q * kLanes, sums[r][q]);
            });
        });
    };
    for (int r = 0; sum != Sum::stream && r < Rows; ++r) {
        for (int q = 0; q < kRegisters; ++q) {
            __builtin_prefetch(c + r * stride + q * kLanes, 1);
        }
    }
    for (std::int64_t k = 0; k < inner; ++k) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
        std::array<Lanes, kRegisters> row;
        unrolled<kRegisters>([&](auto q) __attribute__((always_inline)) {
            const float* from = b + q / kPanelLanes * panel + q % kPanelLanes * kLanes;
            row[q] = load(from);
            if constexpr (Panels > 1) {
                __builtin_prefetch(from + kPrefetchDistance);
            }
        });
        if constexpr (Panels == 1) {
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + next.second);
            ahead += next.step;
        }
        unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
            const Lanes x = all(a[r]);
            unrolled<kRegisters>([&](auto q)
                                     __attribute__((always_inline)) { sums[r][q] += x * row[q]; });
        });
        a += Rows;
        b += kPanel;
    }
    switch (sum) {
    case Sum::overwrite: forEachSum([](float* to, Lanes value) { store(to, value); }); break;
    case Sum::accumulate:
        forEachSum([](float* to, Lanes value) { store(to, load(to) + value); });
        break;
    case Sum::stream: forEachSum([](float* to, Lanes value) { storeStreaming(to, value); }); break;
    }
}

// Panels that a tile of so many rows multiplies together when it is the only tile.
constexpr int panelsFor(int rows)
{
    return rows == 1 ? 8 : rows <= 3 ? 4 : rows <= 6 ? 2 : 1;
}

using Pack = void (*)(const float*, std::int64_t, std::int64_t, float*);
using Add =
    void (*)(const float*, const float*, std::int64_t, float*, std::int64_t, Sum, const NextPanel&);

struct Tile
{
    Pack packRows;
    Pack packColumns;
    Add addOne; ///< panel
    Add addSeveral;
    int several;
};

template <int... Row>
constexpr std::array<Tile, sizeof...(Row)> tilesOf(std::integer_sequence<int, Row...> /*rows*/)
{
    return {Tile{packRows<Row + 1>,
                 packColumns<Row + 1>,
                 addTile<Row + 1, 1>,
                 addTile<Row + 1, panelsFor(Row + 1)>,
                 panelsFor(Row + 1)}...};
}

const Tile& tileOf(std::int64_t rows)
{
    static constexpr auto kTiles = tilesOf(std::make_integer_sequence<int, kMaxRows>{});
    return kTiles[static_cast<std::size_t>(rows - 1)];
}

// For fewer columns than a panel has, whose full width would overlap the next row of c.
void addPartialPanel(const Tile& tile,
                     const float* a,
                     const float* panel,
                     std::int64_t inner,
                     std::int64_t rows,
                     std::int64_t columns,
                     const MatrixAt<float>& c,
                     Sum sum,
                     const NextPanel& next)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<float, kMaxRows * kPanel> fullPanel;
    tile.addOne(a, panel, inner, fullPanel.data(), kPanel, Sum::overwrite, next);
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t j = 0; j < columns; ++j) {
            float& value = c.first[r * c.stride + j];
            const float added = fullPanel[static_cast<std::size_t>(r * kPanel + j)];
            value = sum == Sum::accumulate ? value + added : added;
        }
    }
}

} // namespace

Sum firstSum(const ProductSize& size, const MatrixAt<float>& c, Into into)
{
    if (into == Into::accumulate) {
        return Sum::accumulate;
    }
    constexpr std::int64_t kBytes = 1 << 21;
    constexpr std::uintptr_t kRegister = sizeof(Lanes);
    const bool streaming = size.inner <= kInnerAtOnce && size.columns % kPanel == 0
        && c.stride % kLanes == 0 && reinterpret_cast<std::uintptr_t>(c.first) % kRegister == 0
        && size.rows * size.columns * static_cast<std::int64_t>(sizeof(float)) >= kBytes;
    return streaming ? Sum::stream : Sum::overwrite;
}

std::int64_t rowsAtOnce(std::int64_t inner)
{
    return blockFloats() / std::clamp<std::int64_t>(inner, 1, kInnerAtOnce) / kMaxRows * kMaxRows;
}

RowBlock::RowBlock(std::int64_t rows, std::int64_t inner)
    : m_rows(rows)
    , m_inner(inner)
    , m_tiles(static_cast<int>((rows + kMaxRows - 1) / kMaxRows))
    , m_panelsAtOnce(m_tiles == 1 ? tileOf(rows).several : 1)
{}

// each(tile, its number, its rows in the block, where it is packed)
template <class Each>
void RowBlock::forEachTile(const Each& each) const
{
    float* packed = packedRows();
    for (int i = 0; i < m_tiles; ++i) {
        const Range own = partOf(m_rows, m_tiles, i);
        each(tileOf(own.size()), i, own, packed + own.first * m_inner);
    }
}

void RowBlock::pack(const MatrixAt<const float>& a, Stored stored) const
{
    forEachTile([&](const Tile& tile, int /*number*/, const Range& rows, float* to) {
        if (stored == Stored::notTransposed) {
            tile.packRows(a.first + rows.first * a.stride, a.stride, m_inner, to);
        } else {
            tile.packColumns(a.first + rows.first, a.stride, m_inner, to);
        }
    });
}

void RowBlock::add(const float* panels,
                   std::int64_t columns,
                   const MatrixAt<float>& c,
                   Sum sum) const
{
    forEachTile([&](const Tile& tile, int number, const Range& rows, const float* a) {
        const NextPanel next(panels, m_inner, number, m_tiles);
        float* to = c.first + rows.first * c.stride;
        if (columns < kPanel) {
            addPartialPanel(
                tile, a, panels, m_inner, rows.size(), columns, {to, c.stride}, sum, next);
        } else {
            (columns > kPanel ? tile.addSeveral
                              : tile.addOne)(a, panels, m_inner, to, c.stride, sum, next);
        }
    });
}

void RowBlock::multiplyTile(int tile, const float* panel, const MatrixAt<float>& c) const
{
    const Range rows = rowsOf(tile);
    tileOf(rows.size())
        .addOne(packedRows() + rows.first * m_inner,
                panel,
                m_inner,
                c.first,
                c.stride,
                Sum::overwrite,
                {panel, m_inner, 0, 1});
}

void prepareRowBlocks()
{
    packedRows();
}

} // namespace flopsmith::cpu
