// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "ui/charts/base/clipping.h"
#include "ui/charts/base/label_places.h"
#include "ui/charts/roofline/roofline_figure.h"
#include "ui/charts/roofline/roofline_texts.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kTitleSize = kRooflineTextSize; ///< of points
constexpr double kRooflineGap = 6.0;
constexpr double kRankGap = 22.0; ///< between plot and list
constexpr double kRankRing = 16.0; ///< width that a ring takes
constexpr double kLongestTitle = 190.0; ///< in the list
constexpr double kMinPlot = 210.0; ///< width that the list leaves
constexpr double kSamePlace = 5.0; ///< dots that are closer share one text
constexpr double kDesignRadius = 5.0; ///< half the side of its square
constexpr double kKeyGap = 18.0;

class RooflineLayouter
{
public:
    RooflineLayouter(const RooflineChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    RooflineLayout layout()
    {
        const double line = m_style.lineHeight(0.92);
        const double tick = m_style.lineHeight(kSmallTextSize);
        m_layout.bound = QRectF(m_area.left(), m_area.top(), m_area.width(), line);
        m_layout.yTitle = QRectF(m_area.left(), m_area.top() + line, m_area.width(), tick);
        const double top = m_area.top() + line + tick + 9.0;
        measureRanks();
        const double bottom = placeBelow(top + 2 * tick + 3.0) - 2 * tick - 3.0;
        placePlot(top, std::max(20.0, bottom - top));
        m_layout.xTitle = QRectF(
            m_layout.plot.left(), m_layout.plot.bottom() + tick + 3.0, m_layout.plot.width(), tick);
        placeDots();
        placeRanks();
        placeTexts();
        return std::move(m_layout);
    }

private:
    bool hasMeasured() const
    {
        return std::any_of(m_chart.points.begin(), m_chart.points.end(), [](const auto& point) {
            return point.origin == Origin::measured;
        });
    }

    // From below: notes, the key of rings and dots, the components; as long as the plot keeps at
    // least seven lines. Returns the bottom of the space for axis and plot.
    double placeBelow(double around)
    {
        const double line = m_style.lineHeight(kSmallTextSize);
        double spare = m_area.bottom() - around - 7.0 * line;
        double bottom = m_area.bottom();
        const QStringList notes = noteLines(static_cast<int>(std::max(0.0, spare / line)));
        spare -= line * static_cast<double>(notes.size());
        bottom -= line * static_cast<double>(notes.size());
        double top = bottom;
        for (const QString& note : notes) {
            m_layout.notes.push_back({QRectF(m_area.left(), top, m_area.width(), line), note});
            top += line;
        }
        if (hasMeasured() && spare >= line && keyWidth() <= m_area.width()) {
            bottom -= line;
            spare -= line;
            const QRectF ring(m_area.left(), bottom, keyWidth(0), line);
            m_layout.key = {ring, QRectF(ring.right() + kKeyGap, bottom, keyWidth(1), line)};
        }
        m_layout.legend = flowLegend(entries(), m_area.width(), spare - 2 * kRooflineGap, m_style);
        if (m_layout.legend.height > 0.0) {
            bottom -= m_layout.legend.height + (bottom < m_area.bottom() ? kRooflineGap : 0.0);
            m_layout.legend.translate(m_area.left(), bottom);
        }
        return bottom == m_area.bottom() ? bottom : bottom - kRooflineGap;
    }

    // A long note takes a second line, or loses its last figures.
    QStringList noteLines(int maxLines) const
    {
        QStringList lines;
        for (const std::string& note : m_chart.notes) {
            const int left = maxLines - static_cast<int>(lines.size());
            if (left > 0) {
                lines += clauseLines(toQt(note),
                                     QStringLiteral(", "),
                                     m_style.font(kSmallTextSize),
                                     m_area.width(),
                                     std::min(left, 2));
            }
        }
        return lines;
    }

    double keyWidth() const { return keyWidth(0) + kKeyGap + keyWidth(1); }

    double keyWidth(std::size_t which) const
    {
        return kRooflineKeySign
            + textWidth(m_style.font(kSmallTextSize), rooflineKeyTexts()[which]);
    }

    // Below the list, from top to bottom.
    void placeKeyBelowRanks(double left, double top)
    {
        const double line = m_style.lineHeight(kSmallTextSize);
        const bool fits = left + keyWidth(0) <= m_area.right() + 0.5
            && top + 2.0 * line <= m_layout.xTitle.bottom();
        if (fits && hasMeasured() && m_layout.key[0].isEmpty()) {
            m_layout.key = {QRectF(left, top, keyWidth(0), line),
                            QRectF(left, top + line, keyWidth(1), line)};
        }
    }

    // Components in the order of their time.
    std::vector<FlowEntry> entries() const
    {
        std::vector<FlowEntry> all;
        for (const RooflinePoint& point : m_chart.points) {
            const auto same = std::find_if(all.begin(), all.end(), [&](const FlowEntry& entry) {
                return entry.component->id == point.component->id;
            });
            if (same == all.end()) {
                all.push_back({point.component,
                               point.isDesign ? toQt(point.title) : toQt(point.component->title),
                               {},
                               point.isDesign ? kDesignWeight : point.seconds});
            } else {
                same->weight += point.seconds;
            }
        }
        return all;
    }

    void placePlot(double top, double height)
    {
        const double tick = m_style.lineHeight(kSmallTextSize);
        m_layout.yAxis = m_chart.yAxis(std::max(2, static_cast<int>(height / (tick * 1.6))));
        double labels = 0.0;
        for (const Tick& each : m_layout.yAxis.ticks) {
            labels = std::max(labels, textWidth(m_style.font(kSmallTextSize), toQt(each.label)));
        }
        const double left = m_area.left() + labels + 8.0;
        const double right =
            m_area.right() - m_rankWidth - 14.0; // for half of the last tick's label
        m_layout.plot = QRectF(left, top, std::max(20.0, right - left), height);
        int maxTicks = 12;
        do {
            m_layout.xAxis = m_chart.xAxis(maxTicks);
        } while (ticksTouch() && --maxTicks >= 2);
        placeRoof();
    }

    // The slope begins where it enters the plot: its axes extend as far as the dots need.
    void placeRoof()
    {
        QList<QPointF> corners;
        for (const RooflinePlace& corner : m_chart.roof(m_layout.xAxis)) {
            corners.append(m_layout.at(corner));
        }
        for (const QList<QPointF>& piece : clipped(corners, m_layout.plot)) {
            m_layout.roof.insert(m_layout.roof.end(), piece.begin(), piece.end());
        }
        m_layout.ridgeAt = m_layout.at({m_chart.peaks.ridge(), m_chart.peaks.flopsPerSecond});
        for (const RooflineCeiling& ceiling : m_chart.ceilings) {
            QList<QPointF> ends;
            for (const RooflinePlace& end : m_chart.line(ceiling, m_layout.xAxis)) {
                ends.append(m_layout.at(end));
            }
            const auto pieces = clipped(ends, m_layout.plot);
            const bool seen = !pieces.empty() && pieces.front().size() >= 2;
            m_layout.ceilings.push_back(
                {seen ? QLineF(pieces.front().front(), pieces.front().back()) : QLineF(), {}});
        }
    }

    bool ticksTouch() const
    {
        double end = -1e9;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double half = textWidth(m_style.font(kSmallTextSize), toQt(tick.label)) / 2;
            const double centre = m_layout.at({tick.value, 1.0}).x();
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    void placeDots()
    {
        const double unit = std::min(1.0, m_layout.plot.height() / 180.0);
        for (const RooflinePoint& point : m_chart.points) {
            const double radius = point.isDesign
                ? kDesignRadius
                : 3.2 + 7.5 * unit * std::sqrt(std::clamp(point.share.value_or(0.0), 0.0, 1.0));
            m_layout.dots.push_back({m_layout.at(point.at), radius});
        }
    }

    // The width of the list of the longest operations; 0 if the plot would become too small.
    void measureRanks()
    {
        double title = 0.0;
        for (const RooflinePoint& point : m_chart.points) {
            if (point.labelled) {
                title = std::max(title, sizeOf(toQt(point.title)).width());
                const QString share = toQt(percentText(point.share.value_or(0.0)));
                m_shareWidth = std::max(m_shareWidth, sizeOf(share).width());
            }
        }
        const double others = numberWidth() + kRankRing + 8.0 + m_shareWidth;
        const double key = hasMeasured() ? keyWidth(0) : 0.0; // the key may be below the list
        const double heading = sizeOf(rooflineShareTitle(m_chart.ranked)).width();
        m_rankTitleWidth =
            std::max(std::min(title, kLongestTitle) + 4.0, std::max(key, heading) - others);
        m_rankWidth = kRankGap + others + m_rankTitleWidth;
        if (title == 0.0 || m_area.width() - m_rankWidth < kMinPlot) {
            m_rankWidth = 0.0;
        }
    }

    double numberWidth() const { return sizeOf(QStringLiteral("00")).width(); }

    void placeRanks()
    {
        if (m_rankWidth == 0.0) {
            return;
        }
        const double height = m_style.lineHeight(kTitleSize) + 2.0;
        const double left = m_area.right() - m_rankWidth + kRankGap;
        const double title = left + numberWidth() + kRankRing;
        const double share = m_area.right() - m_shareWidth;
        m_layout.rankTitle =
            QRectF(left, m_layout.yTitle.top(), m_area.right() - left, m_layout.yTitle.height());
        double top = m_layout.plot.top() - 4.0;
        for (std::size_t i = 0; i < m_chart.points.size(); ++i) {
            if (!m_chart.points[i].labelled || top + height > m_layout.xTitle.bottom()) {
                continue;
            }
            m_layout.ranks.push_back({.point = i,
                                      .text = QString::number(m_layout.ranks.size() + 1),
                                      .number = {left, top, numberWidth() - 5.0, height},
                                      .ring = {title - kRankRing / 2 - 2.0, top + height / 2},
                                      .title = {title, top, m_rankTitleWidth, height},
                                      .share = {share, top, m_shareWidth, height}});
            top += height;
        }
        placeKeyBelowRanks(left, top + kRooflineGap);
    }

    // The texts at dots, and the dots: numbers of the list, joined if dots coincide, or otherwise
    // titles.
    std::vector<std::pair<std::size_t, QString>> wantedMarks() const
    {
        std::vector<std::pair<std::size_t, QString>> wanted;
        for (const RooflineLayout::Rank& rank : m_layout.ranks) {
            const QPointF centre = m_layout.dots[rank.point].centre;
            const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const auto& other) {
                return QLineF(m_layout.dots[other.first].centre, centre).length() < kSamePlace;
            });
            if (same == wanted.end()) {
                wanted.emplace_back(rank.point, rank.text);
            } else {
                same->second += QStringLiteral(", ") + rank.text;
            }
        }
        if (m_layout.ranks.empty()) {
            for (std::size_t i = 0; i < m_chart.points.size(); ++i) {
                if (m_chart.points[i].labelled) {
                    wanted.emplace_back(i, toQt(m_chart.points[i].title));
                }
            }
        }
        return wanted;
    }

