// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/drawing.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kHatchGap = 6.0;
constexpr double kHatchSample = 1.5; ///< how finely a line's ends inside a shape are found

// The parts of a line that lie inside a path. Painter clips do not reach SVG files, so the pattern
// itself ends at the edge.
void addInside(QPainterPath& lines, const QPainterPath& area, QPointF from, QPointF to)
{
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    const int steps = std::max(1, static_cast<int>(length / kHatchSample));
    bool inside = false;
    for (int i = 0; i <= steps; ++i) {
        const QPointF point = from + way * (static_cast<double>(i) / steps);
        const bool now = area.contains(point);
        if (now && !inside) {
            lines.moveTo(point);
        } else if (now) {
            lines.lineTo(point);
        }
        inside = now;
    }
}

// Parallel lines of a direction over the path, at the same places for neighbouring shapes.
void addLines(QPainterPath& lines, const QPainterPath& area, QPointF direction)
{
    const QRectF box = area.boundingRect();
    const QPointF normal(-direction.y(), direction.x());
    const std::array<QPointF, 4> corners{
        box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()};
    double low = 1e9;
    double high = -1e9;
    for (const QPointF& corner : corners) {
        const double distance = QPointF::dotProduct(corner, normal);
        low = std::min(low, distance);
        high = std::max(high, distance);
    }
    const double reach = box.width() + box.height();
    const double middle = QPointF::dotProduct(box.center(), direction);
    for (double at = std::ceil(low / kHatchGap) * kHatchGap; at <= high; at += kHatchGap) {
        const QPointF centre = normal * at + direction * middle;
        addInside(lines, area, centre - direction * reach / 2, centre + direction * reach / 2);
    }
}

void addDots(QPainterPath& dots, const QPainterPath& area)
{
    const QRectF box = area.boundingRect();
    if (box.width() < 2 * kHatchGap && box.height() < 2 * kHatchGap) { // a swatch has one dot
        dots.addEllipse(box.center(), 1.8, 1.8);
        return;
    }
    for (double y = std::ceil(box.top() / kHatchGap) * kHatchGap; y < box.bottom();
         y += kHatchGap) {
        for (double x = std::ceil(box.left() / kHatchGap) * kHatchGap; x < box.right();
             x += kHatchGap) {
            if (area.contains({x, y})) {
                dots.addEllipse(QPointF(x, y), 1.1, 1.1);
            }
        }
    }
}

void paintHatch(QPainter& painter, const Shape& shape, const QColor& colour)
{
    constexpr double kHalf = 0.70710678;
    QPainterPath pattern;
    switch (shape.hatch) {
    case Hatch::none: return;
    case Hatch::dots:
        addDots(pattern, shape.path);
        painter.fillPath(pattern, colour);
        return;
    case Hatch::forward: addLines(pattern, shape.path, {kHalf, -kHalf}); break;
    case Hatch::backward: addLines(pattern, shape.path, {kHalf, kHalf}); break;
    case Hatch::horizontal: addLines(pattern, shape.path, {1.0, 0.0}); break;
    case Hatch::vertical: addLines(pattern, shape.path, {0.0, 1.0}); break;
    case Hatch::cross:
        addLines(pattern, shape.path, {kHalf, -kHalf});
        addLines(pattern, shape.path, {kHalf, kHalf});
        break;
    }
    painter.strokePath(pattern, QPen(colour, 1.2));
}

QPen scaledPen(QPen pen, double factor)
{
    if (factor != 1.0) {
        pen.setWidthF(pen.widthF() * factor);
    }
    return pen;
}

} // namespace

QFont ChartStyle::font(double relativeSize, QFont::Weight weight) const
{
    QFont font = uiFont(0.0, weight);
    font.setPixelSize(
        std::max(7, static_cast<int>(std::lround(textPixels * relativeSize * widthScale()))));
    return font;
}

double ChartStyle::lineHeight(double relativeSize) const
{
    return std::ceil(textPixels * relativeSize * 1.35);
}

QString toQt(const std::string& utf8)
{
    return toQt(std::string_view(utf8));
}

QString toQt(std::string_view utf8)
{
    QString text = QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
    for (QChar& character : text) {
        if (character < QLatin1Char(' ') && character != QLatin1Char('\n')) {
            character = QLatin1Char(' ');
        }
    }
    return text;
}

void Drawing::fill(const QPainterPath& path, const Component& component, HatchUse use)
{
    shapes.push_back({path, Qt::NoPen, colour(component), component.hatch, use});
}

void Drawing::fill(const QRectF& rect, double radius, const Component& component, HatchUse use)
{
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    fill(path, component, use);
}

void Drawing::fill(const QRectF& rect, double radius, const QColor& colour)
{
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    shapes.push_back({path, Qt::NoPen, colour});
}

void Drawing::outline(const QRectF& rect, double radius, const QPen& pen)
{
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    shapes.push_back({path, pen, Qt::NoBrush});
}

void Drawing::line(QPointF from, QPointF to, const QPen& pen)
{
    QPainterPath path(from);
    path.lineTo(to);
    shapes.push_back({path, pen, Qt::NoBrush});
}

void Drawing::write(const QRectF& rect,
                    const QString& text,
                    const QFont& font,
                    const QColor& colour,
                    Qt::Alignment alignment,
                    const std::optional<AxisTick>& tick)
{
    const QString shown = elided(font, text, rect.width());
    if (!shown.isEmpty()) {
        labels.push_back({rect, shown, font, colour, alignment, tick});
    }
}

void Drawing::paint(QPainter& painter, const ChartStyle& style) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    for (const Shape& shape : shapes) {
        painter.setPen(scaledPen(shape.pen, style.scale.lines));
        painter.setBrush(shape.brush);
        painter.drawPath(shape.path);
        if (style.hatching || shape.hatchUse == HatchUse::always) {
            paintHatch(painter, shape, style.theme.panel);
        }
    }
    for (const Label& label : labels) {
        painter.setPen(label.colour);
        drawText(painter, label.rect, label.alignment, label.font, label.text);
    }
    painter.restore();
}

} // namespace flopsmith::ui
