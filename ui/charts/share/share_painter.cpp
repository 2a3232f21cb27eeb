// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share/share_painter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith::ui {
namespace {

/// Draws one donut with its captions.
class DonutPainter
{
public:
    DonutPainter(Drawing& drawing,
                 const Donut& donut,
                 std::span<const LegendRow> rows,
                 const DonutPlace& place,
                 const ChartStyle& style)
        : m_drawing(drawing)
        , m_donut(donut)
        , m_rows(rows)
        , m_place(place)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        if (m_donut.empty()) {
            addEmptyRing();
        } else {
            addSlices();
            addGap();
            addSeparators();
            addFigure();
        }
        addCaptions();
    }

private:
    void addEmptyRing()
    {
        QPainterPath ring;
        const double middle = (m_place.radius + m_place.hole) / 2;
        ring.addEllipse(circle(m_place.centre, middle));
        const QPen pen(m_theme.groove, 1.5, Qt::DashLine);
        m_drawing.shapes.push_back({ring, pen, Qt::NoBrush});
        // Two or three words on separate lines; in the unit's place if the ring is too small.
        const QStringList words = toQt(m_donut.emptyText).split(QLatin1Char(' '));
        const double height = m_style.lineHeight(0.85);
        QRectF row = circle(m_place.centre, m_place.hole * 0.94);
        const bool fits = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return textWidth(m_style.font(0.85), word) <= row.width();
        });
        if (!fits && !m_place.unit.isEmpty()) {
            m_drawing.write(m_place.unit,
                            toQt(m_donut.emptyText),
                            m_style.font(0.88),
                            m_theme.mutedText,
                            Qt::AlignCenter);
            return;
        }
        row.setTop(m_place.centre.y() - height * static_cast<double>(words.size()) / 2);
        row.setHeight(height);
        for (const QString& word : words) {
            m_drawing.write(row, word, m_style.font(0.85), m_theme.mutedText, Qt::AlignCenter);
            row.translate(0, height);
        }
    }

    void addSlices()
    {
        const std::vector<Arc> all = arcs(m_donut);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Component& component = *m_donut.slices[i].component;
            m_drawing.fill(ringPart(m_place, all[i], m_place.hole, m_place.radius),
                           component,
                           hatchUse(component, m_rows));
        }
        if (m_donut.origin == Origin::measured) { // a second line marks measured times
            QPainterPath line;
            line.addEllipse(circle(m_place.centre, m_place.radius + 3.5));
            QColor ink = m_theme.mutedText;
            ink.setAlphaF(0.55F);
            m_drawing.shapes.push_back({line, QPen(ink, 1.0), Qt::NoBrush});
        }
    }

    // The parts without a value: grey, with a dashed edge.
    void addGap()
    {
        const Arc gap = gapOf(m_donut);
        if (gap.span >= 0.0) {
            return;
        }
        QColor grey = m_theme.groove;
        grey.setAlphaF(0.55F);
        const QPainterPath part = ringPart(m_place, gap, m_place.hole, m_place.radius);
        m_drawing.shapes.push_back({part, QPen(m_theme.mutedText, 1.0, Qt::DashLine), grey});
    }

    // Between slices that are wide enough to spare it.
    void addSeparators()
    {
        constexpr double kMinWidth = 4.0;
        const std::vector<Arc> all = arcs(m_donut);
        const auto width = [this](const Arc& arc) {
            return -arc.span * std::numbers::pi / 180.0 * m_place.radius;
        };
        for (std::size_t i = 0; all.size() > 1 && i < all.size(); ++i) {
            const Arc& before = all[i == 0 ? all.size() - 1 : i - 1];
            if (width(all[i]) > kMinWidth && width(before) > kMinWidth) {
                m_drawing.line(onCircle(m_place.centre, all[i].start, m_place.hole - 0.5),
                               onCircle(m_place.centre, all[i].start, m_place.radius + 0.5),
                               QPen(m_theme.panel, 1.6, Qt::SolidLine, Qt::FlatCap));
            }
        }
    }

    void addFigure()
    {
        const QString figure = toQt(m_donut.figure);
        const double width = m_place.hole * 1.72;
        constexpr double kMinFigure = 8.0; // pixels, where large type leaves small donuts
        const double minSize = std::min(0.7, kMinFigure / m_style.textPixels);
        double size = std::clamp(m_place.hole * 0.44 / m_style.textPixels, minSize, 2.4);
        while (size > minSize && textWidth(m_style.font(size, QFont::Bold), figure) > width) {
            size = std::max(minSize, size - 0.1);
        }
        const bool unitInside = m_place.unit.isEmpty();
        const QString range = rangeInside(width);
        const double figureHeight = m_style.lineHeight(size);
        const double unitHeight = unitInside ? m_style.lineHeight(0.88) : 0.0;
        const double rangeHeight = range.isEmpty() ? 0.0 : m_style.lineHeight(0.78);
        QRectF row(m_place.centre.x() - width / 2,
                   m_place.centre.y() - (figureHeight + unitHeight + rangeHeight) / 2,
                   width,
                   figureHeight);
        m_drawing.write(
            row, figure, m_style.font(size, QFont::Bold), m_theme.text, Qt::AlignCenter);
        row.translate(0, figureHeight - 2.0);
        row.setHeight(unitHeight);
        m_drawing.write(unitInside ? row : m_place.unit,
                        toQt(m_donut.unit),
                        m_style.font(0.88),
                        m_theme.mutedText,
                        Qt::AlignCenter);
        row.translate(0, unitHeight);
        row.setHeight(rangeHeight);
        m_drawing.write(row, range, m_style.font(0.78), m_theme.mutedText, Qt::AlignCenter);
    }

    // The range of repeated measurements, if it fits in the hole.
    QString rangeInside(double width) const
    {
        const QString range = toQt(m_donut.rangeText);
        const double lines = m_style.lineHeight(1.2) + 2 * m_style.lineHeight(0.85);
        const bool fits = textWidth(m_style.font(0.78), range) <= 0.92 * width
            && lines <= 1.5 * m_place.hole && m_place.unit.isEmpty();
        return fits ? range : QString();
    }

    void addCaptions()
    {
        const QFont font = m_style.font(1.0, QFont::DemiBold);
        QString title = toQt(m_donut.title);
        const qsizetype comma = title.indexOf(QStringLiteral(", "));
        const bool tooLong = textWidth(font, title) > m_place.caption.width();
        if (comma > 0 && (tooLong || !m_place.subCaption.isEmpty())) { // "computed, exact"
            if (!m_place.subCaption.isEmpty()) {
                m_drawing.write(m_place.subCaption,
                                title.mid(comma + 2),
                                m_style.font(0.85),
                                m_theme.mutedText,
                                Qt::AlignCenter);
            }
            title.truncate(comma);
        }
        m_drawing.write(m_place.caption, title, font, m_theme.text, Qt::AlignCenter);
        if (!m_place.note.isEmpty()) {
            m_drawing.write(m_place.note,
                            toQt(m_donut.note),
                            m_style.font(0.85),
                            m_theme.mutedText,
                            Qt::AlignCenter);
        }
    }

    Drawing& m_drawing;
    const Donut& m_donut;
    std::span<const LegendRow> m_rows;
    const DonutPlace& m_place;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

} // namespace

