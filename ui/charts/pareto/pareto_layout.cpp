// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pareto/pareto_layout.h"

#include "ui/charts/base/label_places.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr std::size_t kMaxNames = 14;
constexpr double kNamesFrom = 9.0; ///< lines: a lower plot has no names
constexpr double kParetoCaptionFrom = 11.0; ///< lines: as high as this there is space for a caption

class ParetoLayouter
{
public:
    ParetoLayouter(const ParetoChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
        , m_line(style.lineHeight(0.92))
        , m_tick(style.lineHeight(kSmallTextSize))
    {}

    ParetoLayout layout()
    {
        m_layout.yTitle = QRectF(m_area.left(), m_area.top(), m_area.width(), m_line);
        const double top = m_area.top() + m_line + 6.0;
        const double bottom = placeCaption() - m_line - m_tick - 4.0;
        const double height = std::max(20.0, bottom - top);
        m_layout.yAxis = m_chart.y.ticks(std::max(2, static_cast<int>(height / (1.7 * m_tick))));
        double widest = 0.0;
        for (const Tick& tick : m_layout.yAxis.ticks) {
            widest = std::max(widest, widthOf(toQt(tick.label)));
        }
        const double left = m_area.left() + widest + 8.0;
        const double right = m_area.right() - 24.0; // space for half of the last tick's label
        m_layout.plot = QRectF(left, top, std::max(20.0, right - left), height);
        m_layout.xTitle =
            QRectF(m_area.left(), top + height + m_tick + 4.0, m_area.width(), m_line);
        chooseXAxis();
        placeNames();
        return std::move(m_layout);
    }

private:
    QFont small() const { return m_style.font(kSmallTextSize); }
    double widthOf(const QString& text) const { return textWidth(small(), text); }

    // Below everything; returns its top.
    double placeCaption()
    {
        if (m_area.height() < kParetoCaptionFrom * m_style.lineHeight()) {
            return m_area.bottom();
        }
        const QStringList lines =
            clauseLines(toQt(m_chart.caption), QStringLiteral("; "), small(), m_area.width(), 2);
        const double top = m_area.bottom() - m_tick * static_cast<double>(lines.size());
        double y = top;
        for (const QString& line : lines) {
            m_layout.caption.push_back({QRectF(m_area.left(), y, m_area.width(), m_tick), line});
            y += m_tick;
        }
        return top - 4.0;
    }

    // Uses as many ticks as possible without touching labels.
    void chooseXAxis()
    {
        int maxTicks = 10;
        do {
            m_layout.xAxis = m_chart.x.ticks(maxTicks);
        } while (labelsTouch() && --maxTicks >= 2);
    }

    bool labelsTouch() const
    {
        double end = -1e9;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double half = widthOf(toQt(tick.label)) / 2;
            const double centre = m_layout.at(tick.value, 0.0).x();
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    static QRectF around(QPointF centre, double size)
    {
        const QPointF reach(size / 2 + 1.0, size / 2 + 1.0);
        return {centre - reach, centre + reach};
    }

    // The first and the last design of the front, and evenly spaced ones between them.
    std::vector<std::size_t> named() const
    {
        const std::size_t count = std::min(m_chart.front.size(), kMaxNames);
        std::vector<std::size_t> named;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = count == 1 ? 0 : i * (m_chart.front.size() - 1) / (count - 1);
            named.push_back(m_chart.front[place]);
        }
        return named;
    }

    void placeNames()
    {
        if (m_area.height() < kNamesFrom * m_style.lineHeight()) {
            return;
        }
        LabelPlaces places(m_layout.plot.adjusted(1.0, 1.0, -1.0, -1.0));
        for (const ParetoPoint& point : m_chart.points) {
            places.blockDot(
                around(m_layout.at(point.x, point.y), point.onFront ? kWinnerDot : kBeatenDot));
        }
        for (std::size_t i = 1; i < m_chart.steps.size(); ++i) {
            places.block(QLineF(m_layout.at(m_chart.steps[i - 1].x, m_chart.steps[i - 1].y),
                                m_layout.at(m_chart.steps[i].x, m_chart.steps[i].y)));
        }
        if (m_chart.present) {
            const QPointF centre = m_layout.at(m_chart.present->x, m_chart.present->y);
            places.blockDot(around(centre, kPresentRing));
            placeName(places, centre, kPresentRing / 2, Charts::tr("this design"));
        }
        for (const std::size_t index : named()) {
            const ParetoPoint& point = m_chart.points[index];
            placeName(places, m_layout.at(point.x, point.y), kWinnerDot / 2, toQt(point.brief));
        }
    }

    void placeName(LabelPlaces& places, QPointF dot, double radius, const QString& text)
    {
        const QSizeF size(widthOf(text), m_tick - 2.0);
        if (const auto place = places.beside(dot, radius, size)) {
            m_layout.names.push_back({place->rect, text, place->leader});
        }
    }

    const ParetoChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_line;
    double m_tick;
    ParetoLayout m_layout;
};

} // namespace

QPointF ParetoLayout::at(double x, double y) const
{
    return {plot.left() + xAxis.share(x) * plot.width(),
            plot.bottom() - yAxis.share(y) * plot.height()};
}

ParetoLayout paretoLayout(const ParetoChart& chart, const QRectF& area, const ChartStyle& style)
{
    return ParetoLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
