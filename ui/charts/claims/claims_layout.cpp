// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_layout.h"

#include "core/base/text.h"
#include "ui/charts/claims/claims_row.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kGroupGap = 8.0;
constexpr double kEdge = 3.0; ///< width of a component's colour edge
constexpr double kTickSize = 0.82;
constexpr double kMinWidthForVerdict = 430.0; ///< below this width the words are only on the cards
constexpr double kMinWidthForLearned = 700.0; ///< the same for learned results

QString tickLabel(double value)
{
    const auto whole = static_cast<Count>(std::llround(value < 1.0 ? 1.0 / value : value));
    const QString digits = toQt(groupedDigits(whole));
    return (value < 1.0 ? QStringLiteral("1/") : QString()) + digits + QStringLiteral("\u00D7");
}

// From `low` to `high`, extended if a value needs it, with a tick at every power of `base`.
RatioAxis axisOver(double low, double high, double base, const std::vector<double>& values)
{
    constexpr double kFurthest = 1e9;
    RatioAxis axis{.low = low, .high = high};
    for (const double value : values) {
        while (value < axis.low && axis.low > 1.0 / kFurthest) {
            axis.low /= base;
        }
        while (value > axis.high && axis.high < kFurthest) {
            axis.high *= base;
        }
    }
    const double first = std::ceil(std::log(axis.low) / std::log(base) - 1e-9);
    const double last = std::floor(std::log(axis.high) / std::log(base) + 1e-9);
    for (double power = first; power <= last; power += 1.0) {
        axis.ticks.push_back({std::pow(base, power), {}});
    }
    return axis;
}

