// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share/share_layout.h"

#include "ui/charts/share/legend_planner.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kHoleShare = 0.66; ///< of the radius
constexpr double kLargestRadius = 125.0;

/// Finds the places of donuts, captions and legend.
class ShareLayouter
{
public:
    ShareLayouter(std::span<const Donut> donuts,
                  std::span<const LegendRow> rows,
                  const QRectF& area,
                  const ChartStyle& style)
        : m_donuts(donuts)
        , m_planner(donuts, rows, area, style)
        , m_area(area)
        , m_style(style)
        , m_cell(area.width() / static_cast<double>(donuts.size()))
        , m_line(style.lineHeight())
        , m_small(style.lineHeight(0.85))
        , m_tight(area.height() < kTightLines * m_line)
        , m_twoLines(!titlesFit() && area.height() >= 17.0 * m_line)
        , m_notes(hasNotes())
    {}

    ShareLayout layout()
    {
        placeLegend();
        if (!unitsFit()) {
            m_unitsBelow = true;
            placeLegend();
        }
        const double slack = std::max(0.0, m_free - 2 * m_radius);
        const double top = m_area.top() + topMargin() / 2 + slack * 0.4;
        for (std::size_t i = 0; i < m_donuts.size(); ++i) {
            m_layout.donuts.push_back(donutPlace(i, top));
        }
        const double legendTop = top + 2 * m_radius + captionHeight() + legendGap() + slack * 0.2;
        m_layout.legend.area.setTop(legendTop);
        m_layout.legend.area.setHeight(m_planner.heightOf(m_layout.legend));
        return std::move(m_layout);
    }

private:
    // Where there is little height, the legend is worth more than air and large donuts.
    double topMargin() const { return m_tight ? 2.0 : 10.0; }
    double legendGap() const { return m_tight ? 5.0 : 14.0; }
    double minDiameter() const
    {
        return std::min(m_cell - 18.0, (m_tight ? 0.27 : 0.33) * m_area.height());
    }

    bool titlesFit() const
    {
        const QFont font = m_style.font(1.0, QFont::DemiBold);
        return std::all_of(m_donuts.begin(), m_donuts.end(), [&](const Donut& donut) {
            return textWidth(font, toQt(donut.title)) <= m_cell - 4.0;
        });
    }

    bool hasNotes() const
    {
        const bool hasSpace = m_area.height() >= 18.0 * m_line;
        return hasSpace && std::any_of(m_donuts.begin(), m_donuts.end(), [](const Donut& donut) {
                   return !donut.note.empty();
               });
    }

    bool unitsFit() const
    {
        const QFont font = m_style.font(0.88);
        return std::all_of(m_donuts.begin(), m_donuts.end(), [&](const Donut& donut) {
            return donut.empty()
                || textWidth(font, toQt(donut.unit)) <= m_radius * kHoleShare * 1.62;
        });
    }

    double captionHeight() const
    {
        const int smallLines = (m_unitsBelow ? 1 : 0) + (m_twoLines ? 1 : 0) + (m_notes ? 1 : 0);
        return (m_tight ? 8.0 : 10.0) + m_line + smallLines * m_small;
    }

    // The legend first, as it cannot shrink; the donuts get the remaining space.
    void placeLegend()
    {
        const double available = m_area.height() - captionHeight() - topMargin();
        const double maxHeight = available - minDiameter() - legendGap();
        m_layout.legend = m_planner.plan(std::min(maxHeight, 0.4 * m_area.height()), maxHeight);
        const double height = m_planner.heightOf(m_layout.legend);
        m_free = available - height - (height > 0.0 ? legendGap() : 0.0);
        m_radius = std::clamp(std::min(m_cell - 18.0, m_free) / 2, 8.0, kLargestRadius);
    }

    DonutPlace donutPlace(std::size_t index, double top) const
    {
        const double left = m_area.left() + m_cell * static_cast<double>(index);
        DonutPlace place{.centre = {left + m_cell / 2, top + m_radius},
                         .radius = m_radius,
                         .hole = m_radius * kHoleShare};
        double below = top + 2 * m_radius + 8.0;
        const auto next = [&](double height) {
            const QRectF rect(left + 2.0, below, m_cell - 4.0, height);
            below += height;
            return rect;
        };
        place.unit = m_unitsBelow ? next(m_small) : QRectF();
        place.caption = next(m_line);
        place.subCaption = m_twoLines ? next(m_small) : QRectF();
        place.note = m_notes ? next(m_small) : QRectF();
        return place;
    }

    std::span<const Donut> m_donuts;
    LegendPlanner m_planner;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_cell;
    double m_line;
    double m_small;
    bool m_tight;
    bool m_twoLines;
    bool m_notes;
    bool m_unitsBelow = false;
    double m_free = 0.0; ///< height for the donuts
    double m_radius = 0.0;
    ShareLayout m_layout;
};

} // namespace

ShareLayout shareLayout(std::span<const Donut> donuts,
                        std::span<const LegendRow> rows,
                        const QRectF& area,
                        const ChartStyle& style)
{
    return donuts.empty() ? ShareLayout{} : ShareLayouter(donuts, rows, area, style).layout();
}

} // namespace flopsmith::ui
