// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_flash.h"

#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/mixer/attention/attention_sums.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>
#include <limits>

namespace flopsmith::cpu {
namespace {

// So few rows do not pay for packing keys and values.
constexpr std::int64_t kMaxUnpackedRows = 8;

// Features of a key and a value: a packed block of more does not fit into the second-level cache.
constexpr std::int64_t kMaxPackedFeatures = 1024;

static_assert(kKeysAtOnce % kPanel == 0);

// The score of a key that is masked.
constexpr float kMaskedScore = -std::numeric_limits<float>::infinity();

bool packs(const AttentionPlan& plan, std::int64_t rows)
{
    return rows > kMaxUnpackedRows && plan.keyDim + plan.valueDim <= kMaxPackedFeatures
        && rows <= rowsAtOnce(plan.keyDim);
}

// A row of sums, as wide as its panels.
std::int64_t sumWidth(const AttentionPlan& plan)
{
    return panelsIn(plan.valueDim) * kPanel;
}

// Rows of scores in the scratch.
std::int64_t scoreRows(const AttentionPlan& plan)
{
    return packs(plan, plan.tileRows) ? std::max<std::int64_t>(kMaxTileRows, kMaxUnpackedRows)
                                      : plan.tileRows;
}

// Where each part of a thread's scratch for one tile begins, in floats.
struct ScratchOffsets
{
    std::int64_t keys = 0; ///< packed, [panels of keys, keyDim, kPanel]
    std::int64_t values; ///< packed, [panels of valueDim, keys, kPanel]
    std::int64_t scores; ///< [scoreRows, kKeysAtOnce]
    std::int64_t sums; ///< [rows, sumWidth], or [rows, valueDim] if nothing is packed
    std::int64_t queries; ///< [rows, keyDim]
    std::int64_t rowMax; ///< [rows]
    std::int64_t rowSum; ///< [rows]
    std::int64_t rescale; ///< [rows]
    std::int64_t end;

    explicit ScratchOffsets(const AttentionPlan& plan)
    {
        const std::int64_t rows = plan.tileRows;
        const std::int64_t packed = packs(plan, rows) ? kKeysAtOnce : 0;
        values = keys + packed * plan.keyDim;
        scores = values + packed * sumWidth(plan);
        sums = scores + scoreRows(plan) * kKeysAtOnce;
        queries = sums + rows * sumWidth(plan);
        rowMax = queries + rows * plan.keyDim;
        rowSum = rowMax + rows;
        rescale = rowSum + rows;
        end = rescale + rows;
    }
};

struct FlashScratch
{
    float* keys;
    float* values;
    float* scores;
    float* sums;
    float* queries;
    float* rowMax; ///< running
    float* rowSum; ///< running
    float* rescale; ///< the factor of a row's sums when its row max grows

    FlashScratch(const ScratchOffsets& at, float* from)
        : keys(from + at.keys)
        , values(from + at.values)
        , scores(from + at.scores)
        , sums(from + at.sums)
        , queries(from + at.queries)
        , rowMax(from + at.rowMax)
        , rowSum(from + at.rowSum)
        , rescale(from + at.rescale)
    {}
};

// In lane i the largest lane of row i; transposes the rows in place.
Lanes maxOfEach(LaneBlock& rows)
{
    transpose(rows);
    Lanes largest = rows[0];
    for (const Lanes& lanes : rows) {
        largest = larger(largest, lanes);
    }
    return largest;
}

class FlashTile
{
public:
    FlashTile(const AttentionTile& tile,
              const AttentionPlan& plan,
              const ScoreSteps& steps,
              float* scratch)
        : m_tile(tile)
        , m_plan(plan)
        , m_steps(steps)
        , m_scratch(ScratchOffsets(plan), scratch)
        , m_packs(packs(plan, tile.rows()))
        , m_sumWidth(m_packs ? sumWidth(plan) : plan.valueDim)
    {}

    void run()
    {
        begin();
        if (m_packs) {
            const RowBlock block(m_tile.rows(), m_plan.keyDim);
            block.pack({m_scratch.queries, m_plan.keyDim}, Stored::notTransposed);
            forEachBlock([&](Range keys) { addPacked(block, keys); });
        } else {
            forEachBlock([&](Range keys) { addAsStored(keys); });
        }
    }

