// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_layout.h"

#include "ui/charts/base/text_lines.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kEntryGap = 20.0; ///< between entries of the legend
constexpr double kNarrowEntryGap = 12.0;
constexpr double kLinesForEverything =
    20.0; ///< from this height on a measured chart shows everything
constexpr double kWrapLines = 16.0; ///< and for a second line of the caption
constexpr double kCaptionLines = 11.0; ///< below this the plot needs the caption's line

/// Finds the places of a scaling chart's parts.
class ScalingLayouter
{
public:
    ScalingLayouter(const ScalingChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    ScalingLayout layout()
    {
        const double line = m_style.lineHeight();
        const double tick = m_style.lineHeight(0.9);
        m_isBrief = isLow() && !fullNamesFit();
        double bottom = m_area.bottom();
        bottom = placeNotes(bottom);
        bottom = placeCaption(bottom);
        bottom = placeLegend(bottom);
        const double plotBottom = bottom - tick - 6.0 - line;
        const double plotTop = m_area.top() + line + 8.0;
        const double height = std::max(20.0, plotBottom - plotTop);

        m_layout.yAxis = m_chart.yAxis(std::max(2, static_cast<int>(height / (tick * 1.7))));
        const double labels = widest(m_layout.yAxis);
        const double left = m_area.left() + labels + 8.0;
        double right = m_area.right() - 14.0; // space for half of the last tick's label
        if (hasMeasured()) {
            m_layout.measuredAxis = m_chart.measuredAxis(
                m_layout.yAxis, std::max(2, static_cast<int>(height / (tick * 1.7))));
            right = m_area.right() - std::max(14.0, widest(m_layout.measuredAxis) + 8.0);
        }
        m_layout.plot = QRectF(left, plotTop, std::max(20.0, right - left), height);
        chooseXAxis();
        placeTitles(line);
        m_layout.xTitle = QRectF(left, plotBottom + tick + 6.0, right - left, line);
        return std::move(m_layout);
    }

private:
    double placeNotes(double bottom)
    {
        if (m_chart.notes.empty() || m_area.height() < 14.0 * m_style.lineHeight()) {
            return bottom;
        }
        const double height = m_style.lineHeight(0.85);
        m_layout.notes = QRectF(m_area.left(), bottom - height, m_area.width(), height);
        return bottom - height - 2.0;
    }

    // In a low plot, measurements must not take its last lines: then the legend has only names in
    // one row, and the slopes are the last clauses of the caption.
    bool isLow() const { return hasMeasured() && heightInLines() < kLinesForEverything; }

    double heightInLines() const { return m_area.height() / m_style.lineHeight(); }

    // With the usual gap between entries, or with a narrow one if that saves a row.
    double placeLegend(double bottom)
    {
        std::vector<ScalingLayout::LegendEntry> usual = legendRows(kEntryGap);
        std::vector<ScalingLayout::LegendEntry> narrow = legendRows(kNarrowEntryGap);
        const bool saves = !usual.empty() && narrow.back().rect.top() < usual.back().rect.top();
        m_layout.legend = std::move(saves ? narrow : usual);
        const double used = m_layout.legend.empty() ? 0.0 : m_layout.legend.back().rect.bottom();
        for (ScalingLayout::LegendEntry& entry : m_layout.legend) {
            entry.rect.translate(0, bottom - used);
        }
        return bottom - used - (used > 0.0 ? 6.0 : 0.0);
    }

    // Whether one row holds all names, and one line the first clause about the measurements.
    bool fullNamesFit() const
    {
        const auto rows = legendRows(kNarrowEntryGap);
        const QString caption = toQt(m_chart.measured->caption).section(QStringLiteral("; "), 0, 0);
        return rows.back().rect.top() == rows.front().rect.top()
            && textWidth(m_style.font(kLegendTextSize), caption) <= m_area.width();
    }

    // As many entries in a row as fit; the slope is dropped if not even one fits. From 0 on.
    std::vector<ScalingLayout::LegendEntry> legendRows(double gap) const
    {
        std::vector<ScalingLayout::LegendEntry> entries;
        const double height = m_style.lineHeight(kLegendTextSize) + 2.0;
        double x = m_area.left();
        double y = 0.0;
        for (std::size_t i = 0; i < m_chart.curves.size(); ++i) {
            const ScalingCurve& curve = m_chart.curves[i];
            ScalingLayout::LegendEntry entry{.title = toQt(m_isBrief ? curve.brief : curve.title),
                                             .slope = toQt(curve.slopeText),
                                             .measured = measuredSlope(i),
                                             .hasPoints = hasPoints(i)};
            if (isLow()) {
                entry.slope.clear();
                entry.measured.clear();
            }
            double width = entryWidth(entry);
            if (width > m_area.width()) {
                entry.slope.clear();
                entry.measured.clear();
                width = std::min(entryWidth(entry), m_area.width());
            }
            if (x > m_area.left() && x + width > m_area.right()) {
                x = m_area.left();
                y += height;
            }
            entry.rect = QRectF(x, y, width, height);
            x += width + gap;
            entries.push_back(std::move(entry));
        }
        return entries;
    }

    bool hasPoints(std::size_t curve) const
    {
        return m_chart.measured && curve < m_chart.measured->curves.size()
            && !m_chart.measured->curves[curve].points.empty();
    }

    // "slopes measured 1.02, 1.03; computed 1.01, 1.03"
    QString slopesText() const
    {
        QStringList measured;
        QStringList computed;
        for (std::size_t i = 0; i < m_chart.curves.size(); ++i) {
            if (!measuredSlope(i).isEmpty() && m_chart.curves[i].slope) {
                measured << QString::number(*m_chart.measured->curves[i].slope, 'f', 2);
                computed << QString::number(*m_chart.curves[i].slope, 'f', 2);
            }
        }
        return measured.isEmpty()
            ? QString()
            : Charts::tr("slopes measured %1; computed %2")
                  .arg(measured.join(QStringLiteral(", ")), computed.join(QStringLiteral(", ")));
    }

    QString captionText() const
    {
        const MeasuredScaling& measured = *m_chart.measured;
        QStringList clauses{toQt(m_isBrief ? measured.briefCaption : measured.caption)};
        if (isLow()) {
            clauses << slopesText();
        }
        clauses.removeAll(QString());
        return clauses.join(QStringLiteral("; "));
    }

    QString measuredSlope(std::size_t curve) const
    {
        const bool has = m_chart.measured && curve < m_chart.measured->curves.size();
        return has ? toQt(m_chart.measured->curves[curve].slopeText) : QString();
    }

    double entryWidth(const ScalingLayout::LegendEntry& entry) const
    {
        const double slope = entry.slope.isEmpty()
            ? 0.0
            : 7.0 + textWidth(m_style.font(kLegendTextSize), entry.slope);
        const double measured = entry.measured.isEmpty()
            ? 0.0
            : 7.0 + kPointSample + textWidth(m_style.font(kLegendTextSize), entry.measured);
        return kLineSample + 7.0
            + textWidth(m_style.font(kLegendTextSize, QFont::Medium), entry.title) + slope
            + measured;
    }

    bool hasMeasured() const { return m_chart.measured && !m_chart.measured->empty(); }

    void placeTitles(double line)
    {
        m_layout.yTitle = QRectF(m_area.left(), m_area.top(), m_area.width(), line);
        if (hasMeasured()) {
            const double width =
                textWidth(m_style.font(0.92), toQt(m_chart.measured->title)) + kPointSample + 4.0;
            m_layout.yTitle.setRight(m_area.right() - width - 12.0);
            m_layout.measuredTitle = QRectF(m_area.right() - width, m_area.top(), width, line);
        }
    }

    // In two lines at most, or in one if the plot would become too low; the last clauses are
    // dropped.
    double placeCaption(double bottom)
    {
        if (!m_chart.measured || captionText().isEmpty() || heightInLines() < kCaptionLines) {
            return bottom;
        }
        const QStringList lines = clauseLines(captionText(),
                                              QStringLiteral("; "),
                                              m_style.font(kLegendTextSize),
                                              m_area.width(),
                                              heightInLines() < kWrapLines ? 1 : 2);
        const double height = m_style.lineHeight(kLegendTextSize);
        bottom -= height * static_cast<double>(lines.size());
        for (int i = 0; i < lines.size(); ++i) {
            m_layout.captionLines.emplace_back(
                m_area.left(), bottom + i * height, m_area.width(), height);
        }
        m_layout.caption = lines;
        return bottom - 2.0;
    }

    double widest(const TickAxis& axis) const
    {
        double widest = 0.0;
        for (const Tick& tick : axis.ticks) {
            widest = std::max(widest, textWidth(m_style.font(0.9), toQt(tick.label)));
        }
        return widest;
    }

    // Uses as many ticks as possible without touching labels.
    void chooseXAxis()
    {
        int maxTicks = 14;
        do {
            m_layout.xAxis = m_chart.xAxis(maxTicks);
        } while (xLabelsTouch() && --maxTicks >= 2);
    }

    bool xLabelsTouch() const
    {
        const QFont font = m_style.font(0.9);
        double end = -1e9;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double centre = xOf(tick);
            const double half = textWidth(font, toQt(tick.label)) / 2;
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    double xOf(const Tick& tick) const
    {
        const TickAxis& axis = m_layout.xAxis;
        return m_layout.plot.left()
            + (tick.position - axis.low) / (axis.high - axis.low) * m_layout.plot.width();
    }

    const ScalingChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    bool m_isBrief = false; ///< the model has its short name
    ScalingLayout m_layout;
};

} // namespace

QPointF ScalingLayout::at(const ScalingPoint& point) const
{
    return {plot.left() + xAxis.share(point.x) * plot.width(),
            plot.bottom() - yAxis.share(point.y) * plot.height()};
}

ScalingLayout scalingLayout(const ScalingChart& chart, const QRectF& area, const ChartStyle& style)
{
    return ScalingLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
