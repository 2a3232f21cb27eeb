// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint/stack_painter.h"

#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr qreal kFrameRadius = 7.0;
constexpr qreal kPartRadius = 4.0;
constexpr qreal kPartEdge = 4.0;
constexpr qreal kMinBar = 3.0; // pixels, so that a small cost is visible

void write(QPainter& painter,
           const QRectF& place,
           const QString& shown,
           const QColor& pen,
           Qt::Alignment alignment = Qt::AlignLeft)
{
    if (place.width() < 4.0) {
        return;
    }
    const QFont font = painter.font();
    painter.setPen(pen);
    drawText(painter, place, alignment, font, elided(font, shown, place.width() + 1.0));
}

// Shrinks by half a pixel, so that a line of one pixel is sharp.
QRectF crisp(const QRectF& rect)
{
    return QRectF(rect.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5);
}

// Draws a rounded box and its border as one filled shape inside another, because stroking takes
// three times as long.
void drawRounded(QPainter& painter,
                 const QRectF& rect,
                 qreal radius,
                 const QPen& border,
                 const QColor& inside)
{
    if (border.style() != Qt::SolidLine) {
        painter.setPen(border);
        painter.setBrush(inside);
        painter.drawRoundedRect(rect, radius, radius);
        return;
    }
    const qreal half = border.widthF() / 2.0;
    const auto fill = [&](qreal by, const QColor& colour) {
        painter.setBrush(colour);
        painter.drawRoundedRect(rect.adjusted(-by, -by, by, by), radius + by, radius + by);
    };
    painter.setPen(Qt::NoPen);
    fill(half, border.color());
    fill(-half, inside);
}

void drawFrame(QPainter& painter, const QRectF& frame, const RowLook& look, const Theme& theme)
{
    const bool lit = look.selected || look.dropRow;
    drawRounded(painter,
                crisp(frame),
                kFrameRadius,
                lit ? QPen(theme.accent, look.focused ? 2.0 : 1.5) : QPen(theme.fieldBorder),
                look.selected ? theme.accentSoft : theme.field);
}

constexpr float kMutedOpacity = 0.35F; // of what is coloured

void drawEdge(QPainter& painter, const QRectF& box, const StackPart& part)
{
    QColor edge = colour(*part.component);
    edge.setAlphaF(part.muted ? kMutedOpacity : 1.0F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(edge);
    painter.drawRoundedRect(
        QRectF(box.left(), box.top(), kPartEdge, box.height()), kPartEdge / 2, kPartEdge / 2);
}

void drawBar(QPainter& painter,
             const CostBar& bar,
             const PartGeometry& geometry,
             const Theme& theme)
{
    const qreal radius = geometry.bar.height() / 2.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.groove);
    painter.drawRoundedRect(geometry.bar, radius, radius);
    if (bar.value > 0.0) {
        QRectF filled = geometry.bar;
        filled.setWidth(std::max(kMinBar, geometry.bar.width() * bar.share));
        painter.setBrush(colour(*bar.component));
        const qreal round = std::min(radius, filled.width() / 2.0);
        painter.drawRoundedRect(filled, round, round);
    }
    write(painter, geometry.value, fromUtf8(bar.text), theme.mutedText, Qt::AlignRight);
}

const QColor& titleColour(const StackPart& part, const Theme& theme)
{
    return part.muted ? theme.mutedText : theme.text;
}

void drawChips(QPainter& painter,
               const StackPart& part,
               const PartGeometry& geometry,
               const Theme& theme)
{
    const QFont font = painter.font();
    painter.setFont(chipFont(font));
    for (std::size_t i = 0; i < geometry.chips.size(); ++i) {
        const StageChip& chip = part.chips[i];
        drawRounded(painter,
                    crisp(geometry.chips[i]),
                    kPartRadius,
                    part.muted ? QPen(theme.fieldBorder, 1.0, Qt::DashLine)
                               : QPen(lineColour(*chip.component, theme), 1.2),
                    theme.field);
        write(painter,
              geometry.chips[i],
              fromUtf8(chip.shortTitle),
              titleColour(part, theme),
              Qt::AlignHCenter);
    }
    painter.setFont(font);
}

