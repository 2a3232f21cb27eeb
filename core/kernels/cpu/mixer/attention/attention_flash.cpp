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

// Fewer rows do not pay for packing keys and values.
constexpr std::int64_t kFewRows = 8;

// Features of a key and a value at most: more of a packed block leave the second-level cache.
constexpr std::int64_t kMaxFeatures = 1024;

static_assert(kKeysAtOnce % kPanel == 0);

// The score of a key that a row does not see.
constexpr float kNothing = -std::numeric_limits<float>::infinity();

bool packs(const AttentionPlan& plan, std::int64_t rows)
{
    return rows > kFewRows && plan.keyDim + plan.valueDim <= kMaxFeatures
        && rows <= rowsAtOnce(plan.keyDim);
}

// A row of sums, as wide as its panels.
std::int64_t sumWidth(const AttentionPlan& plan)
{
    return panelsIn(plan.valueDim) * kPanel;
}

// Rows of scores that are kept at once.
std::int64_t scoreRows(const AttentionPlan& plan)
{
    return packs(plan, plan.tileRows) ? std::max<std::int64_t>(kMaxTileRows, kFewRows)
                                      : plan.tileRows;
}

// A thread's scratch for one tile: where each part begins, in floats.
struct Places
{
    std::int64_t keys = 0; ///< packed, [panels of keys, keyDim, kPanel]
    std::int64_t values; ///< packed, [panels of valueDim, keys, kPanel]
    std::int64_t scores; ///< [scoreRows, kKeysAtOnce]
    std::int64_t sums; ///< [rows, sumWidth], or [rows, valueDim] where nothing is packed
    std::int64_t queries; ///< [rows, keyDim]
    std::int64_t maxima; ///< [rows]
    std::int64_t totals; ///< [rows]
    std::int64_t shrinks; ///< [rows]
    std::int64_t end;

    explicit Places(const AttentionPlan& plan)
    {
        const std::int64_t rows = plan.tileRows;
        const std::int64_t packed = packs(plan, rows) ? kKeysAtOnce : 0;
        values = keys + packed * plan.keyDim;
        scores = values + packed * sumWidth(plan);
        sums = scores + scoreRows(plan) * kKeysAtOnce;
        queries = sums + rows * sumWidth(plan);
        maxima = queries + rows * plan.keyDim;
        totals = maxima + rows;
        shrinks = totals + rows;
        end = shrinks + rows;
    }
};

struct Scratch
{
    float* keys;
    float* values;
    float* scores;
    float* sums;
    float* queries;
    float* maxima; ///< of each row so far
    float* totals;
    float* shrinks; ///< by what a row's sums are to be multiplied

    Scratch(const Places& at, float* from)
        : keys(from + at.keys)
        , values(from + at.values)
        , scores(from + at.scores)
        , sums(from + at.sums)
        , queries(from + at.queries)
        , maxima(from + at.maxima)
        , totals(from + at.totals)
        , shrinks(from + at.shrinks)
    {}
};

