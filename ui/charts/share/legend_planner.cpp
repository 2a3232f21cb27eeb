// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share/legend_planner.h"

#include "core/present/base/ffn_title.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace flopsmith::ui {
namespace {

constexpr double kSwatchGap = 7.0;
constexpr double kColumnGap = 8.0;
constexpr double kTightColumnGap = 6.0;
constexpr double kLongestName = 170.0;
constexpr double kShortName = 108.0;
constexpr double kMinName = 62.0;
constexpr double kMinGap = 10.0; ///< between blocks
constexpr double kTwoBlocks = 0.0; ///< as a longest name: the space that two blocks leave
constexpr std::size_t kMaxBlocks = 3;

QString headerOf(const Donut& donut)
{
    if (!donut.brief.empty()) {
        return toQt(donut.brief);
    }
    if (donut.key == "seconds") {
        return Charts::tr("time");
    }
    if (donut.key == "parameters") {
        return Charts::tr("params");
    }
    return donut.key == "macs" ? QStringLiteral("MACs")
        : donut.key == "flops" ? QStringLiteral("FLOPs")
                               : toQt(donut.key);
}

// The first donut, and the measured one or otherwise the second.
std::vector<std::size_t> principal(std::span<const Donut> donuts)
{
    std::vector<std::size_t> chosen;
    if (!donuts.empty()) {
        chosen.push_back(0);
    }
    for (std::size_t i = 1; i < donuts.size(); ++i) {
        if (donuts[i].origin == Origin::measured && !donuts[i].empty()) {
            chosen.push_back(i);
            return chosen;
        }
    }
    for (std::size_t i = 1; i < donuts.size() && chosen.size() < 2; ++i) {
        if (!donuts[i].empty()) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

std::vector<std::size_t> allWithSlices(std::span<const Donut> donuts)
{
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < donuts.size(); ++i) {
        if (!donuts[i].empty()) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

/// Columns, with the maximum and minimum width of names.
struct Attempt
{
    std::vector<std::size_t> donuts;
    double longestName = 0.0;
    double minNameWidth = 0.0;
};

} // namespace

QFont shareFont(const Donut& donut, const ChartStyle& style)
{
    const bool measured = donut.origin == Origin::measured;
    return style.font(kLegendTextSize, measured ? QFont::DemiBold : QFont::Normal);
}

QString legendName(const QString& title, const QFont& font, double width)
{
    const QString head = toQt(firstWords(title.toStdString()));
    return textWidth(font, title) > width && textWidth(font, head) <= width ? head : title;
}

LegendPlanner::LegendPlanner(std::span<const Donut> donuts,
                             std::span<const LegendRow> rows,
                             const QRectF& area,
                             const ChartStyle& style)
    : m_donuts(donuts)
    , m_rows(rows)
    , m_area(area)
    , m_style(style)
{}

LegendPlace LegendPlanner::plan(double usualHeight, double maxHeight) const
{
    LegendPlace lowest;
    double minHeight = 1e9;
    const auto all = allWithSlices(m_donuts);
    const auto few = principal(m_donuts);
    const std::array<Attempt, 7> attempts{{{all, kLongestName, 0.0},
                                           {all, kTwoBlocks, kShortName},
                                           {few, kLongestName, 0.0},
                                           {all, kShortName, 0.0},
                                           {few, kShortName, 0.0},
                                           {all, kTwoBlocks, 0.0},
                                           {few, kTwoBlocks, 0.0}}};
    for (const Attempt& attempt : attempts) {
        LegendPlace place = withColumns(attempt.donuts, attempt.longestName);
        const double height = heightOf(place);
        if (place.nameWidth < attempt.minNameWidth) {
            continue;
        }
        if (place.blockWidth <= m_area.width() && height <= usualHeight) {
            return place;
        }
        if (height < minHeight) {
            minHeight = height;
            lowest = std::move(place);
        }
    }
    if (lowest.blockWidth > m_area.width()) {
        lowest = withColumns(principal(m_donuts), kShortName);
    }
    if (heightOf(lowest) > maxHeight) {
        limit(lowest, maxHeight);
    }
    return lowest;
}

double LegendPlanner::heightOf(const LegendPlace& place) const
{
    const auto lines = static_cast<double>(place.rowsPerBlock);
    return place.rows.empty() ? 0.0 : (lines + 1.0) * place.rowHeight;
}

LegendPlace LegendPlanner::withColumns(const std::vector<std::size_t>& donuts,
                                       double longestName) const
{
    const QFont font = m_style.font(kLegendTextSize);
    LegendPlace place;
    const bool tight = m_area.height() < kTightLines * m_style.lineHeight();
    place.columnGap = tight ? kTightColumnGap : kColumnGap;
    place.rowHeight = m_style.lineHeight(kLegendTextSize) + (tight ? 1.0 : 3.0);
    place.rows.resize(m_rows.size());
    std::iota(place.rows.begin(), place.rows.end(), std::size_t{0});
    for (const LegendRow& row : m_rows) {
        place.nameWidth = std::max(place.nameWidth, textWidth(font, toQt(row.title)));
    }
    place.blockWidth = kLegendSwatch + kSwatchGap;
    for (const std::size_t donut : donuts) {
        LegendColumn column{.donut = donut, .header = headerOf(m_donuts[donut])};
        column.width = textWidth(font, column.header);
        const QFont figures = shareFont(m_donuts[donut], m_style);
        for (const LegendRow& row : m_rows) {
            column.width = std::max(column.width, textWidth(figures, toQt(row.shares[donut])));
        }
        place.blockWidth += place.columnGap + column.width;
        place.columns.push_back(std::move(column));
    }
    const double half = (m_area.width() - kMinGap) / 2 - place.blockWidth;
    const double maxName = longestName == kTwoBlocks ? std::max(kMinName, half) : longestName;
    place.nameWidth = std::min(place.nameWidth, maxName);
    place.blockWidth += place.nameWidth;
    fitWidth(place);
    spread(place);
    return place;
}

// Long names are shortened if even one block is too wide.
void LegendPlanner::fitWidth(LegendPlace& place) const
{
    const double excess = place.blockWidth - m_area.width();
    if (excess > 0.0) {
        const double cut = std::min(excess, std::max(0.0, place.nameWidth - 40.0));
        place.nameWidth -= cut;
        place.blockWidth -= cut;
    }
}

void LegendPlanner::spread(LegendPlace& place) const
{
    const std::size_t count = place.rows.size() + (place.hidden > 0 ? 1 : 0);
    const auto fitting = static_cast<std::size_t>(
        std::max(1.0, std::floor((m_area.width() + kMinGap) / (place.blockWidth + kMinGap))));
    std::size_t blocks = std::clamp<std::size_t>((count + 2) / 3, 1, kMaxBlocks);
    blocks = std::min(blocks, fitting);
    place.rowsPerBlock = (count + blocks - 1) / blocks;
    blocks = place.rowsPerBlock > 0 ? (count + place.rowsPerBlock - 1) / place.rowsPerBlock : 1;
    const auto gaps = static_cast<double>(blocks);
    const double spare = m_area.width() - gaps * place.blockWidth;
    place.blockGap = blocks > 1 ? std::min(56.0, spare / (gaps - 1.0)) : 0.0;
    const double used = gaps * place.blockWidth + (gaps - 1.0) * place.blockGap;
    place.area.setLeft(m_area.left() + std::max(0.0, (m_area.width() - used) / 2));
    place.area.setWidth(used);
}

// Keeps the largest components, in their order, and a last line that counts the others.
void LegendPlanner::limit(LegendPlace& place, double maxHeight) const
{
    const std::size_t blocks =
        (place.rows.size() + place.rowsPerBlock - 1) / std::max<std::size_t>(place.rowsPerBlock, 1);
    const double lines = std::floor(maxHeight / place.rowHeight) - 1.0;
    const auto fitting =
        static_cast<std::size_t>(std::max(0.0, lines)) * std::max<std::size_t>(blocks, 1);
    std::sort(place.rows.begin(), place.rows.end(), [&](std::size_t a, std::size_t b) {
        return weight(place, a) > weight(place, b);
    });
    const std::size_t kept = fitting > 1 ? fitting - 1 : 0;
    place.hidden = place.rows.size() - std::min(kept, place.rows.size());
    place.rows.resize(std::min(kept, place.rows.size()));
    std::sort(place.rows.begin(), place.rows.end());
    spread(place);
}

double LegendPlanner::weight(const LegendPlace& place, std::size_t row) const
{
    double largest = 0.0;
    const auto isColumn = [&place](std::size_t donut) {
        return std::any_of(place.columns.begin(),
                           place.columns.end(),
                           [donut](const LegendColumn& column) { return column.donut == donut; });
    };
    for (std::size_t donut = 0; donut < m_donuts.size(); ++donut) {
        const bool isDesign = !m_donuts[donut].brief.empty(); // its colours need a name, too
        const Slice* slice =
            isDesign || isColumn(donut) ? m_donuts[donut].slice(*m_rows[row].component) : nullptr;
        largest = std::max(largest, slice != nullptr ? slice->share : 0.0);
    }
    return largest;
}

} // namespace flopsmith::ui