void drawBox(QPainter& painter,
             const StackPart& part,
             const PartGeometry& geometry,
             bool target,
             const Theme& theme)
{
    const QPen border(theme.fieldBorder, 1.0, part.muted ? Qt::DashLine : Qt::SolidLine);
    drawRounded(painter,
                crisp(geometry.box),
                kPartRadius,
                target ? QPen(theme.accent, 1.5, Qt::DashLine) : border,
                target           ? theme.accentSoft
                    : part.muted ? theme.field
                                 : theme.panel);
    drawEdge(painter, geometry.box, part);
}

// The detail with labels, or with symbols where the labels do not fit.
QString fittingDetail(const StackPart& part, qreal width, const QFont& font)
{
    const QString detail = fromUtf8(part.detail);
    const bool fits = textWidth(font, detail) <= width + 1.0;
    return fits || part.shortDetail.empty() ? detail : fromUtf8(part.shortDetail);
}

} // namespace

QFont titleFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont chipFont(const QFont& font)
{
    QFont small = font;
    if (font.pixelSize() > 0) {
        small.setPixelSize(std::max(9, font.pixelSize() - 2));
    } else {
        small.setPointSizeF(font.pointSizeF() * 0.86);
    }
    return small;
}

void paintRow(QPainter& painter,
              const StackRow& row,
              const RowGeometry& geometry,
              const RowLook& look,
              const Theme& theme)
{
    const bool run = row.kind == StackRow::Kind::run;
    const QFont font = painter.font();
    drawFrame(painter, geometry.frame, look, theme);
    if (run) {
        painter.setFont(titleFont(font));
        write(painter, geometry.title, fromUtf8(row.title), theme.text);
        write(painter,
              geometry.repeat,
              look.dropText.isEmpty() ? fromUtf8(row.repeatText) : look.dropText,
              look.selected || look.dropRow ? theme.accent : theme.mutedText,
              Qt::AlignRight);
    }
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        painter.setFont(font);
        if (run) {
            drawBox(painter,
                    row.parts[i],
                    geometry.parts[i],
                    look.dropPart == static_cast<int>(i),
                    theme);
        }
        drawBar(painter, row.parts[i].bar, geometry.parts[i], theme);
        painter.setFont(run ? font : titleFont(font));
        write(painter,
              geometry.parts[i].title,
              fromUtf8(row.parts[i].title),
              titleColour(row.parts[i], theme));
        painter.setFont(font);
        write(painter,
              geometry.parts[i].detail,
              fittingDetail(row.parts[i], geometry.parts[i].detail.width(), font),
              theme.mutedText);
        drawChips(painter, row.parts[i], geometry.parts[i], theme);
    }
}

void paintPattern(QPainter& painter,
                  const StackPattern& pattern,
                  const PatternGeometry& geometry,
                  const QString& title,
                  bool selected,
                  const Theme& theme)
{
    const QFont font = painter.font();
    const QColor& line = selected ? theme.accent : theme.fieldBorder;
    drawRounded(painter, crisp(geometry.frame), kFrameRadius, QPen(line), theme.panel);
    if (geometry.badge.isEmpty()) {
        return; // no room for text
    }
    write(painter, geometry.title, title, selected ? theme.text : theme.mutedText);
    drawRounded(painter, crisp(geometry.badge), kPartRadius, QPen(line), theme.field);
    painter.setFont(titleFont(font));
    write(painter, geometry.badge, fromUtf8(pattern.timesText), theme.text, Qt::AlignHCenter);
    painter.setFont(font);
}

void paintDropZone(QPainter& painter, const QRectF& place, bool lit, const Theme& theme)
{
    painter.setPen(QPen(lit ? theme.accent : theme.fieldBorder, lit ? 1.5 : 1.2, Qt::DashLine));
    painter.setBrush(lit ? QBrush(theme.accentSoft) : Qt::NoBrush);
    painter.drawRoundedRect(crisp(place), kFrameRadius, kFrameRadius);
    if (place.height() < painter.fontMetrics().ascent()) {
        return; // the zoom leaves no room for a text
    }
    painter.setPen(lit ? theme.accent : theme.mutedText);
    painter.drawText(
        place, Qt::AlignCenter, QCoreApplication::translate("StackView", "drop a block here"));
}

} // namespace flopsmith::ui
