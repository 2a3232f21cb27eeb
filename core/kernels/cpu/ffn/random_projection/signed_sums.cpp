// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/signed_sums.h"

#include "core/kernels/cpu/ffn/random_projection/signed_pass.h"
#include "core/kernels/cpu/ffn/random_projection/tile_width.h"

#include <tuple>

namespace flopsmith::cpu {
namespace {

// With so many non-zeros in a row of a block, each sign gets a segment of its own, although the sum
// is then loaded and stored twice; blocks take 32 KiB. With fewer, a segment has both signs, and
// blocks exceed the first-level cache: loading and storing the sums more often would cost more.
constexpr std::int64_t kMinPerRowAndBlock = 10;
constexpr std::int64_t kCountedColumns = 256;

struct Blocks
{
    std::int64_t columns;
    int parts;
};

Blocks blocksFor(std::int64_t nonZeros, std::int64_t places, int width)
{
    if (nonZeros * kCountedColumns >= places * kMinPerRowAndBlock) {
        return {width == kLargeTile ? 256 : 512, 2};
    }
    return {width == kLargeTile ? 2048 : 4096, 1};
}

} // namespace

SignedSums::SignedSums(const SignMatrix& matrix, Stored stored, int width, Threads threads)
    : m_shape(matrix, stored, threads)
{
    const Blocks blocks = blocksFor(static_cast<std::int64_t>(matrix.entries.size()),
                                    m_shape.rows() * m_shape.columns(),
                                    width);
    m_blockColumns = blocks.columns;
    m_blocks = (m_shape.columns() + blocks.columns - 1) / blocks.columns;
    m_parts = blocks.parts;
    arrange(matrix, stored);
    fill(matrix, stored);
}

std::int64_t SignedSums::passOf(std::int64_t column, bool minus) const
{
    return column / m_blockColumns * m_parts + (m_parts > 1 && minus ? 1 : 0);
}

// Counts the non-zeros of each row in each pass.
void SignedSums::arrange(const SignMatrix& matrix, Stored stored)
{
    const std::int64_t rows = m_shape.rows();
    LedgerVector<Segment> all(static_cast<std::size_t>(rows * passes()));
    for (int panel = 0; panel < panels(); ++panel) {
        const Range mine = rowsOf(panel);
        for (std::int64_t pass = 0; pass < passes(); ++pass) {
            for (std::int64_t row = mine.first; row < mine.last; ++row) {
                all[static_cast<std::size_t>(pass * rows + row)].row =
                    static_cast<std::uint16_t>(row - mine.first);
            }
        }
    }
    forEachNonZero(matrix, stored, [&](int row, int column, bool minus) {
        Segment& segment = all[static_cast<std::size_t>(passOf(column, minus) * rows + row)];
        ++(minus ? segment.minus : segment.plus);
    });
    sortSegments(all);
}

void SignedSums::sortSegments(LedgerVector<Segment>& all)
{
    const std::int64_t rows = m_shape.rows();
    std::size_t offset = 0;
    const auto isEmpty = [](const Segment& s) { return s.plus + s.minus == 0; };
    m_segments.reserve(
        all.size()
        - static_cast<std::size_t>(std::count_if(all.begin() + rows, all.end(), isEmpty)));
    m_starts.reserve(static_cast<std::size_t>(panels() * passes() + 1));
    for (int panel = 0; panel < panels(); ++panel) {
        const Range mine = rowsOf(panel);
        for (std::int64_t pass = 0; pass < passes(); ++pass) {
            m_starts.push_back({m_segments.size(), offset});
            const auto first = all.begin() + pass * rows;
            std::sort(
                first + mine.first, first + mine.last, [](const Segment& a, const Segment& b) {
                    return std::tuple(a.plus, a.minus, a.row) < std::tuple(b.plus, b.minus, b.row);
                });
            for (auto s = first + mine.first; s != first + mine.last; ++s) {
                if (pass == 0 || !isEmpty(*s)) {
                    m_segments.push_back(*s);
                    offset += std::size_t{s->plus} + s->minus;
                }
            }
        }
    }
    m_starts.push_back({m_segments.size(), offset});
}

void SignedSums::fill(const SignMatrix& matrix, Stored stored)
{
    const std::int64_t rows = m_shape.rows();
    // Where the next offset of a row goes in each pass, for either sign.
    std::array<LedgerVector<std::size_t>, 2> next;
    for (LedgerVector<std::size_t>& each : next) {
        each.resize(static_cast<std::size_t>(rows * passes()));
    }
    for (std::size_t start = 0; start + 1 < m_starts.size(); ++start) {
        const auto pass = static_cast<std::int64_t>(start) % passes();
        const Range mine = rowsOf(static_cast<int>(static_cast<std::int64_t>(start) / passes()));
        std::size_t offset = m_starts[start].offset;
        for (std::size_t s = m_starts[start].segment; s < m_starts[start + 1].segment; ++s) {
            const auto at = static_cast<std::size_t>(pass * rows + mine.first + m_segments[s].row);
            next[0][at] = offset;
            next[1][at] = offset + m_segments[s].plus;
            offset += std::size_t{m_segments[s].plus} + m_segments[s].minus;
        }
    }
    m_offsets.resize(m_starts.back().offset);
    forEachNonZero(matrix, stored, [&](int row, int column, bool minus) {
        const auto at = static_cast<std::size_t>(passOf(column, minus) * rows + row);
        m_offsets[next[minus ? 1 : 0][at]++] =
            static_cast<Offset>(static_cast<std::size_t>(column % m_blockColumns) * kOffsetUnit);
    });
}

template <class Tile>
void SignedSums::runWith(const float* from, float* sums, int panel) const
{
    constexpr auto kWidth = static_cast<std::int64_t>(Tile::kWidth);
    float* const to = sums + rowsOf(panel).first * kWidth;
    for (std::int64_t pass = 0; pass < passes(); ++pass) {
        const Start* start = m_starts.data() + panel * passes() + pass;
        const auto add = [&](const auto& addPass) {
            addPass(m_segments.data() + start[0].segment,
                    m_segments.data() + start[1].segment,
                    m_offsets.data() + start[0].offset,
                    from + pass / m_parts * m_blockColumns * kWidth,
                    to);
        };
        const bool first = pass == 0;
        if (m_parts == 1) {
            add(first ? addPass<Sums::overwrite, Signs::both, Tile, Segment, Offset>
                      : addPass<Sums::accumulate, Signs::both, Tile, Segment, Offset>);
        } else if (pass % 2 == 0) {
            add(first ? addPass<Sums::overwrite, Signs::plus, Tile, Segment, Offset>
                      : addPass<Sums::accumulate, Signs::plus, Tile, Segment, Offset>);
        } else {
            add(addPass<Sums::accumulate, Signs::minus, Tile, Segment, Offset>);
        }
    }
}

void SignedSums::run(const float* from, float* sums, int width, int panel) const
{
    if (width == kLargeTile) {
        runWith<SumRegisters<Lanes, 2>>(from, sums, panel);
    } else if (width == kSmallTile) {
        runWith<SumRegisters<Lanes, 1>>(from, sums, panel);
    } else {
        runWith<SumRegisters<float, 1>>(from, sums, panel);
    }
}

} // namespace flopsmith::cpu
