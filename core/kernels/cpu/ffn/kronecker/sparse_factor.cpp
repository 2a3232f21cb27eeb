// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/kronecker/factor_product.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith::cpu {
namespace {

// Rows that are transposed at a time: four registers of each column.
constexpr int kRegistersPerColumn = 4;
constexpr std::int64_t kRowsPerTranspose = std::int64_t{kRegistersPerColumn} * kLanes;

// A sparse matrix by row (CSR): the column and the value of each entry, and the index of its
// weight.
struct EntryLists
{
    LedgerVector<std::int64_t> start; ///< of each row's list; one more at the end
    LedgerVector<std::int32_t> column;
    LedgerVector<float> value;
    LedgerVector<std::int64_t> weight; ///< only if gradients are requested
};

// Σ value·x[column, ·] over a row's entries, for some registers of columns of x.
template <int registers>
void sumList(const EntryLists& lists,
             std::int64_t row,
             const float* x,
             std::int64_t stride,
             float* to)
{
    std::array<Lanes, registers> sums{};
    const std::int64_t last = lists.start[row + 1];
    for (std::int64_t e = lists.start[row]; e < last; ++e) {
        const float* source = x + lists.column[e] * stride;
        for (int k = 0; k < registers; ++k) {
            sums[k] += lists.value[e] * load(source + k * kLanes);
        }
    }
    for (int k = 0; k < registers; ++k) {
        store(to + k * kLanes, sums[k]);
    }
}

void sumListTail(const EntryLists& lists,
                 std::int64_t row,
                 const float* x,
                 std::int64_t stride,
                 float* to,
                 std::size_t count)
{
    Lanes sum{};
    for (std::int64_t e = lists.start[row]; e < lists.start[row + 1]; ++e) {
        sum += lists.value[e] * loadSome(x + lists.column[e] * stride, count);
    }
    storeSome(to, sum, count);
}

// One row of lists·x; x has `width` columns.
void sumRow(const EntryLists& lists,
            std::int64_t row,
            const float* x,
            std::int64_t width,
            float* to)
{
    std::int64_t o = 0;
    for (; o + kRowsPerTranspose <= width; o += kRowsPerTranspose) {
        sumList<kRegistersPerColumn>(lists, row, x + o, width, to + o);
    }
    along(
        static_cast<std::size_t>(width - o),
        [&](std::size_t i) { sumList<1>(lists, row, x + o + i, width, to + o + i); },
        [&](std::size_t i, std::size_t n) {
            sumListTail(lists, row, x + o + i, width, to + o + i, n);
        });
}

float dot(const float* a, const float* b, std::int64_t count)
{
    Lanes sum{};
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t i) { sum += load(a + i) * load(b + i); },
        [&](std::size_t i, std::size_t n) { sum += loadSome(a + i, n) * loadSome(b + i, n); });
    return foldedSum(sum);
}

// Adds rows of a token's matrix, entry by entry, in registers: multiply-adds only for the entries.
// From the right, blocks of rows are transposed before and after.
class SparseFactor : public FactorProduct
{
public:
    SparseFactor(const FactorSetting& setting, Passes passes)
        : FactorProduct(setting)
        , m_entryCount(setting.factor.entries())
        , m_byColumn(listsOf(setting, true, false))
    {
        if (passes == Passes::both) {
            m_byRow = listsOf(setting, false, true);
        }
    }

    void forward(const float* from, float* to, const Range& rows, float* scratch) const override
    {
        if (side() == Side::right) {
            sumTransposedRows(m_byColumn, from, in(), to, out(), rows, scratch);
        } else {
            sumTokens(m_byColumn, from, in(), to, out(), rows);
        }
    }

    void backwardInput(const float* dTo,
                       float* dFrom,
                       const Range& rows,
                       float* scratch) const override
    {
        if (side() == Side::right) {
            sumTransposedRows(m_byRow, dTo, out(), dFrom, in(), rows, scratch);
        } else {
            sumTokens(m_byRow, dTo, out(), dFrom, in(), rows);
        }
    }

    void backwardEntries(const float* from,
                         const float* dTo,
                         std::int64_t tokens,
                         const Range& rows,
                         float* gradient,
                         Into into,
                         float* scratch) const override
    {
        if (into == Into::overwrite) {
            for (std::int64_t e = m_byRow.start[rows.first]; e < m_byRow.start[rows.last]; ++e) {
                gradient[m_byRow.weight[e]] = 0.0F;
            }
        }
        if (side() == Side::left) {
            for (std::int64_t t = 0; t < tokens; ++t) {
                addDots(from + t * inputs(), dTo + t * outputs(), others(), rows, gradient);
            }
            return;
        }
        float* transposed = scratch;
        float* transposedTo = transposed + in() * kRowsPerTranspose;
        for (std::int64_t first = 0; first < tokens * others(); first += kRowsPerTranspose) {
            const std::int64_t count = std::min(kRowsPerTranspose, tokens * others() - first);
            // Only these rows of F: the rest of the scratch is not read.
            transpose(from + first * in() + rows.first,
                      in(),
                      count,
                      rows.size(),
                      transposed + rows.first * count,
                      count);
            transpose(dTo + first * out(), out(), count, out(), transposedTo, count);
            addDots(transposed, transposedTo, count, rows, gradient);
        }
    }

