// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/gathered_sums.h"

#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/prefetch.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {
namespace {

constexpr std::size_t kRowsPerGather = kLanes;
constexpr int kColumnBits = 15;
constexpr int kColumnMask = (1 << kColumnBits) - 1;

// The values that the entries name, with their signs.
template <class Gather>
Lanes signedValues(const std::uint16_t* entries, const Gather& gather)
{
    const IntLanes entry = loadShorts(entries);
    const IntLanes sign = (entry >> kColumnBits) << 31;
    return fromBits(bitsOf(gather(entry & kColumnMask)) ^ sign);
}

} // namespace

GatheredSums::GatheredSums(const SignMatrix& matrix, Stored stored, Threads threads)
    : m_shape(matrix, stored, threads)
{
    m_starts.reserve(static_cast<std::size_t>(panels()));
    sortRows(matrix, stored);
    fill(matrix, stored);
}

void GatheredSums::sortRows(const SignMatrix& matrix, Stored stored)
{
    m_rows.resize(static_cast<std::size_t>(m_shape.rows()));
    forEachNonZero(matrix, stored, [&](int row, int /*column*/, bool /*minus*/) {
        ++m_rows[static_cast<std::size_t>(row)].length;
    });
    for (int panel = 0; panel < panels(); ++panel) {
        const Range mine = rowsOf(panel);
        for (std::int64_t row = mine.first; row < mine.last; ++row) {
            m_rows[static_cast<std::size_t>(row)].place =
                static_cast<std::uint16_t>(row - mine.first);
        }
        std::stable_sort(m_rows.begin() + mine.first,
                         m_rows.begin() + mine.last,
                         [](const Row& a, const Row& b) { return a.length > b.length; });
    }
}

void GatheredSums::fill(const SignMatrix& matrix, Stored stored)
{
    LedgerVector<std::size_t> next(m_rows.size()); // where the next entry of a row goes
    std::size_t entries = 0;
    for (int panel = 0; panel < panels(); ++panel) {
        const Range mine = rowsOf(panel);
        for (std::int64_t i = mine.first; i < mine.last; ++i) {
            const Row& row = m_rows[static_cast<std::size_t>(i)];
            next[static_cast<std::size_t>(mine.first + row.place)] = entries;
            entries += row.length;
        }
    }
    LedgerVector<Entry> byRow(entries);
    forEachNonZero(matrix, stored, [&](int row, int column, bool minus) {
        byRow[next[static_cast<std::size_t>(row)]++] =
            static_cast<Entry>(column | (minus ? 1 << kColumnBits : 0));
    });
    m_entries.reserve(entries + kRowsPerGather);
    const Entry* from = byRow.data();
    for (int panel = 0; panel < panels(); ++panel) {
        m_starts.push_back(m_entries.size());
        const Range mine = rowsOf(panel);
        for (std::int64_t first = mine.first; first < mine.last; first += kLanes) {
            from = addGroup({first, std::min<std::int64_t>(mine.last, first + kLanes)}, from);
        }
    }
    m_entries.resize(entries + kRowsPerGather); // whole registers are read
}

// Appends the entries of some rows, which `from` has row by row; returns their end.
const GatheredSums::Entry* GatheredSums::addGroup(const Range& rows, const Entry* from)
{
    std::array<const Entry*, kRowsPerGather> next{};
    std::array<const Entry*, kRowsPerGather> end{};
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
        const auto lane = static_cast<std::size_t>(i - rows.first);
        next[lane] = from;
        from += m_rows[static_cast<std::size_t>(i)].length;
        end[lane] = from;
    }
    while (next[0] != end[0]) {
        for (std::size_t lane = 0; lane < kRowsPerGather && next[lane] != end[lane]; ++lane) {
            m_entries.push_back(*next[lane]++);
        }
    }
    return from;
}

void GatheredSums::run(const float* from, float* sums, int panel) const
{
    const Range mine = rowsOf(panel);
    const Entry* entry = m_entries.data() + m_starts[static_cast<std::size_t>(panel)];
    const Row* row = m_rows.data() + mine.first;
    const Row* const last = m_rows.data() + mine.last;
    for (; row < last; row += kRowsPerGather) {
        const std::size_t lanes = std::min(kRowsPerGather, static_cast<std::size_t>(last - row));
        const int whole = lanes == kRowsPerGather ? row[kRowsPerGather - 1].length : 0;
        Lanes sum{};
        for (int step = 0; step < whole; ++step, entry += kRowsPerGather) {
            prefetchEntries(entry, kRowsPerGather);
            sum += signedValues(entry, [from](IntLanes at) { return loadGathered(from, at); });
        }
        std::size_t left = lanes;
        for (int step = whole; step < row[0].length; ++step, entry += left) {
            while (row[left - 1].length <= step) {
                --left;
            }
            sum +=
                signedValues(entry, [=](IntLanes at) { return loadSomeGathered(from, at, left); });
        }
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
        std::array<float, kRowsPerGather> values;
        store(values.data(), sum);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[mine.first + row[lane].place] = values[lane];
        }
    }
}

} // namespace flopsmith::cpu
