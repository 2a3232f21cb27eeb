// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint/stack_row_painter.h"

#include "ui/canvas/paint/zoomed_painter.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace flopsmith::ui {

StackRowPainter::StackRowPainter(const Document& document,
                                 const StackSurface& surface,
                                 const DropLight& light)
    : m_document(document)
    , m_surface(surface)
    , m_light(light)
{}

void StackRowPainter::reset(bool showsCosts)
{
    m_opened.clear();
    m_showsCosts = showsCosts;
}

// The pattern of the current row says what an edit of it changes.
void StackRowPainter::paintGround(QPainter& painter, const QRectF& exposed)
{
    const Theme& theme = systemTheme();
    painter.fillRect(exposed, theme.panel);
    m_current = m_surface.currentRow();
    const auto& [picture, geometry] = m_surface.stackLayout();
    const StackRow* current =
        m_current < 0 ? nullptr : &picture.rows[static_cast<std::size_t>(m_current)];
    painter.setFont(m_surface.font());
    for (std::size_t i = 0; i < geometry.patterns.size(); ++i) {
        const StackPattern& shown = picture.patterns[i];
        const bool holds = current != nullptr && current->pattern == static_cast<int>(i);
        if (geometry.patterns[i].frame.intersects(exposed)) {
            paintPattern(painter,
                         shown,
                         geometry.patterns[i],
                         QString::fromStdString(holds ? current->patternText : shown.title),
                         holds,
                         theme);
        }
    }
}

RowLook StackRowPainter::lookOf(int row) const
{
    RowLook look;
    look.selected = row == m_current || m_surface.selection().contains(m_surface.runOf(row));
    look.focused = row == m_current && m_surface.hasFocus();
    if (m_light.isOnRow(row)) {
        look.dropPart = m_light.part();
        look.dropRow = true;
        look.dropText = m_light.text();
    }
    return look;
}

// The residual stream, which bars show no more.
void StackRowPainter::paintLineAbove(QPainter& painter, int row) const
{
    const StackLayout& layout = m_surface.stackLayout();
    if (row > 0 && layout.geometry.detail != StackDetail::bars) {
        const QRectF& frame = layout.geometry.rows[static_cast<std::size_t>(row)].frame;
        const qreal above = layout.bottomOf(row - 1);
        const qreal middle = std::round(frame.center().x());
        painter.fillRect(QRectF(middle - 0.5, above, 1.5, layout.topOf(row) - above),
                         systemTheme().mutedText);
    }
}

void StackRowPainter::paintOperationsOf(QPainter& painter, int row) const
{
    const auto& [picture, geometry] = m_surface.stackLayout();
    const auto index = static_cast<std::size_t>(row);
    const int run = m_surface.runOf(row);
    // The model may be a frame ahead of the picture.
    const bool exists = run >= 0 && run < static_cast<int>(m_document.model().runs.size());
    if (geometry.detail != StackDetail::operations || !exists || !m_showsCosts) {
        return;
    }
    if (!m_opened.contains(run)) {
        m_opened[run] =
            insidePicture(m_document.scenario(), m_document.costTree(), m_document.lens(), run);
    }
    const Block& block = m_document.model().runs[static_cast<std::size_t>(run)].block;
    painter.setFont(m_surface.font());
    for (std::size_t i = 0; i < geometry.rows[index].parts.size(); ++i) {
        paintOperations(painter,
                        geometry.rows[index].parts[i].operations,
                        partOperations(m_opened[run], block, picture.rows[index].parts[i].role),
                        systemTheme());
    }
}

void StackRowPainter::paint(QPainter& painter, int row) const
{
    const Theme& theme = systemTheme();
    const auto& [picture, geometry] = m_surface.stackLayout();
    const auto index = static_cast<std::size_t>(row);
    painter.setFont(m_surface.font());
    if (index >= geometry.rows.size()) {
        paintDropZone(painter, geometry.dropZone, m_light.isOnRow(row), theme);
        return;
    }
    paintLineAbove(painter, row);
    if (!geometry.rows[index].bars.empty()) {
        paintRowAsBar(painter, picture.rows[index], geometry.rows[index], lookOf(row), theme);
    } else {
        paintRow(painter, picture.rows[index], geometry.rows[index], lookOf(row), theme);
        paintOperationsOf(painter, row);
    }
}

void StackRowPainter::repaintChanged(const StackPicture& before) const
{
    const StackLayout& layout = m_surface.stackLayout();
    QWidget& viewport = *m_surface.viewport();
    if (layout.picture.patterns != before.patterns
        || layout.geometry.detail == StackDetail::operations) { // whose sum may stay
        viewport.update();
        return;
    }
    const QRectF visible = m_surface.mapToScene(viewport.rect()).boundingRect();
    for (int row = 0; row < layout.rowCount(); ++row) {
        const auto index = static_cast<std::size_t>(row);
        const QRectF place = layout.placeOf(row);
        if (place.intersects(visible) && layout.picture.rows[index] != before.rows[index]) {
            viewport.update(m_surface.mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1));
        }
    }
}

} // namespace flopsmith::ui