std::vector<Arc> arcs(const Donut& donut)
{
    std::vector<Arc> all;
    double start = 90.0;
    for (const Slice& slice : donut.slices) {
        all.push_back({start, -360.0 * slice.share});
        start += all.back().span;
    }
    return all;
}

Arc gapOf(const Donut& donut)
{
    Arc gap;
    for (const Arc& arc : arcs(donut)) {
        gap.start += arc.span;
    }
    gap.span = -360.0 * donut.missingShare;
    return gap;
}

QRectF circle(QPointF centre, double radius)
{
    return {centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius};
}

QPainterPath ringPart(const DonutPlace& place, const Arc& arc, double inner, double outer)
{
    QPainterPath path;
    if (arc.span <= -359.999) {
        path.addEllipse(circle(place.centre, outer));
        path.addEllipse(circle(place.centre, inner)); // odd-even: a hole
        return path;
    }
    path.arcMoveTo(circle(place.centre, outer), arc.start);
    path.arcTo(circle(place.centre, outer), arc.start, arc.span);
    path.arcTo(circle(place.centre, inner), arc.start + arc.span, -arc.span);
    path.closeSubpath();
    return path;
}

QPointF onCircle(QPointF centre, double degrees, double radius)
{
    const double angle = degrees * std::numbers::pi / 180.0;
    return centre + QPointF(std::cos(angle), -std::sin(angle)) * radius;
}

void drawDonut(Drawing& drawing,
               const Donut& donut,
               std::span<const LegendRow> rows,
               const DonutPlace& place,
               const ChartStyle& style)
{
    DonutPainter(drawing, donut, rows, place, style).paint();
}

} // namespace flopsmith::ui
