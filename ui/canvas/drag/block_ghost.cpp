// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/block_ghost.h"

#include "ui/canvas/drag/drag_painter.h"

#include <QPainter>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr qreal kGhostGap = 4.0; // between the dragged rows
constexpr qreal kHighestGhost = 280.0;

} // namespace

BlockGhost::BlockGhost(const StackSurface& surface, const StackRowPainter& rowPainter)
    : m_surface(surface)
    , m_rowPainter(rowPainter)
{}

void BlockGhost::draw(const std::vector<int>& runs, int grabbedRow, const QPoint& pointer)
{
    const QPointF grabbed = m_surface.mapToScene(pointer);
    drawRows(runs, grabbedRow, grabbed);
    drawFfn(grabbedRow, grabbed);
}

void BlockGhost::drawRows(const std::vector<int>& runs, int grabbedRow, const QPointF& grabbed)
{
    std::vector<QRectF> places;
    std::vector<int> shown;
    qreal above = 0.0;
    for (int row = 0; row < m_surface.stackLayout().rowCount(); ++row) {
        if (std::find(runs.begin(), runs.end(), m_surface.runOf(row)) == runs.end()) {
            continue;
        }
        const QRectF frame = m_surface.geometryOfStack().rows[static_cast<std::size_t>(row)].frame;
        if (row == grabbedRow) {
            const QPointF at = grabbed - frame.topLeft() + QPointF(0.0, above);
            m_hotSpot = (at * m_surface.transform().m22()).toPoint();
        }
        places.push_back(frame);
        shown.push_back(row);
        above += frame.height() + kGhostGap;
    }
    m_rows = pictureOf(places, shown);
    m_hotSpot.setY(std::min(m_hotSpot.y(), static_cast<int>(kHighestGhost) - 1));
}

void BlockGhost::drawFfn(int row, const QPointF& grabbed)
{
    const int part = m_surface.stackLayout().partOf(row, PartRole::ffn);
    const std::vector<PartGeometry>& placed =
        m_surface.geometryOfStack().rows[static_cast<std::size_t>(row)].parts;
    m_ffn = {};
    if (part >= 0 && part < static_cast<int>(placed.size())) { // bars have no parts
        const PartGeometry& ffn = placed[static_cast<std::size_t>(part)];
        const QRectF place = ffn.box.united(ffn.value);
        const QPointF at = place.contains(grabbed) ? grabbed : place.center();
        m_ffn = pictureOf({place}, {row});
        m_ffnHotSpot = ((at - place.topLeft()) * m_surface.transform().m22()).toPoint();
    }
}

// The parts of the scene below each other, each painted as a part of its row.
QPixmap BlockGhost::pictureOf(const std::vector<QRectF>& places, const std::vector<int>& rows) const
{
    const QTransform zoom = m_surface.transform();
    const qreal ratio = m_surface.viewport()->devicePixelRatioF();
    QSizeF size;
    for (const QRectF& place : places) {
        size.setWidth(std::max(size.width(), place.width()));
        size.setHeight(size.height() + place.height() + kGhostGap);
    }
    size = QSizeF(size.width() * zoom.m11(), std::min(size.height() * zoom.m22(), kHighestGhost));
    QPixmap ghost((size * ratio).toSize());
    ghost.setDevicePixelRatio(ratio);
    ghost.fill(Qt::transparent);
    QPainter painter(&ghost);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(zoom.m11(), zoom.m22());
    qreal top = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        painter.save();
        painter.translate(-places[i].left(), top - places[i].top());
        painter.setClipRect(places[i]);
        m_rowPainter.paint(painter, rows[i]);
        painter.restore();
        top += places[i].height() + kGhostGap;
    }
    painter.end();
    return translucent(ghost);
}

void BlockGhost::paint(QPainter& painter, const QPoint& pointer, bool ffnAlone) const
{
    const bool isFfn = ffnAlone && !m_ffn.isNull();
    painter.drawPixmap(pointer - (isFfn ? m_ffnHotSpot : m_hotSpot), isFfn ? m_ffn : m_rows);
}

} // namespace flopsmith::ui
