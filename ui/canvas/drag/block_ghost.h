// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/paint/stack_row_painter.h"

#include <QPixmap>
#include <QPoint>

#include <vector>

namespace flopsmith::ui {

/// Translucent pictures of the blocks that the pointer drags, and of the FFN that it would copy. They
/// stay where they were grabbed.
class BlockGhost
{
public:
    BlockGhost(const StackSurface& surface, const StackRowPainter& rowPainter);

    /// Draws the rows of the runs, one of which was grabbed at a place of the viewport.
    void draw(const std::vector<int>& runs, int grabbedRow, const QPoint& pointer);

    /// Paints the rows at the pointer, or the FFN alone if the grabbed row has one.
    void paint(QPainter& painter, const QPoint& pointer, bool ffnAlone) const;

private:
    void drawRows(const std::vector<int>& runs, int grabbedRow, const QPointF& grabbed);
    void drawFfn(int row, const QPointF& grabbed);
    QPixmap pictureOf(const std::vector<QRectF>& places, const std::vector<int>& rows) const;

    const StackSurface& m_surface;
    const StackRowPainter& m_rowPainter;
    QPixmap m_rows;
    QPixmap m_ffn;
    QPoint m_hotSpot; ///< where the rows were grabbed
    QPoint m_ffnHotSpot;
};

} // namespace flopsmith::ui
