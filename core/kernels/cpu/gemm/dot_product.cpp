// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/dot_product.h"

#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/simd/bf16_lanes.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/cpu/threads/team.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

// A tile's sums fill all registers except those for its rows and for one column.
constexpr int kDotRows = kLanes == 16 ? 4 : 3;
constexpr int kDotColumns = kLanes == 16 ? 6 : 4;

// Inner values of a block, so that a tile's rows and columns fit the first-level cache.
constexpr std::int64_t kInner = 1024;

// Values of all rows, so that they fit the second-level cache.
constexpr std::int64_t kRowValues = 1 << 17;

float* alignedRows()
{
    static thread_local Buffer rows(kRowValues, Grant::always);
    return rows.data();
}

[[maybe_unused]] const bool kThreadsHaveRows = onThreadStart([] { alignedRows(); });

// A register across two cache lines takes two loads, and loads limit a tile: the rows, which every
// column reads again, are copied to be aligned.
MatrixAt<const float> aligned(const ProductSize& size, const MatrixAt<const float>& a)
{
    constexpr std::int64_t kEnoughColumns = 64;
    constexpr std::uintptr_t kRegister = sizeof(Lanes);
    const std::int64_t stride = (size.inner + kLanes - 1) / kLanes * kLanes;
    const bool isAligned =
        a.stride % kLanes == 0 && reinterpret_cast<std::uintptr_t>(a.first) % kRegister == 0;
    if (isAligned || size.columns < kEnoughColumns || size.rows * stride > kRowValues) {
        return a;
    }
    float* to = alignedRows();
    for (std::int64_t i = 0; i < size.rows; ++i) {
        std::copy_n(a.first + i * a.stride, size.inner, to + i * stride);
    }
    return {to, stride};
}

// Cache lines of the next columns that a tile prefetches per step: enough to prefetch all of them
// while all rows are multiplied by the current ones.
constexpr int kMaxPrefetched = 2;
using Prefetched = std::array<const float*, kMaxPrefetched>;

// The conversion of a register of b after loading it.
struct Unchanged
{
    Lanes operator()(Lanes values) const { return values; }
};
struct Rounded
{
    Lanes operator()(Lanes values) const { return nearestBfloat16(values); }
};

// c[Rows, Columns] (+)= a·bᵀ
template <class Right, int Rows, int Columns, int Lines>
void addTile(std::int64_t inner,
             const MatrixAt<const float>& a,
             const MatrixAt<const float>& b,
             const MatrixAt<float>& c,
             Into into,
             const Prefetched& next)
{
    std::array<std::array<Lanes, Columns>, Rows> sums{};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<const float*, Rows> rows;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<const float*, Columns> columns;
    unrolled<Rows>([&](auto i)
                       __attribute__((always_inline)) { rows[i] = a.first + i * a.stride; });
    unrolled<Columns>([&](auto j)
                          __attribute__((always_inline)) { columns[j] = b.first + j * b.stride; });
    const auto add = [&](const auto& loadAt) __attribute__((always_inline))
    {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
        std::array<Lanes, Rows> left;
        unrolled<Rows>([&](auto i) __attribute__((always_inline)) { left[i] = loadAt(rows[i]); });
        unrolled<Columns>([&](auto j) __attribute__((always_inline)) {
            const Lanes right = Right{}(loadAt(columns[j]));
            unrolled<Rows>([&](auto i)
                               __attribute__((always_inline)) { sums[i][j] += left[i] * right; });
        });
    };
    std::int64_t k = 0;
    for (; k + kLanes <= inner; k += kLanes) {
        unrolled<Lines>([&](auto i) __attribute__((always_inline)) {
            __builtin_prefetch(next[i] + k, 0, 2);
        });
        add([k](const float* from) { return load(from + k); });
    }
    if (k < inner) {
        const auto n = static_cast<std::size_t>(inner - k);
        add([k, n](const float* from) { return loadSome(from + k, n); });
    }
    constexpr int kAll = Rows * Columns;
    constexpr int kBlocks = (kAll + kLanes - 1) / kLanes;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<float, kBlocks * kLanes> totals;
    unrolled<kBlocks>([&](auto block) __attribute__((always_inline)) {
        LaneBlock part{};
        unrolled<std::min(kLanes, kAll - block * kLanes)>([&](
            auto i) __attribute__((always_inline)) {
            constexpr int kSum = block * kLanes + i;
            part[i] = sums[kSum / Columns][kSum % Columns];
        });
        store(totals.data() + block * kLanes, sumsOf(part));
    });
    for (int i = 0; i < Rows; ++i) {
        float* to = c.first + i * c.stride;
        for (int j = 0; j < Columns; ++j) {
            const int sum = i * Columns + j;
            const float total = totals[static_cast<std::size_t>(sum)];
            to[j] = into == Into::accumulate ? to[j] + total : total;
        }
    }
}