    std::int64_t gradientElements() const override { return m_entryCount; }

    void unpack(const float* gradient, float* weightGradient, Into into) const override
    {
        for (std::int64_t e = 0; e < m_entryCount; ++e) {
            weightGradient[e] =
                into == Into::accumulate ? weightGradient[e] + gradient[e] : gradient[e];
        }
    }

    bool gradientNeedsUnpacking() const override { return false; }

    std::int64_t scratchElements() const override
    {
        return side() == Side::right ? (in() + out()) * kRowsPerTranspose : 0;
    }

private:
    // The entries sorted by row, or by column (then Fᵀ by its rows).
    static EntryLists listsOf(const FactorSetting& setting, bool byColumn, bool withWeights)
    {
        EntryLists lists;
        const std::int64_t rows = byColumn
            ? setting.factor.out * (setting.places.columnOfTerm == 0 ? 1 : setting.factor.rank)
            : setting.factor.in * (setting.places.rowOfTerm == 0 ? 1 : setting.factor.rank);
        lists.start.assign(static_cast<std::size_t>(rows) + 1, 0);
        const auto rowOf = [&](std::int64_t row, std::int64_t column) {
            return static_cast<std::size_t>(byColumn ? column : row);
        };
        forEachEntry(setting, [&](std::int64_t /*entry*/, std::int64_t row, std::int64_t column) {
            ++lists.start[rowOf(row, column) + 1];
        });
        for (std::size_t i = 1; i < lists.start.size(); ++i) {
            lists.start[i] += lists.start[i - 1];
        }
        const auto entries = static_cast<std::size_t>(setting.factor.entries());
        lists.column.resize(entries);
        lists.value.resize(entries);
        lists.weight.resize(withWeights ? entries : 0);
        LedgerVector<std::int64_t> next(lists.start.begin(), lists.start.end() - 1);
        forEachEntry(setting, [&](std::int64_t entry, std::int64_t row, std::int64_t column) {
            const auto at = static_cast<std::size_t>(next[rowOf(row, column)]++);
            lists.column[at] = static_cast<std::int32_t>(byColumn ? row : column);
            lists.value[at] = setting.entries[entry];
            if (withWeights) {
                lists.weight[at] = entry;
            }
        });
        return lists;
    }

    void sumTokens(const EntryLists& lists,
                   const float* from,
                   std::int64_t fromRows,
                   float* to,
                   std::int64_t toRows,
                   const Range& rows) const
    {
        for (std::int64_t row = rows.first; row < rows.last; ++row) {
            sumRow(lists,
                   row % toRows,
                   from + row / toRows * fromRows * others(),
                   others(),
                   to + row * others());
        }
    }

    // Transposes from [rows, fromLength] into scratch, sums its rows into the rest of scratch, and
    // transposes the sums into to [rows, toLength].
    static void sumTransposedRows(const EntryLists& lists,
                                  const float* from,
                                  std::int64_t fromLength,
                                  float* to,
                                  std::int64_t toLength,
                                  const Range& rows,
                                  float* scratch)
    {
        float* sums = scratch + fromLength * kRowsPerTranspose;
        for (std::int64_t first = rows.first; first < rows.last; first += kRowsPerTranspose) {
            const std::int64_t count = std::min(kRowsPerTranspose, rows.last - first);
            transpose(from + first * fromLength, fromLength, count, fromLength, scratch, count);
            for (std::int64_t j = 0; j < toLength; ++j) {
                sumRow(lists, j, scratch, count, sums + j * count);
            }
            transpose(sums, count, toLength, count, to + first * toLength, toLength);
        }
    }

    // gradient[entry (i, j)] += from[i, ·]·dTo[j, ·] for the entries in the given rows.
    void addDots(const float* from,
                 const float* dTo,
                 std::int64_t width,
                 const Range& rows,
                 float* gradient) const
    {
        for (std::int64_t i = rows.first; i < rows.last; ++i) {
            for (std::int64_t e = m_byRow.start[i]; e < m_byRow.start[i + 1]; ++e) {
                gradient[m_byRow.weight[e]] +=
                    dot(from + i * width, dTo + m_byRow.column[e] * width, width);
            }
        }
    }

    std::int64_t m_entryCount;
    EntryLists m_byColumn; ///< Fᵀ by row
    EntryLists m_byRow; ///< F by row
};

} // namespace

std::unique_ptr<FactorProduct> makeSparseFactor(const FactorSetting& setting, Passes passes)
{
    return std::make_unique<SparseFactor>(setting, passes);
}

} // namespace flopsmith::cpu
