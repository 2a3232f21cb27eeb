// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/canvas/drag/drag_feedback.h"
#include "ui/canvas/paint/stack_row_painter.h"

#include <QGraphicsScene>

namespace flopsmith::ui {

/// The items of the stack, one for each row and one for the drop zone. They have no state: they draw
/// what the view has read from the document, parted where something dragged would land.
class StackScene : public QGraphicsScene
{
public:
    StackScene(const StackSurface& surface, StackRowPainter& painter, const DragFeedback& feedback);

    /// What scrolls ends below the stack and at `bottom`, where notes beside it end.
    void bound(double bottom);

    /// Makes the items anew, after rows have come, gone or moved.
    void rebuild(double bottom);

protected:
    void drawBackground(QPainter* painter, const QRectF& exposed) override;

private:
    const StackSurface& m_surface;
    StackRowPainter& m_painter;
    const DragFeedback& m_feedback;
};

} // namespace flopsmith::ui
