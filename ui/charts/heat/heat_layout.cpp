// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat/heat_layout.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kHeatGap = 8.0; ///< between the plot and its texts
constexpr double kColourBar = 12.0; ///< width
constexpr double kBarGap = 14.0; ///< between plot and bar
constexpr double kHeatTickGap = 6.0; ///< between the values of x
constexpr double kMaxLabelShare = 0.3; ///< of the width, for the values of y
constexpr std::size_t kFewCells = 12; ///< in a row or column that shows its values
constexpr double kCaptionFrom = 11.0; ///< lines: as high as this there is space for a caption

class HeatLayouter
{
public:
    HeatLayouter(const HeatMap& map, const QRectF& area, const ChartStyle& style)
        : m_map(map)
        , m_area(area)
        , m_style(style)
        , m_line(style.lineHeight(0.92))
        , m_tick(style.lineHeight(kSmallTextSize))
    {}

    HeatLayout layout()
    {
        const double top = placeTitles();
        const double bottom = placeCaption() - m_line - m_tick - 4.0;
        const double height = std::max(20.0, bottom - top);
        m_layout.colours = m_map.colours(std::max(2, static_cast<int>(height / (1.6 * m_tick))));
        const double left = m_area.left() + yTextWidth() + kHeatGap;
        const double right = m_area.right() - barTextWidth() - 5.0 - kColourBar - kBarGap;
        m_layout.plot = QRectF(left, top, std::max(20.0, right - left), height);
        m_layout.bar = QRectF(m_layout.plot.right() + kBarGap, top, kColourBar, height);
        m_layout.xTitle = QRectF(
            m_layout.plot.left(), top + height + m_tick + 4.0, m_layout.plot.width(), m_line);
        placeXTicks();
        placeYTicks();
        m_layout.valuesFit = valuesFit();
        return std::move(m_layout);
    }

private:
    QFont small() const { return m_style.font(kSmallTextSize); }
    double widthOf(const std::string& text) const { return textWidth(small(), toQt(text)); }

    // Both in one line, or the title of the colours above y's. Returns the top of the plot.
    double placeTitles()
    {
        double top = m_area.top();
        m_layout.title = QRectF(m_area.left(), top, m_area.width(), m_line);
        if (widthOf(m_map.title) + widthOf(m_map.y.title) + 16.0 > m_area.width()) {
            top += m_line;
        }
        m_layout.yTitle = QRectF(m_area.left(), top, m_area.width(), m_line);
        return top + m_line + 6.0;
    }

    // Below everything; returns its top.
    double placeCaption()
    {
        if (m_map.caption.empty() || m_area.height() < kCaptionFrom * m_style.lineHeight()) {
            return m_area.bottom();
        }
        const QStringList lines =
            clauseLines(toQt(m_map.caption), QStringLiteral(": "), small(), m_area.width(), 2);
        const double top = m_area.bottom() - m_tick * static_cast<double>(lines.size());
        double y = top;
        for (const QString& line : lines) {
            m_layout.caption.push_back({QRectF(m_area.left(), y, m_area.width(), m_tick), line});
            y += m_tick;
        }
        return top - 4.0;
    }

    double yTextWidth() const
    {
        double widest = 0.0;
        for (const std::string& text : m_map.y.texts) {
            widest = std::max(widest, widthOf(text));
        }
        return std::min(widest, kMaxLabelShare * m_area.width());
    }

    double barTextWidth() const
    {
        double widest = 0.0;
        for (const Tick& tick : m_layout.colours.ticks) {
            widest = std::max(widest, widthOf(tick.label));
        }
        return widest;
    }

    static double middle(const HeatAxis& axis, std::size_t i)
    {
        return (axis.edges[i] + axis.edges[i + 1]) / 2.0;
    }

    // Every value below its column, or every second, third …
    void placeXTicks()
    {
        for (std::size_t each = 1; each <= m_map.x.values.size(); ++each) {
            m_layout.xTicks = xTicks(each);
            const auto touch = [](const PlacedLine& one, const PlacedLine& next) {
                return next.rect.left() < one.rect.right() + kHeatTickGap;
            };
            const auto& ticks = m_layout.xTicks;
            if (std::adjacent_find(ticks.begin(), ticks.end(), touch) == ticks.end()) {
                return;
            }
        }
    }

    std::vector<PlacedLine> xTicks(std::size_t each) const
    {
        std::vector<PlacedLine> ticks;
        const QRectF& plot = m_layout.plot;
        for (std::size_t i = 0; i < m_map.x.values.size(); i += each) {
            const double width = std::min(widthOf(m_map.x.texts[i]), m_area.width());
            const double wanted = plot.left() + middle(m_map.x, i) * plot.width() - width / 2;
            const double left = std::clamp(wanted, m_area.left(), m_area.right() - width);
            ticks.push_back(
                {QRectF(left, plot.bottom() + 3.0, width, m_tick), toQt(m_map.x.texts[i])});
        }
        return ticks;
    }

    void placeYTicks()
    {
        const QRectF& plot = m_layout.plot;
        const double right = plot.left() - kHeatGap + 2.0;
        double last = 1e9; // of the one below
        for (std::size_t i = 0; i < m_map.y.values.size(); ++i) {
            const double y = plot.bottom() - middle(m_map.y, i) * plot.height();
            if (last - y >= m_tick) {
                const QRectF rect(m_area.left(), y - m_tick / 2, right - m_area.left(), m_tick);
                m_layout.yTicks.push_back({rect, toQt(m_map.y.texts[i])});
                last = y;
            }
        }
    }

    bool valuesFit() const
    {
        if (m_map.x.values.size() > kFewCells || m_map.y.values.size() > kFewCells) {
            return false;
        }
        const QFont font = small();
        return std::all_of(m_map.cells.begin(), m_map.cells.end(), [&](const HeatCell& cell) {
            const QRectF rect = m_layout.cell(m_map, cell);
            return !cell.value
                || (rect.height() >= m_tick
                    && unkernedWidth(font, toQt(cell.text)) + 6.0 <= rect.width());
        });
    }

    const HeatMap& m_map;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_line;
    double m_tick;
    HeatLayout m_layout;
};

} // namespace

QRectF HeatLayout::cell(const HeatMap& map, const HeatCell& cell) const
{
    const double left = map.x.edges[cell.column];
    const double right = map.x.edges[cell.column + 1];
    const double below = map.y.edges[cell.row];
    const double above = map.y.edges[cell.row + 1];
    return {QPointF(plot.left() + left * plot.width(), plot.bottom() - above * plot.height()),
            QPointF(plot.left() + right * plot.width(), plot.bottom() - below * plot.height())};
}

std::optional<QPointF> HeatLayout::present(const HeatMap& map) const
{
    if (!map.x.present || !map.y.present) {
        return std::nullopt;
    }
    return QPointF(plot.left() + *map.x.present * plot.width(),
                   plot.bottom() - *map.y.present * plot.height());
}

HeatLayout heatLayout(const HeatMap& map, const QRectF& area, const ChartStyle& style)
{
    return HeatLayouter(map, area, style).layout();
}

} // namespace flopsmith::ui
