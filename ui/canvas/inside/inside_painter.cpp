// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_painter.h"

#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr qreal kInsideRadius = 4.0;
constexpr qreal kInsideFrameRadius = 7.0;
constexpr qreal kInsideEdge = 4.0; // the coloured left edge of a box
constexpr qreal kInsideMinBar = 3.0; // pixels, so that a small cost is visible
constexpr qreal kStreamWidth = 5.0;
constexpr qreal kWireWidth = 1.3;

/// Draws one block with the painter.
class InsidePainting
{
public:
    InsidePainting(QPainter& painter, const InsidePicture& picture, const Theme& theme)
        : m_painter(painter)
        , m_picture(picture)
        , m_theme(theme)
        , m_font(painter.font())
        , m_strong(painter.font())
    {
        m_strong.setWeight(QFont::DemiBold);
    }

    void draw(const InsideGeometry& geometry, const InsideLook& look)
    {
        drawStream(geometry);
        for (std::size_t i = 0; i < geometry.frames.size(); ++i) {
            drawInsideFrame(geometry.frames[i], look, static_cast<int>(i) == look.frame);
        }
        for (const InsideWire& wire : geometry.wires) {
            drawWire(wire);
        }
        const std::vector<const InsideStep*> operations = operationsOf(m_picture);
        for (std::size_t i = 0; i < geometry.boxes.size() && i < operations.size(); ++i) {
            const bool selected = static_cast<int>(i) == look.selected;
            drawOperation(geometry.boxes[i],
                          *operations[i],
                          look.measure,
                          selected,
                          selected && look.focused);
        }
        for (const InsideLabel& label : geometry.labels) {
            text(label.rect, label.text, m_theme.mutedText);
        }
        for (const InsidePoint& join : geometry.joins) {
            drawJoin(join);
        }
    }

private:
    void text(const InsideRect& rect,
              const std::string& shown,
              const QColor& pen,
              Qt::Alignment alignment = Qt::AlignLeft)
    {
        if (rect.width >= 4.0) {
            const QFont font = m_painter.font();
            m_painter.setPen(pen);
            drawText(m_painter,
                     rectOf(rect),
                     alignment | Qt::AlignVCenter,
                     font,
                     elided(font, fromUtf8(shown), rect.width + 1.0));
        }
    }

    void drawStream(const InsideGeometry& geometry)
    {
        m_painter.fillRect(QRectF(geometry.streamX - kStreamWidth / 2.0,
                                  geometry.streamTop,
                                  kStreamWidth,
                                  geometry.streamBottom - geometry.streamTop),
                           m_theme.mutedText);
    }

    void drawInsideFrame(const InsideFrame& frame, const InsideLook& look, bool selected)
    {
        m_painter.setPen(selected ? QPen(m_theme.accent, look.focused ? 2.0 : 1.5)
                                  : QPen(lineColour(*frame.component, m_theme), 1.2));
        m_painter.setBrush(selected ? m_theme.accentSoft : m_theme.field);
        m_painter.drawRoundedRect(rectOf(frame.rect).adjusted(0.5, 0.5, -0.5, -0.5),
                                  kInsideFrameRadius,
                                  kInsideFrameRadius);
        m_painter.setFont(m_strong);
        text(frame.title, frame.text, m_theme.text);
        m_painter.setFont(m_font);
        if (!frame.valueText.empty()) {
            text(frame.value, frame.valueText, m_theme.mutedText, Qt::AlignRight);
            drawMeasure(frame.bar, frame.share, colour(*frame.component));
        }
    }

    void drawWire(const InsideWire& wire)
    {
        QPolygonF line;
        for (const InsidePoint& point : wire.points) {
            line << QPointF(point.x, point.y);
        }
        m_painter.setPen(QPen(m_theme.mutedText, kWireWidth));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(line);
    }

    // A circle with a plus: what comes back is added.
    void drawJoin(const InsidePoint& centre)
    {
        const QPointF middle(centre.x, centre.y);
        const qreal arm = kInsideJoinRadius - 3.0;
        m_painter.setPen(QPen(m_theme.text, kWireWidth));
        m_painter.setBrush(m_theme.panel);
        m_painter.drawEllipse(middle, kInsideJoinRadius, kInsideJoinRadius);
        m_painter.drawLine(middle - QPointF(arm, 0.0), middle + QPointF(arm, 0.0));
        m_painter.drawLine(middle - QPointF(0.0, arm), middle + QPointF(0.0, arm));
    }

    void drawOperation(const InsideBox& box,
                       const InsideStep& operation,
                       InsideMeasure measure,
                       bool selected,
                       bool focused)
    {
        const bool hatched = operation.cost.uncounted && measure == InsideMeasure::flops;
        drawBody(box, *operation.component, hatched, selected, focused);
        text(box.title, box.text, m_theme.text);
        text(box.value,
             insideValue(m_picture, operation, measure),
             m_theme.mutedText,
             Qt::AlignRight);
        drawMeasure(box.bar, box.share, colour(*operation.component));
    }

    // Hatched where the lens does not count what is executed.
    void drawBody(const InsideBox& box,
                  const Component& component,
                  bool hatched,
                  bool selected,
                  bool focused)
    {
        const QRectF rect = rectOf(box.rect);
        const QRectF inner = rect.adjusted(0.5, 0.5, -0.5, -0.5);
        m_painter.setPen(selected ? QPen(m_theme.accent, focused ? 2.0 : 1.5)
                                  : QPen(m_theme.fieldBorder));
        m_painter.setBrush(selected ? m_theme.accentSoft : m_theme.panel);
        m_painter.drawRoundedRect(inner, kInsideRadius, kInsideRadius);
        m_painter.setPen(Qt::NoPen);
        if (hatched) {
            m_painter.setBrush(QBrush(m_theme.fieldBorder, Qt::BDiagPattern));
            m_painter.drawRoundedRect(inner, kInsideRadius, kInsideRadius);
        }
        m_painter.setBrush(colour(component));
        m_painter.drawRoundedRect(
            QRectF(rect.left(), rect.top(), kInsideEdge, rect.height()), 2.0, 2.0);
    }

    void drawMeasure(const InsideRect& rect, double share, const QColor& fill)
    {
        QRectF bar = rectOf(rect);
        const qreal radius = bar.height() / 2.0;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.groove);
        m_painter.drawRoundedRect(bar, radius, radius);
        if (share > 0.0) {
            bar.setWidth(std::max(kInsideMinBar, bar.width() * share));
            m_painter.setBrush(fill);
            const qreal round = std::min(radius, bar.width() / 2.0);
            m_painter.drawRoundedRect(bar, round, round);
        }
    }

    QPainter& m_painter;
    const InsidePicture& m_picture;
    const Theme& m_theme;
    QFont m_font;
    QFont m_strong;
};

} // namespace

void paintInside(QPainter& painter,
                 const InsidePicture& picture,
                 const InsideGeometry& geometry,
                 const InsideLook& look,
                 const Theme& theme)
{
    InsidePainting(painter, picture, theme).draw(geometry, look);
}

InsideFont insideFont(const QFont& font)
{
    QFont strong = font;
    strong.setWeight(QFont::DemiBold); // the widest that is drawn
    return {.line = std::ceil(QFontMetricsF(font).height()),
            .width = [strong](std::string_view text) { return textWidth(strong, fromUtf8(text)); }};
}

QRectF rectOf(const InsideRect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

} // namespace flopsmith::ui
