// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/signed_sums.h"

#include "core/kernels/cpu/tile_width.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace flopsmith::cpu {
namespace {

// Sums of one panel in a large tile: 256 KiB.
constexpr std::int64_t kMostPanelRows = 2048;

// A block of 256 columns in a large tile takes 32 KiB. Where that would leave only a few
// non-zeros to a row, loading and storing its sum would cost more than adding: larger blocks then.
constexpr std::int64_t kNarrowColumns = 256;
constexpr std::int64_t kWideColumns = 1024;
constexpr std::int64_t kFewestPerSegment = 10;

// Rows come in the order of their lengths, which no prefetcher foresees: so many segments ahead
// their sums are asked for.
constexpr std::ptrdiff_t kAhead = 6;
constexpr std::size_t kLineFloats = 16;

// visit(row, column, is minus) for every non-zero of the matrix or of its transpose.
template <class Visit>
void forEachNonZero(const SignMatrix& matrix, Stored stored, const Visit& visit)
{
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            const int j = SignMatrix::column(entry);
            if (stored == Stored::straight) {
                visit(i, j, SignMatrix::isMinus(entry));
            } else {
                visit(j, i, SignMatrix::isMinus(entry));
            }
        }
    }
}

template <class Value>
Value valueAt(const float* from)
{
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// The registers of one channel of a tile.
template <class Value, int kCount>
struct Registers
{
    static constexpr std::size_t kStep = sizeof(Value) / sizeof(float);
    static constexpr std::size_t kWidth = kCount * kStep;

    std::array<Value, kCount> values{};

    Registers() = default;
    explicit Registers(const float* from)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] = valueAt<Value>(from + i * kStep);
        }
    }

    void add(const float* from)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] += valueAt<Value>(from + i * kStep);
        }
    }

    void subtract(const Registers& other)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            values[i] -= other.values[i];
        }
    }

    /// Asks for values that will be written to.
    static void fetch(const float* from)
    {
        for (std::size_t i = 0; i < kWidth; i += kLineFloats) {
            __builtin_prefetch(from + i, 1);
        }
    }

    void storeTo(float* to) const { std::memcpy(to, values.data(), sizeof values); }
};

// Whether the sums are there already: the first block of a row makes them.
enum class Sums { begun, wanted };

// Adds the segments of one block to their sums. What is added and what is taken away are chains of
// their own: an addition has a latency of several others.
template <Sums sums, class Tile, class Segment, class Index>
void addBlock(const Segment* segment,
              const Segment* end,
              const Index* index,
              const float* from,
              float* to)
{
    for (; segment != end; ++segment) {
        float* const row = to + static_cast<std::size_t>(segment->row) * Tile::kWidth;
        if (end - segment > kAhead) {
            Tile::fetch(to + static_cast<std::size_t>(segment[kAhead].row) * Tile::kWidth);
        }
        Tile sum = sums == Sums::begun ? Tile(row) : Tile();
        Tile taken;
        const Index* const minus = index + segment->plus;
        const Index* const next = minus + segment->minus;
#pragma GCC unroll 4
        for (; index != minus; ++index) {
            sum.add(from + std::size_t{*index} * Tile::kWidth);
        }
#pragma GCC unroll 4
        for (; index != next; ++index) {
            taken.add(from + std::size_t{*index} * Tile::kWidth);
        }
        sum.subtract(taken);
        sum.storeTo(row);
    }
}

template <class Tile, class Segment, class Index>
void addBlock(bool first,
              const Segment* segment,
              const Segment* end,
              const Index* index,
              const float* from,
              float* to)
{
    if (first) {
        addBlock<Sums::wanted, Tile>(segment, end, index, from, to);
    } else {
        addBlock<Sums::begun, Tile>(segment, end, index, from, to);
    }
}

} // namespace

SignedSums::SignedSums(const SignMatrix& matrix, Stored stored, Threads threads)
    : m_rows(stored == Stored::straight ? matrix.rows : matrix.columns)
    , m_columns(stored == Stored::straight ? matrix.columns : matrix.rows)
    , m_panelRows(
          std::clamp((m_rows + threads.count - 1) / threads.count, std::int64_t{1}, kMostPanelRows))
    , m_blockColumns(static_cast<std::int64_t>(matrix.entries.size()) * kNarrowColumns
                             >= m_rows * m_columns * kFewestPerSegment
                         ? kNarrowColumns
                         : kWideColumns)
    , m_blocks((m_columns + m_blockColumns - 1) / m_blockColumns)
{
    arrange(matrix, stored);
    if (m_blockColumns == kNarrowColumns) {
        fill(matrix, stored, m_narrow);
    } else {
        fill(matrix, stored, m_wide);
    }
}

Range SignedSums::rowsOf(int panel) const
{
    const std::int64_t first = panel * m_panelRows;
    return {first, std::min(m_rows, first + m_panelRows)};
}