    void finish(const MatrixAt<float>& sums, const SoftmaxRows& saved) const
    {
        const std::int64_t rows = m_tile.rows();
        const std::int64_t width = m_plan.valueDim;
        for (std::int64_t row = 0; row < rows; ++row) {
            const float factor = 1.0F / m_scratch.rowSum[row];
            transform(m_scratch.sums + row * m_sumWidth,
                      sums.first + m_tile.offsetOf(row, sums.stride, width),
                      static_cast<std::size_t>(width),
                      [factor](Lanes v, std::size_t) { return v * factor; });
        }
        if (saved.rowMax != nullptr) {
            std::copy_n(m_scratch.rowMax, rows, saved.rowMax + m_tile.firstRow());
            std::copy_n(m_scratch.rowSum, rows, saved.rowSum + m_tile.firstRow());
        }
    }

private:
    // Before the first key the row sum is 0, or the sink's.
    void begin()
    {
        m_tile.gatherQueries(m_scratch.queries);
        std::fill_n(m_scratch.sums, m_tile.rows() * m_sumWidth, 0.0F);
        for (std::int64_t row = 0; row < m_tile.rows(); ++row) {
            const bool sinks = m_steps.sinks() != nullptr;
            // NOLINTNEXTLINE(bugprone-narrowing-conversions): kMaskedScore is a float
            m_scratch.rowMax[row] =
                sinks ? m_steps.sinks()[m_tile.headRow(row).head] : kMaskedScore;
            m_scratch.rowSum[row] = sinks ? 1.0F : 0.0F;
        }
    }

    // Cached and new keys lie apart, so that a block has keys of one kind only.
    template <class Block>
    void forEachBlock(const Block& block)
    {
        const Range all = m_tile.visible();
        for (const Range own : {Range{0, m_plan.cached}, Range{m_plan.cached, m_plan.keys()}}) {
            const Range keys = intersection(all, own);
            for (std::int64_t first = keys.first; first < keys.last; first += kKeysAtOnce) {
                block(Range{first, std::min(keys.last, first + kKeysAtOnce)});
            }
        }
    }

    // Online softmax of at most kMaxTileRows rows: their scores over `keys` become unnormalised
    // probabilities, 0 where a key is masked; row max, row sum and rescale are updated. Scores are
    // read in whole registers, for which kKeysAtOnce leaves space; the row max and row sum of each
    // row are then reduced in a lane each.
    void softmax(Range rows, float* scores, Range keys)
    {
        const auto width = static_cast<std::size_t>((keys.size() + kLanes - 1) / kLanes * kLanes);
        LaneBlock partial; // row max, later row sum, of the keys in a lane
        partial.fill(all(kMaskedScore));
        for (std::int64_t row = rows.first; row < rows.last; ++row) {
            float* own = scores + (row - rows.first) * kKeysAtOnce;
            const Range visible = m_tile.visibleTo(row);
            const Range seen{std::clamp(visible.first, keys.first, keys.last),
                             std::clamp(visible.last, keys.first, keys.last)};
            std::fill(own, own + (seen.first - keys.first), kMaskedScore);
            std::fill(own + (seen.last - keys.first), own + width, kMaskedScore);
            if (m_steps.present() && seen.size() > 0) {
                m_steps.apply(m_tile.headRow(row), seen, own + (seen.first - keys.first), nullptr);
            }
            Lanes& largest = partial[static_cast<std::size_t>(row - rows.first)];
            for (std::size_t i = 0; i < width; i += kLanes) {
                largest = larger(largest, load(own + i));
            }
        }
        const auto count = static_cast<std::size_t>(rows.size());
        const Lanes oldMax = loadSome(m_scratch.rowMax + rows.first, count);
        const Lanes newMax = larger(oldMax, maxOfEach(partial));
        // Where all keys so far are masked, probabilities are 0, not e^(−∞ + ∞).
        const Lanes shift = larger(newMax, all(std::numeric_limits<float>::lowest()));
        const Lanes rescale = expOfSmall(oldMax - shift);
        partial.fill(Lanes{});
        for (std::int64_t row = 0; row < rows.size(); ++row) {
            float* own = scores + row * kKeysAtOnce;
            const Lanes rowShift = all(shift[row]);
            Lanes sum{};
            for (std::size_t i = 0; i < width; i += kLanes) {
                const Lanes e = expOfSmall(load(own + i) - rowShift);
                store(own + i, e);
                sum += e;
            }
            partial[static_cast<std::size_t>(row)] = sum;
        }
        const Lanes rowSum =
            loadSome(m_scratch.rowSum + rows.first, count) * rescale + sumsOf(partial);
        storeSome(m_scratch.rowMax + rows.first, newMax, count);
        storeSome(m_scratch.rowSum + rows.first, rowSum, count);
        storeSome(m_scratch.rescale + rows.first, rescale, count);
    }