// In lane i the largest lane of row i, which are destroyed.
Lanes largestOfEach(LaneBlock& rows)
{
    transpose(rows);
    Lanes most = rows[0];
    for (const Lanes& lanes : rows) {
        most = larger(most, lanes);
    }
    return most;
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
        , m_scratch(Places(plan), scratch)
        , m_packs(packs(plan, tile.rows()))
        , m_sumWidth(m_packs ? sumWidth(plan) : plan.valueDim)
    {}

    void run()
    {
        begin();
        if (m_packs) {
            const RowBlock block(m_tile.rows(), m_plan.keyDim);
            block.pack({m_scratch.queries, m_plan.keyDim}, Stored::straight);
            forEachBlock([&](Range keys) { addPacked(block, keys); });
        } else {
            forEachBlock([&](Range keys) { addAsStored(keys); });
        }
    }

    void finish(const MatrixAt<float>& sums, const SoftmaxRows& kept) const
    {
        const std::int64_t rows = m_tile.rows();
        const std::int64_t width = m_plan.valueDim;
        for (std::int64_t row = 0; row < rows; ++row) {
            const float factor = 1.0F / m_scratch.totals[row];
            transform(m_scratch.sums + row * m_sumWidth,
                      sums.first + m_tile.placeOf(row, sums.stride, width),
                      static_cast<std::size_t>(width),
                      [factor](Lanes v, std::size_t) { return v * factor; });
        }
        if (kept.maxima != nullptr) {
            std::copy_n(m_scratch.maxima, rows, kept.maxima + m_tile.firstRow());
            std::copy_n(m_scratch.totals, rows, kept.totals + m_tile.firstRow());
        }
    }

private:
    // Before the first key: nothing, or the sink alone.
    void begin()
    {
        m_tile.gatherQueries(m_scratch.queries);
        std::fill_n(m_scratch.sums, m_tile.rows() * m_sumWidth, 0.0F);
        for (std::int64_t row = 0; row < m_tile.rows(); ++row) {
            const bool sinks = m_steps.sinks() != nullptr;
            // NOLINTNEXTLINE(bugprone-narrowing-conversions): kNothing is a float
            m_scratch.maxima[row] = sinks ? m_steps.sinks()[m_tile.headRow(row).head] : kNothing;
            m_scratch.totals[row] = sinks ? 1.0F : 0.0F;
        }
    }

    // Cached and new keys are in different places, so that no block has both.
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

    // Scores of at most kMaxTileRows rows over `keys` → unnormalised weights, 0 where a row does not
    // see; keeps the running maxima and totals and says by what the rows' sums are to be
    // multiplied. Rows are treated in whole registers, for which kKeysAtOnce leaves room, and what
    // is left of each, its maximum and its total, in a lane each.
    void weigh(Range rows, float* scores, Range keys)
    {
        const auto width = static_cast<std::size_t>((keys.size() + kLanes - 1) / kLanes * kLanes);
        LaneBlock parts;
        parts.fill(all(kNothing));
        for (std::int64_t row = rows.first; row < rows.last; ++row) {
            float* own = scores + (row - rows.first) * kKeysAtOnce;
            const Range visible = m_tile.visibleTo(row);
            const Range seen{std::clamp(visible.first, keys.first, keys.last),
                             std::clamp(visible.last, keys.first, keys.last)};
            std::fill(own, own + (seen.first - keys.first), kNothing);
            std::fill(own + (seen.last - keys.first), own + width, kNothing);
            if (m_steps.present() && seen.size() > 0) {
                m_steps.apply(m_tile.headRow(row), seen, own + (seen.first - keys.first), nullptr);
            }
            Lanes& most = parts[static_cast<std::size_t>(row - rows.first)];
            for (std::size_t i = 0; i < width; i += kLanes) {
                most = larger(most, load(own + i));
            }
        }
        const auto count = static_cast<std::size_t>(rows.size());
        const Lanes before = loadSome(m_scratch.maxima + rows.first, count);
        const Lanes now = larger(before, largestOfEach(parts));
        // A row that has seen nothing yet: its weights are to be 0, not e^(−∞ + ∞).
        const Lanes shift = larger(now, all(std::numeric_limits<float>::lowest()));
        const Lanes shrink = expOfSmall(before - shift);
        parts.fill(Lanes{});
        for (std::int64_t row = 0; row < rows.size(); ++row) {
            float* own = scores + row * kKeysAtOnce;
            const Lanes most = all(shift[row]);
            Lanes sum{};
            for (std::size_t i = 0; i < width; i += kLanes) {
                const Lanes e = expOfSmall(load(own + i) - most);
                store(own + i, e);
                sum += e;
            }
            parts[static_cast<std::size_t>(row)] = sum;
        }
        const Lanes totals =
            loadSome(m_scratch.totals + rows.first, count) * shrink + sumsOf(parts);
        storeSome(m_scratch.maxima + rows.first, now, count);
        storeSome(m_scratch.totals + rows.first, totals, count);
        storeSome(m_scratch.shrinks + rows.first, shrink, count);
    }

    void addAsStored(Range keys)
    {
        m_tile.scores(m_scratch.queries, keys, {m_scratch.scores, kKeysAtOnce});
        for (std::int64_t row = 0; row < m_tile.rows(); row += kMaxTileRows) {
            weigh({row, std::min(row + kMaxTileRows, m_tile.rows())},
                  m_scratch.scores + row * kKeysAtOnce,
                  keys);
        }
        for (std::int64_t row = 0; row < m_tile.rows(); ++row) {
            if (m_scratch.shrinks[row] != 1.0F) {
                scaleRow(m_scratch.sums + row * m_sumWidth, m_sumWidth, m_scratch.shrinks[row]);
            }
        }
        m_tile.weightedSum({m_scratch.scores, kKeysAtOnce}, keys, Into::accumulate, m_scratch.sums);
    }

    void addPacked(const RowBlock& block, Range keys)
    {
        packKeys(keys);
        packPanels(m_tile.rowsAt(m_tile.input().values, keys),
                   Stored::straight,
                   keys.size(),
                   m_plan.valueDim,
                   m_scratch.values);
        for (int i = 0; i < block.tiles(); ++i) {
            const Range rows = block.rowsOf(i);
            const Range seen = intersection(
                {m_tile.visibleTo(rows.first).first, m_tile.visibleTo(rows.last - 1).last}, keys);
            if (seen.size() > 0) {
                addRows(block, i, keys, seen);
            }
        }
    }

    // Panel by panel of keys: their heads' own features, then the shared ones.
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

    // From the queries of some rows to their sums over the keys `seen` of a packed block.
    void addRows(const RowBlock& block, int tile, Range keys, Range seen)
    {
        const Range rows = block.rowsOf(tile);
        const std::int64_t first = (seen.first - keys.first) / kPanel * kPanel;
        const std::int64_t last = seen.last - keys.first;
        for (std::int64_t key = first; key < last; key += kPanel) {
            block.multiplyTile(
                tile, m_scratch.keys + key * m_plan.keyDim, {m_scratch.scores + key, kKeysAtOnce});
        }
        weigh(rows, m_scratch.scores + first, {keys.first + first, seen.last});
        const AddWeighted add = addWeightedOf(rows.size());
        for (std::int64_t column = 0; column < m_sumWidth; column += kPanel) {
            add(m_scratch.scores + first,
                m_scratch.values + column * keys.size() + first * kPanel,
                last - first,
                m_scratch.shrinks + rows.first,
                {m_scratch.sums + rows.first * m_sumWidth + column, m_sumWidth});
        }
    }

    const AttentionTile& m_tile;
    const AttentionPlan& m_plan;
    const ScoreSteps& m_steps;
    Scratch m_scratch;
    bool m_packs;
    std::int64_t m_sumWidth;
};

} // namespace

std::int64_t flashTileRows(const AttentionPlan& plan)
{
    constexpr std::int64_t kEnough = kTileRows / 2; // for packing keys and values to pay
    const std::int64_t rows = rowsAtOnce(plan.keyDim);
    return rows < kEnough ? kTileRows : std::min(rows, 2 * kTileRows);
}

std::size_t flashScratch(const AttentionPlan& plan)
{
    return wholeLines(static_cast<std::size_t>(Places(plan).end));
}

void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               float* scratch,
               const MatrixAt<float>& sums,
               const SoftmaxRows& kept)
{
    FlashTile flash(tile, plan, steps, scratch);
    flash.run();
    flash.finish(sums, kept);
}

} // namespace flopsmith::cpu