// Counts the non-zeros of each row in each block.
void SignedSums::arrange(const SignMatrix& matrix, Stored stored)
{
    std::vector<Segment> all(static_cast<std::size_t>(m_rows * m_blocks));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].row = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % m_rows);
    }
    forEachNonZero(matrix, stored, [&](int row, int column, bool minus) {
        Segment& segment = all[static_cast<std::size_t>(column / m_blockColumns * m_rows + row)];
        ++(minus ? segment.minus : segment.plus);
    });
    sortSegments(all);
}

void SignedSums::sortSegments(std::vector<Segment>& all)
{
    std::size_t index = 0;
    const auto isEmpty = [](const Segment& s) { return s.plus + s.minus == 0; };
    m_segments.reserve(
        all.size()
        - static_cast<std::size_t>(std::count_if(all.begin() + m_rows, all.end(), isEmpty)));
    m_starts.reserve(static_cast<std::size_t>(panels() * m_blocks + 1));
    for (int panel = 0; panel < panels(); ++panel) {
        const Range rows = rowsOf(panel);
        for (std::int64_t block = 0; block < m_blocks; ++block) {
            m_starts.push_back({m_segments.size(), index});
            const auto first = all.begin() + block * m_rows;
            std::sort(
                first + rows.first, first + rows.last, [](const Segment& a, const Segment& b) {
                    return std::tuple(a.plus, a.minus, a.row) < std::tuple(b.plus, b.minus, b.row);
                });
            for (auto s = first + rows.first; s != first + rows.last; ++s) {
                if (block == 0 || !isEmpty(*s)) {
                    m_segments.push_back(*s);
                    index += std::size_t{s->plus} + s->minus;
                }
            }
        }
    }
    m_starts.push_back({m_segments.size(), index});
}

template <class Index>
void SignedSums::fill(const SignMatrix& matrix, Stored stored, std::vector<Index>& indices)
{
    // Where the next index of a row goes in each block, for either sign.
    std::array<std::vector<std::size_t>, 2> next;
    for (std::vector<std::size_t>& each : next) {
        each.resize(static_cast<std::size_t>(m_rows * m_blocks));
    }
    for (std::size_t start = 0; start + 1 < m_starts.size(); ++start) {
        const auto block = static_cast<std::int64_t>(start) % m_blocks;
        std::size_t index = m_starts[start].index;
        for (std::size_t s = m_starts[start].segment; s < m_starts[start + 1].segment; ++s) {
            const auto at = static_cast<std::size_t>(block * m_rows + m_segments[s].row);
            next[0][at] = index;
            next[1][at] = index + m_segments[s].plus;
            index += std::size_t{m_segments[s].plus} + m_segments[s].minus;
        }
    }
    indices.resize(m_starts.back().index);
    forEachNonZero(matrix, stored, [&](int row, int column, bool minus) {
        const auto at = static_cast<std::size_t>(column / m_blockColumns * m_rows + row);
        indices[next[minus ? 1 : 0][at]++] = static_cast<Index>(column % m_blockColumns);
    });
}

template <class Index>
void SignedSums::runWith(const std::vector<Index>& indices,
                         const float* from,
                         float* sums,
                         int width,
                         int panel) const
{
    for (std::int64_t block = 0; block < m_blocks; ++block) {
        const Start* start = m_starts.data() + panel * m_blocks + block;
        const Segment* segment = m_segments.data() + start[0].segment;
        const Segment* end = m_segments.data() + start[1].segment;
        const Index* index = indices.data() + start[0].index;
        const float* inputs = from + block * m_blockColumns * width;
        if (width == kLargeTile) {
            addBlock<Registers<Lanes, 2>>(block == 0, segment, end, index, inputs, sums);
        } else if (width == kSmallTile) {
            addBlock<Registers<Lanes, 1>>(block == 0, segment, end, index, inputs, sums);
        } else {
            addBlock<Registers<float, 1>>(block == 0, segment, end, index, inputs, sums);
        }
    }
}

void SignedSums::run(const float* from, float* sums, int width, int panel) const
{
    if (m_blockColumns == kNarrowColumns) {
        runWith(m_narrow, from, sums, width, panel);
    } else {
        runWith(m_wide, from, sums, width, panel);
    }
}

std::size_t SignedSums::bytes() const
{
    return m_segments.capacity() * sizeof(Segment) + m_starts.capacity() * sizeof(Start)
        + m_narrow.capacity() + m_wide.capacity() * sizeof(std::uint16_t);
}

Count SignedSums::mostBytes(const Count& rows,
                            const Count& columns,
                            const Count& nonZeros,
                            Threads threads)
{
    const Count blocks = (columns + kNarrowColumns - 1) / kNarrowColumns;
    const Count segments = std::min(rows * blocks, rows + nonZeros); // of a first block all rows
    const Count panels = std::max<Count>(rows / kMostPanelRows + 1, threads.count);
    const Count starts = panels * blocks + 1;
    return segments * Count{sizeof(Segment)} + starts * Count{sizeof(Start)}
    + nonZeros * Count{sizeof(std::uint16_t)};
}

} // namespace flopsmith::cpu
