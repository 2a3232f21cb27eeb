// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/packed_weight.h"

#include "core/base/check.h"
#include "core/kernels/cpu/lanes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith::cpu {
namespace {

// Measured (tests/bench/README.md): with this many rows of W at once, the sums of a tile are read
// and written so seldom that they cost nothing, and a panel still stays in the second-level cache.
constexpr std::int64_t kBlockRows = 1024;
constexpr int kPanelLanes = 2;
constexpr std::int64_t kPanel = kPanelLanes * kLanes; // columns
// A tile's sums fill the registers but those for a row of the panel and one value of x.
constexpr int kMostRows = kLanes == 16 ? 12 : 6;
// Panels are read ahead by this many floats: from memory, when there are few rows.
constexpr std::int64_t kAhead = 1024;
// Columns that are finished together.
constexpr std::int64_t kColumnsAtOnce = 256;

std::int64_t panelsIn(std::int64_t columns)
{
    return (columns + kPanel - 1) / kPanel;
}

// Rows of x whose block stays in the second-level cache, beside a panel.
std::int64_t rowsAtOnce()
{
    static const std::int64_t rows = [] {
        const std::int64_t cache = std::max<std::int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0);
        const std::int64_t room = cache / 2 / static_cast<std::int64_t>(sizeof(float));
        return std::clamp<std::int64_t>(
                   (room - kBlockRows * kPanel) / kBlockRows / kMostRows, 4, 16)
            * kMostRows;
    }();
    return rows;
}

// Rows of x in the order of a tile: [rows of a tile] of one input, then of the next.
class PackedRows
{
public:
    PackedRows()
        : m_values(static_cast<std::size_t>(rowsAtOnce() * kBlockRows))
    {}

    float* data() { return m_values.data(); }

private:
    Buffer m_values;
};

PackedRows& packedRows()
{
    thread_local PackedRows rows;
    return rows;
}

template <int Rows>
void packTile(const float* x, std::int64_t stride, std::int64_t inner, float* to)
{
    for (std::int64_t k = 0; k < inner; ++k) {
        for (int r = 0; r < Rows; ++r) {
            to[r] = x[r * stride + k];
        }
        to += Rows;
    }
}

enum class Sum { starts, continues };

// c[Rows, Panels·kPanel] (+)= a·b with a [inner, Rows] packed and Panels panels of b, each
// [inner, kPanel]. All sums stay in registers. Several panels at once are several streams from
// memory, which is what few rows wait for.
template <int Rows, int Panels>
void addTile(const float* a,
             const float* b,
             std::int64_t inner,
             float* c,
             std::int64_t stride,
             Sum sum)
{
    constexpr int kRegisters = Panels * kPanelLanes;
    std::array<std::array<Lanes, kRegisters>, Rows> sums{};
    const std::int64_t next = inner * kPanel;
    for (int r = 0; r < Rows; ++r) {
        for (int q = 0; q < kRegisters; ++q) {
            __builtin_prefetch(c + r * stride + q * kLanes, 1);
        }
    }
    for (std::int64_t k = 0; k < inner; ++k) {
        std::array<Lanes, kRegisters> row;
        for (int q = 0; q < kRegisters; ++q) {
            const float* from = b + q / kPanelLanes * next + q % kPanelLanes * kLanes;
            row[q] = load(from);
            __builtin_prefetch(from + kAhead);
        }
        for (int r = 0; r < Rows; ++r) {
            const Lanes x = all(a[r]);
            for (int q = 0; q < kRegisters; ++q) {
                sums[r][q] += x * row[q];
            }
        }
        a += Rows;
        b += kPanel;
    }
    for (int r = 0; r < Rows; ++r) {
        for (int q = 0; q < kRegisters; ++q) {
            float* to = c + r * stride + q * kLanes;
            store(to, sum == Sum::continues ? load(to) + sums[r][q] : sums[r][q]);
        }
    }
}

// Panels that a tile of so many rows takes at once, when it is the only tile.
constexpr int panelsFor(int rows)
{
    return rows == 1 ? 8 : rows <= 3 ? 4 : rows <= 6 ? 2 : 1;
}

using AddTile = void (*)(const float*, const float*, std::int64_t, float*, std::int64_t, Sum);
using PackTile = void (*)(const float*, std::int64_t, std::int64_t, float*);

struct Tile
{
    PackTile pack;
    AddTile addOne; ///< panel
    AddTile addSeveral;
    int several;
};

template <int... Row>
constexpr std::array<Tile, sizeof...(Row)> tilesOf(std::integer_sequence<int, Row...> /*rows*/)
{
    return {Tile{packTile<Row + 1>,
                 addTile<Row + 1, 1>,
                 addTile<Row + 1, panelsFor(Row + 1)>,
                 panelsFor(Row + 1)}...};
}

const Tile& tileOf(std::int64_t rows)
{
    static constexpr auto kTiles = tilesOf(std::make_integer_sequence<int, kMostRows>{});
    return kTiles[static_cast<std::size_t>(rows - 1)];
}

