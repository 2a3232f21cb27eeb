// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/prefetch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

// A pass of SignedSums: values of a tile at given offsets are added to or subtracted from the sums
// of a row.
namespace flopsmith::cpu {

/// Offsets are stored times 16, so that an address uses them without a shift.
inline constexpr std::size_t kOffsetUnit = 16;

namespace detail {

// Rows are sorted by length, an order that hardware prefetchers do not predict: their sums are
// prefetched so many segments ahead.
inline constexpr std::ptrdiff_t kPrefetchDistance = 6;

template <class Value>
Value valueAt(const float* from)
{
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace detail

/// The registers of one channel of a tile.
template <class Value, int kCount>
struct SumRegisters
{
    // NOLINTNEXTLINE(bugprone-sizeof-expression): a register, or a float
    static constexpr std::size_t kStep = sizeof(Value) / sizeof(float);
    static constexpr std::size_t kWidth = kCount * kStep;

    std::array<Value, kCount> values{};

    SumRegisters() = default;
    explicit SumRegisters(const float* from)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] = detail::valueAt<Value>(from + i * kStep);
        }
    }

    void add(const float* from)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] += detail::valueAt<Value>(from + i * kStep);
        }
    }

    void add(const SumRegisters& other)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] += other.values[i];
        }
    }

    void subtract(const SumRegisters& other)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] -= other.values[i];
        }
    }

    static void prefetch(float* to) { prefetchToWrite(to, kWidth); }

    void storeTo(float* to) const { std::memcpy(to, values.data(), sizeof values); }
};

enum class Signs { plus, minus, both };

/// sum + the values at the offsets. A segment of one sign has two chains of additions: a single
/// chain would be bound by the latency of an addition, since few segments are in flight at once.
/// (Without the attribute it is not inlined, and sums are spilled to memory.)
template <Signs signs, class Tile, class Offset>
[[gnu::always_inline]] inline Tile added(Tile sum,
                                         const Offset* at,
                                         const Offset* end,
                                         const float* from)
{
    const auto value = [from](std::size_t offset) {
        if constexpr (Tile::kWidth >= kOffsetUnit) {
            return from + offset * (Tile::kWidth / kOffsetUnit);
        } else {
            return from + offset / (kOffsetUnit / Tile::kWidth);
        }
    };
    if constexpr (signs == Signs::both) {
#pragma GCC unroll 4
        for (; at != end; ++at) {
            sum.add(value(*at));
        }
        return sum;
    }
    Tile other;
    if (((end - at) & 1) != 0) {
        sum.add(value(at[0]));
        at += 1;
    }
    if (((end - at) & 2) != 0) {
        sum.add(value(at[0]));
        other.add(value(at[1]));
        at += 2;
    }
    for (; at != end; at += 4) {
        sum.add(value(at[0]));
        other.add(value(at[1]));
        sum.add(value(at[2]));
        other.add(value(at[3]));
    }
    sum.add(other);
    return sum;
}

/// The first pass overwrites the sums, later ones accumulate.
enum class Sums { overwrite, accumulate };

/// Adds the segments of one pass to their sums.
template <Sums sums, Signs signs, class Tile, class Segment, class Offset>
void addPass(const Segment* segment,
             const Segment* end,
             const Offset* at,
             const float* from,
             float* to)
{
    for (; segment != end; ++segment) {
        float* const row = to + std::size_t{segment->row} * Tile::kWidth;
        if (end - segment > detail::kPrefetchDistance) {
            Tile::prefetch(to + std::size_t{segment[detail::kPrefetchDistance].row} * Tile::kWidth);
        }
        // With both signs there are so few offsets that their lines would be prefetched repeatedly.
        if constexpr (signs != Signs::both) {
            prefetchEntries(at, signs == Signs::plus ? segment->plus : segment->minus);
        }
        Tile sum = sums == Sums::accumulate ? Tile(row) : Tile();
        if constexpr (signs != Signs::minus) {
            sum = added<signs>(sum, at, at + segment->plus, from);
            at += segment->plus;
        }
        if constexpr (signs != Signs::plus) {
            sum.subtract(added<signs>(Tile(), at, at + segment->minus, from));
            at += segment->minus;
        }
        sum.storeTo(row);
    }
}

} // namespace flopsmith::cpu