using AddTile = void (*)(std::int64_t,
                         const MatrixAt<const float>&,
                         const MatrixAt<const float>&,
                         const MatrixAt<float>&,
                         Into,
                         const Prefetched&);

// By rows and columns.
using Tiles = std::array<std::array<AddTile, kDotColumns>, kDotRows>;

template <class Right, int Lines>
constexpr Tiles prefetchingTiles()
{
    return []<int... Row>(std::integer_sequence<int, Row...> /*rows*/)
    {
        const auto row =
            []<int Rows, int... Column>(std::integral_constant<int, Rows> /*rows*/,
                                        std::integer_sequence<int, Column...> /*columns*/)
        {
            return std::array<AddTile, kDotColumns>{addTile<Right, Rows, Column + 1, Lines>...};
        };
        return Tiles{row(std::integral_constant<int, Row + 1>{},
                         std::make_integer_sequence<int, kDotColumns>{})...};
    }
    (std::make_integer_sequence<int, kDotRows>{});
}

// By the number of prefetched lines.
using PrefetchingTiles = std::array<Tiles, kMaxPrefetched>;

template <class Right>
constexpr PrefetchingTiles kTiles{prefetchingTiles<Right, 1>(), prefetchingTiles<Right, 2>()};

// Multiplies all rows by one block of inner values of a tile's columns before the next block.
void addColumns(const PrefetchingTiles& prefetchingTiles,
                const ProductSize& size,
                const MatrixAt<const float>& a,
                const MatrixAt<const float>& b,
                const MatrixAt<float>& c,
                Into into)
{
    const auto tiles = static_cast<int>((size.rows + kDotRows - 1) / kDotRows);
    const int lines = tiles >= kDotColumns ? 1 : kMaxPrefetched;
    const Tiles& add = prefetchingTiles[static_cast<std::size_t>(lines - 1)];
    for (std::int64_t j = 0; j < size.columns; j += kDotColumns) {
        const std::int64_t columns = std::min<std::int64_t>(kDotColumns, size.columns - j);
        for (std::int64_t k = 0; k < size.inner || k == 0; k += kInner) {
            const bool hasMore = k + kInner < size.inner;
            const MatrixAt<const float> here{b.first + j * b.stride + k, b.stride};
            const float* next = hasMore ? here.first + kInner : b.first + (j + columns) * b.stride;
            for (int tile = 0; tile < tiles; ++tile) {
                const Range rows = partOf(size.rows, tiles, tile);
                Prefetched prefetched;
                for (int i = 0; i < kMaxPrefetched; ++i) {
                    const std::int64_t column = std::min(tile * lines + i, kDotColumns - 1);
                    prefetched[static_cast<std::size_t>(i)] = next + column * b.stride;
                }
                const auto& ofRows = add[static_cast<std::size_t>(rows.size() - 1)];
                ofRows[static_cast<std::size_t>(columns - 1)](
                    std::min(kInner, size.inner - k),
                    {a.first + rows.first * a.stride + k, a.stride},
                    here,
                    {c.first + rows.first * c.stride + j, c.stride},
                    k > 0 ? Into::accumulate : into,
                    prefetched);
            }
        }
    }
}

void multiplyInParts(const PrefetchingTiles& tiles,
                     const ProductSize& size,
                     const MatrixAt<const float>& a,
                     const MatrixAt<const float>& b,
                     const MatrixAt<float>& c,
                     Into into)
{
    const std::int64_t maxInner =
        std::max(kRowValues / std::max(size.rows, std::int64_t{1}) / kInner, std::int64_t{1})
        * kInner;
    for (std::int64_t k = 0; k < size.inner || k == 0; k += maxInner) {
        const ProductSize part{size.rows, std::min(maxInner, size.inner - k), size.columns};
        addColumns(tiles,
                   part,
                   aligned(part, {a.first + k, a.stride}),
                   {b.first + k, b.stride},
                   c,
                   k > 0 ? Into::accumulate : into);
    }
}

} // namespace

void multiplyByDots(const ProductSize& size,
                    const MatrixAt<const float>& a,
                    const MatrixAt<const float>& b,
                    const MatrixAt<float>& c,
                    Into into)
{
    multiplyInParts(kTiles<Unchanged>, size, a, b, c, into);
}

void multiplyByRoundedDots(const ProductSize& size,
                           const MatrixAt<const float>& a,
                           const MatrixAt<const float>& b,
                           const MatrixAt<float>& c,
                           Into into)
{
    multiplyInParts(kTiles<Rounded>, size, a, b, c, into);
}

} // namespace flopsmith::cpu