// A block of x, cut into nearly equal tiles.
struct Block
{
    Range rows; ///< of x
    int tiles;
    std::int64_t inner;

    explicit Block(Range which, std::int64_t innerRows)
        : rows(which)
        , tiles(static_cast<int>((which.size() + kMostRows - 1) / kMostRows))
        , inner(innerRows)
    {}

    // each(tile's first row in the block, its rows, where it is packed)
    template <class Each>
    void forEach(float* packed, const Each& each) const
    {
        for (int i = 0; i < tiles; ++i) {
            const Range own = partOf(rows.size(), tiles, i);
            each(rows.first + own.first, own.size(), packed + own.first * inner);
        }
    }
};

// The product of a block with a panel; the last one may have fewer columns than kPanel.
void addPanel(const Block& block,
              float* packed,
              const float* panel,
              float* y,
              std::int64_t stride,
              std::int64_t columns,
              Sum sum)
{
    block.forEach(packed, [&](std::int64_t row, std::int64_t rows, const float* a) {
        float* to = y + row * stride;
        if (columns == kPanel) {
            tileOf(rows).addOne(a, panel, block.inner, to, stride, sum);
            return;
        }
        std::array<float, kMostRows * kPanel> whole; // a panel's width would reach the next row
        tileOf(rows).addOne(a, panel, block.inner, whole.data(), kPanel, Sum::starts);
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t j = 0; j < columns; ++j) {
                float& value = to[r * stride + j];
                const float added = whole[static_cast<std::size_t>(r * kPanel + j)];
                value = sum == Sum::continues ? value + added : added;
            }
        }
    });
}

} // namespace

PackedWeight::PackedWeight(std::int64_t in, std::int64_t out, const float* weight, Threads threads)
    : m_in(in)
    , m_out(out)
    , m_values(bufferSize(in, panelsIn(out) * kPanel))
{
    const std::int64_t panels = panelsIn(out);
    shareOut(threads, panels, [&](std::int64_t panel, int) {
        const std::int64_t first = panel * kPanel;
        const auto columns = std::min(kPanel, out - first);
        for (std::int64_t block = 0; block < in; block += kBlockRows) {
            float* to = m_values.data() + (panelAt(block, panel) - m_values.data());
            for (std::int64_t k = block; k < std::min(in, block + kBlockRows); ++k) {
                std::copy_n(weight + k * out + first, columns, to);
                to += kPanel;
            }
        }
    });
}

Count PackedWeight::bytesFor(std::int64_t in, std::int64_t out)
{
    return Count{sizeof(float)} * in * (panelsIn(out) * kPanel);
}

bool PackedWeight::covers(Range columns) const
{
    return columns.first % kPanel == 0 && (columns.last % kPanel == 0 || columns.last == m_out);
}

const float* PackedWeight::panelAt(std::int64_t row, std::int64_t panel) const
{
    const std::int64_t rows = std::min(kBlockRows, m_in - row);
    return m_values.data() + (row * panelsIn(m_out) + panel * rows) * kPanel;
}

void PackedWeight::multiply(const float* x,
                            float* y,
                            Range rows,
                            Range columns,
                            DoneAt done,
                            const void* context) const
{
    FLOPSMITH_CHECK(covers(columns));
    float* packed = packedRows().data();
    const auto blocks = static_cast<int>((rows.size() + rowsAtOnce() - 1) / rowsAtOnce());
    for (int i = 0; i < blocks; ++i) {
        const Range part = partOf(rows.size(), blocks, i);
        const Range mine{rows.first + part.first, rows.first + part.last};
        for (std::int64_t k = 0; k < m_in; k += kBlockRows) {
            const Block block(mine, std::min(kBlockRows, m_in - k));
            block.forEach(packed, [&](std::int64_t row, std::int64_t count, float* to) {
                tileOf(count).pack(x + row * m_in + k, m_in, block.inner, to);
            });
            const Sum sum = k > 0 ? Sum::continues : Sum::starts;
            const bool last = k + kBlockRows >= m_in;
            std::int64_t finished = columns.first;
            const Tile& only = tileOf(std::min<std::int64_t>(mine.size(), kMostRows));
            for (std::int64_t j = columns.first; j < columns.last;) {
                const float* panel = panelAt(k, j / kPanel);
                const std::int64_t wide = only.several * kPanel;
                if (block.tiles == 1 && j + wide <= columns.last) {
                    only.addSeveral(
                        packed, panel, block.inner, y + mine.first * m_out + j, m_out, sum);
                    j += wide;
                } else {
                    const std::int64_t width = std::min(kPanel, columns.last - j);
                    addPanel(block, packed, panel, y + j, m_out, width, sum);
                    j += width;
                }
                if (last && (j - finished >= kColumnsAtOnce || j == columns.last)) {
                    done(context, mine, {finished, j});
                    finished = j;
                }
            }
        }
    }
}

void preparePackedProducts()
{
    packedRows();
}

} // namespace flopsmith::cpu