    void placeTexts()
    {
        LabelPlaces places(m_layout.plot.adjusted(1.0, 1.0, -1.0, -1.0));
        for (std::size_t i = 1; i < m_layout.roof.size(); ++i) {
            places.block(QLineF(m_layout.roof[i - 1], m_layout.roof[i]));
        }
        for (const RooflineLayout::Dot& dot : m_layout.dots) {
            const double reach = dot.radius + 1.0;
            places.blockDot(
                QRectF(dot.centre.x() - reach, dot.centre.y() - reach, 2 * reach, 2 * reach));
        }
        for (const RooflineLayout::Ceiling& ceiling : m_layout.ceilings) {
            if (!ceiling.line.isNull()) {
                places.block(ceiling.line);
            }
        }
        placeRoofTexts(m_chart, m_style, places, m_layout);
        for (const auto& [point, text] : wantedMarks()) {
            const RooflineLayout::Dot& dot = m_layout.dots[point];
            if (const auto place = places.beside(dot.centre, dot.radius, sizeOf(text))) {
                m_layout.marks.push_back({place->rect, text, place->leader});
            }
        }
    }

    QSizeF sizeOf(const QString& text) const { return rooflineTextSize(text, m_style); }

    const RooflineChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_rankWidth = 0.0; ///< with the gap before it; 0: there is no list
    double m_rankTitleWidth = 0.0;
    double m_shareWidth = 0.0;
    RooflineLayout m_layout;
};

} // namespace

QPointF RooflineLayout::at(const RooflinePlace& place) const
{
    return {plot.left() + xAxis.share(place.intensity) * plot.width(),
            plot.bottom() - yAxis.share(place.flopsPerSecond) * plot.height()};
}

RooflineLayout rooflineLayout(const RooflineChart& chart,
                              const QRectF& area,
                              const ChartStyle& style)
{
    return RooflineLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