    void addAsStored(Range keys)
    {
        m_tile.scores(m_scratch.queries, keys, {m_scratch.scores, kKeysAtOnce});
        for (std::int64_t row = 0; row < m_tile.rows(); row += kMaxTileRows) {
            softmax({row, std::min(row + kMaxTileRows, m_tile.rows())},
                    m_scratch.scores + row * kKeysAtOnce,
                    keys);
        }
        for (std::int64_t row = 0; row < m_tile.rows(); ++row) {
            if (m_scratch.rescale[row] != 1.0F) {
                scaleRow(m_scratch.sums + row * m_sumWidth, m_sumWidth, m_scratch.rescale[row]);
            }
        }
        m_tile.weightedSum({m_scratch.scores, kKeysAtOnce}, keys, Into::accumulate, m_scratch.sums);
    }

    void addPacked(const RowBlock& block, Range keys)
    {
        packKeys(keys);
        packPanels(m_tile.rowsAt(m_tile.input().values, keys),
                   Stored::notTransposed,
                   keys.size(),
                   m_plan.valueDim,
                   m_scratch.values);
        for (int i = 0; i < block.tiles(); ++i) {
            const Range rows = block.rowsOf(i);
            const Range seen = intersection(
                {m_tile.visibleTo(rows.first).first, m_tile.visibleTo(rows.last - 1).last}, keys);
            if (seen.size() > 0) {
                addTile(block, i, keys, seen);
            }
        }
    }

    // Panel by panel of keys: the features of the KV head, then the features shared by all heads.
    void packKeys(Range keys)
    {
        for (std::int64_t first = keys.first; first < keys.last; first += kPanel) {
            const Range some{first, std::min(keys.last, first + kPanel)};
            float* panel = m_scratch.keys + (first - keys.first) * m_plan.keyDim;
            for (const KeyRows* source : {&m_tile.input().keys, &m_tile.input().sharedKeys}) {
                if (source->width > 0) {
                    packPanels(m_tile.rowsAt(*source, some),
                               Stored::transposed,
                               source->width,
                               some.size(),
                               panel);
                    panel += source->width * kPanel;
                }
            }
        }
    }

    // Scores, softmax and weighted sums of the rows of a register tile over the keys `seen` of a
    // packed block.
    void addTile(const RowBlock& block, int tile, Range keys, Range seen)
    {
        const Range rows = block.rowsOf(tile);
        const std::int64_t first = (seen.first - keys.first) / kPanel * kPanel;
        const std::int64_t last = seen.last - keys.first;
        for (std::int64_t key = first; key < last; key += kPanel) {
            block.multiplyTile(
                tile, m_scratch.keys + key * m_plan.keyDim, {m_scratch.scores + key, kKeysAtOnce});
        }
        softmax(rows, m_scratch.scores + first, {keys.first + first, seen.last});
        const AccumulateWeighted accumulate = accumulateWeightedOf(rows.size());
        for (std::int64_t column = 0; column < m_sumWidth; column += kPanel) {
            accumulate(m_scratch.scores + first,
                       m_scratch.values + column * keys.size() + first * kPanel,
                       last - first,
                       m_scratch.rescale + rows.first,
                       {m_scratch.sums + rows.first * m_sumWidth + column, m_sumWidth});
        }
    }

    const AttentionTile& m_tile;
    const AttentionPlan& m_plan;
    const ScoreSteps& m_steps;
    FlashScratch m_scratch;
    bool m_packs;
    std::int64_t m_sumWidth;
};

} // namespace

std::int64_t flashTileRows(const AttentionPlan& plan)
{
    constexpr std::int64_t kMinRows = kTileRows / 2; // for packing keys and values to pay
    const std::int64_t rows = rowsAtOnce(plan.keyDim);
    return rows < kMinRows ? kTileRows : std::min(rows, 2 * kTileRows);
}

std::size_t flashScratch(const AttentionPlan& plan)
{
    return wholeLines(static_cast<std::size_t>(ScratchOffsets(plan).end));
}

void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               float* scratch,
               const MatrixAt<float>& sums,
               const SoftmaxRows& saved)
{
    FlashTile flash(tile, plan, steps, scratch);
    flash.run();
    flash.finish(sums, saved);
}

} // namespace flopsmith::cpu