/// Finds the places of a claims figure's parts.
class ClaimsLayouter
{
public:
    ClaimsLayouter(const ClaimsChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
        , m_legendHeight(style.lineHeight(kLegendTextSize) + 4.0)
    {}

    ClaimsLayout layout()
    {
        for (std::size_t i = 0; i < m_chart.claims.size(); ++i) {
            (isSaving(m_chart.claim(i)) ? m_savings : m_others).push_back(i);
        }
        const double height = chooseRows();
        m_layout.textSize = height >= m_style.lineHeight(0.92) - 1.0 ? 0.92 : 0.85;
        m_layout.markRadius = std::clamp(0.24 * height, 3.2, 6.0);
        placeColumns();
        double y = m_area.top();
        if (!m_savings.empty()) {
            y = placeGroup(savingsGroup(), m_savings, y, height) + kGroupGap;
        }
        if (!m_others.empty()) {
            y = placeGroup(othersGroup(), m_others, y, height) + kGroupGap;
        }
        placeFoot(y - kGroupGap + 2.0);
        return std::move(m_layout);
    }

private:
    double headHeight() const { return m_style.lineHeight(0.92); }
    double tickHeight() const { return m_style.lineHeight(kTickSize); }
    double minRowHeight() const { return m_style.lineHeight(0.85) - 1.0; }

    // The height of headings, axes and legend.
    double fixedHeight() const
    {
        const double groups = (m_savings.empty() ? 0.0 : 1.0) + (m_others.empty() ? 0.0 : 1.0);
        return groups * (headHeight() + tickHeight() + kGroupGap) - kGroupGap + 2.0
            + m_legendHeight;
    }

    // The height of a row, after leaving out the last rows if there are too many.
    double chooseRows()
    {
        const auto fitting = [this] {
            const double rows = (m_area.height() - fixedHeight()) / minRowHeight();
            return static_cast<std::size_t>(std::max(0.0, std::floor(rows + 1e-9)));
        };
        std::size_t all = m_savings.size() + m_others.size();
        const auto hide = [&](std::vector<std::size_t>& rows, std::size_t kept) {
            m_layout.hidden += rows.size() - kept;
            all -= rows.size() - kept;
            rows.resize(kept);
        };
        if (all > fitting() && !m_savings.empty()) {
            const std::size_t rows = fitting();
            const std::size_t rest = rows > m_savings.size() ? rows - m_savings.size() : 0;
            hide(m_others, std::min(rest, m_others.size()));
        }
        std::vector<std::size_t>& last = m_others.empty() ? m_savings : m_others;
        if (all > fitting()) {
            hide(last, std::min(last.size(), std::max<std::size_t>(fitting(), 1)));
        }
        const double height =
            (m_area.height() - fixedHeight()) / static_cast<double>(std::max<std::size_t>(all, 1));
        return std::clamp(height, minRowHeight(), 2.7 * m_style.textPixels);
    }

    QFont font(QFont::Weight weight = QFont::Normal) const
    {
        return m_style.font(m_layout.textSize, weight);
    }

    // Titles on the left, verdicts on the right, the plot between them: the same in all groups.
    void placeColumns()
    {
        double titles = 0.0;
        double verdicts = 0.0;
        double learned = 0.0;
        for (const std::vector<std::size_t>* rows : {&m_savings, &m_others}) {
            for (const std::size_t i : *rows) {
                titles = std::max(titles, textWidth(font(), toQt(m_chart.claim(i).title)));
                verdicts =
                    std::max(verdicts,
                             textWidth(font(QFont::Medium),
                                       verdictText(m_chart.claim(i), m_chart.measuredOf(i))));
                learned = std::max(learned,
                                   textWidth(font(QFont::Medium), toQt(m_chart.learnedOf(i).text)));
            }
        }
        m_titleLeft = m_area.left() + kEdge + 7.0;
        m_titleWidth = std::min(titles, 0.37 * m_area.width());
        m_verdictWidth = m_area.width() >= kMinWidthForVerdict ? verdicts : 0.0;
        m_learnedWidth = m_area.width() >= kMinWidthForLearned ? learned : 0.0;
        m_plotLeft = m_titleLeft + m_titleWidth + kCellGap + 4.0;
        const double overhang = textWidth(m_style.font(kTickSize), tickLabel(10'000)) / 2;
        m_verdictRight =
            m_area.right() - (m_learnedWidth > 0.0 ? m_learnedWidth + 2.0 * kCellGap : 0.0);
        m_plotRight = m_verdictRight - std::max(overhang, m_verdictWidth + kCellGap + 4.0);
        m_plotRight = std::max(m_plotRight, m_plotLeft + 10.0);
    }

    ClaimsLayout::Group savingsGroup() const
    {
        ClaimsLayout::Group group{.title = Charts::tr("Times fewer FLOPs than the dense FFN")};
        group.remark = m_chart.isMeasured() ? Charts::tr("measured: times faster") : QString();
        group.axis = axisOver(0.25, 10'000.0, 10.0, valuesOf(m_savings));
        return group;
    }

    ClaimsLayout::Group othersGroup() const
    {
        ClaimsLayout::Group group{.title = Charts::tr("Other claims"),
                                  .remark = Charts::tr("each of its own quantity, as written")};
        group.axis = axisOver(0.25, 16.0, 2.0, valuesOf(m_others));
        return group;
    }

    std::vector<double> valuesOf(const std::vector<std::size_t>& rows) const
    {
        std::vector<double> values;
        for (const std::size_t i : rows) {
            for (const double value :
                 {m_chart.claim(i).counted, m_chart.measuredOf(i).quantity.value_or(1.0)}) {
                if (isRatio(value)) {
                    values.push_back(value);
                }
            }
        }
        return values;
    }

    double placeGroup(ClaimsLayout::Group group,
                      const std::vector<std::size_t>& rows,
                      double top,
                      double height)
    {
        group.heading = QRectF(m_area.left(), top, m_area.width(), headHeight());
        const bool learns = std::ranges::any_of(
            rows, [&](std::size_t i) { return !m_chart.learnedOf(i).text.empty(); });
        if (m_learnedWidth > 0.0 && learns) {
            group.learnedHeading = learnedColumn(group.heading);
            group.heading.setRight(group.learnedHeading.left() - kCellGap);
        }
        const double plotTop = group.heading.bottom();
        group.plot = QRectF(m_plotLeft,
                            plotTop,
                            m_plotRight - m_plotLeft,
                            height * static_cast<double>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double y = plotTop + height * static_cast<double>(i);
            group.rows.push_back(
                placedRow(group, rows[i], QRectF(m_area.left(), y, m_area.width(), height)));
        }
        group.ticks = QRectF(m_plotLeft, group.plot.bottom(), group.plot.width(), tickHeight());
        nameTicks(group);
        const double bottom = group.ticks.bottom();
        m_layout.groups.push_back(std::move(group));
        return bottom;
    }

    QRectF learnedColumn(const QRectF& line) const
    {
        return {m_area.right() - m_learnedWidth, line.top(), m_learnedWidth, line.height()};
    }

    // Names every tick, or every second …, so that names do not touch.
    void nameTicks(ClaimsLayout::Group& group) const
    {
        const QFont font = m_style.font(kTickSize);
        const auto one =
            std::find_if(group.axis.ticks.begin(),
                         group.axis.ticks.end(),
                         [](const RatioAxis::Tick& tick) { return tick.value == 1.0; });
        const auto origin = one - group.axis.ticks.begin();
        for (std::ptrdiff_t stride = 1;; ++stride) {
            double end = -1e9;
            bool touches = false;
            for (std::size_t i = 0; i < group.axis.ticks.size(); ++i) {
                RatioAxis::Tick& tick = group.axis.ticks[i];
                tick.label.clear();
                if ((static_cast<std::ptrdiff_t>(i) - origin) % stride != 0) {
                    continue;
                }
                tick.label = tickLabel(tick.value);
                const double half = textWidth(font, tick.label) / 2;
                const double centre = group.xOf(tick.value);
                touches = touches || centre - half < end + 8.0;
                end = centre + half;
            }
            if (!touches) {
                return;
            }
        }
    }

    ClaimsLayout::Row placedRow(const ClaimsLayout::Group& group,
                                std::size_t index,
                                const QRectF& rect) const
    {
        const double inset = std::clamp(0.16 * rect.height(), 2.0, 6.0);
        ClaimsLayout::Row row{.claim = index, .rect = rect};
        row.edge = QRectF(rect.left(), rect.top() + inset, kEdge, rect.height() - 2 * inset);
        row.title = QRectF(m_titleLeft, rect.top(), m_titleWidth, rect.height());
        if (m_verdictWidth > 0.0) {
            row.verdict =
                QRectF(m_verdictRight - m_verdictWidth, rect.top(), m_verdictWidth, rect.height());
        }
        if (m_learnedWidth > 0.0) {
            row.learned = learnedColumn(rect);
        }
        ClaimsRowPlacer(m_chart, group, m_layout, m_style).place(row, inset);
        return row;
    }

    void placeFoot(double top)
    {
        using Sign = ClaimsLayout::LegendEntry::Sign;
        std::vector<std::pair<Sign, QString>> entries{{Sign::claimed, Charts::tr("claimed")},
                                                      {Sign::counted, Charts::tr("counted")}};
        if (m_chart.isMeasured()) {
            entries.emplace_back(Sign::measured, Charts::tr("measured"));
        }
        const double height = m_legendHeight - 4.0;
        const double y = std::min(top + 4.0, m_area.bottom() - height);
        double x = m_area.left();
        for (const auto& [sign, name] : entries) {
            const double swatch = sign == Sign::claimed ? 20.0 : 12.0;
            const double width = textWidth(m_style.font(kLegendTextSize), name);
            if (x + swatch + 6.0 + width > m_area.right()) {
                break;
            }
            m_layout.legend.push_back({.sign = sign,
                                       .swatch = QRectF(x, y, swatch, height),
                                       .text = QRectF(x + swatch + 6.0, y, width, height),
                                       .name = name});
            x += swatch + 6.0 + width + 20.0;
        }
        const double note = m_learnedWidth > 0.0
            ? textWidth(m_style.font(kLegendTextSize), m_chart.learnedNote())
            : 0.0;
        if (note > 0.0 && x + note <= m_area.right()) {
            m_layout.learnedNote = QRectF(x, y, note, height);
            x += note + 20.0;
        }
        if (m_layout.hidden > 0 && m_area.right() - x > 40.0) {
            m_layout.hiddenText = QRectF(x, y, m_area.right() - x, height);
        }
    }

    const ClaimsChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_legendHeight;
    std::vector<std::size_t> m_savings;
    std::vector<std::size_t> m_others;
    double m_titleLeft = 0.0;
    double m_titleWidth = 0.0;
    double m_verdictWidth = 0.0;
    double m_verdictRight = 0.0;
    double m_learnedWidth = 0.0;
    double m_plotLeft = 0.0;
    double m_plotRight = 0.0;
    ClaimsLayout m_layout;
};

} // namespace

double ClaimsLayout::Group::xOf(double ratio) const
{
    return plot.left() + axis.share(ratio) * plot.width();
}

double RatioAxis::share(double ratio) const
{
    const double whole = std::log(high) - std::log(low);
    return std::clamp((std::log(ratio) - std::log(low)) / whole, 0.0, 1.0);
}

ClaimsLayout claimsLayout(const ClaimsChart& chart, const QRectF& area, const ChartStyle& style)
{
    return ClaimsLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
