// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_layout.h"

#include <QGraphicsView>

namespace flopsmith::ui {

/// The scrolling view of the stack as its parts see it: what searches, notes, gestures and zoom read
/// of it, and the little that they ask of it.
class StackSurface : public QGraphicsView
{
public:
    explicit StackSurface(QWidget* parent);

    virtual const StackLayout& stackLayout() const = 0;
    virtual const Selection& selection() const = 0;

    /// Reads the document now instead of with the next frame, or, while the stack is hidden, instead
    /// of when it is shown again.
    virtual void refresh() = 0;

    /// Places the rows again, after something else than the document has changed; false if none has
    /// moved.
    virtual bool layOut() = 0;

    /// Selects the row alone.
    virtual void chooseRow(int row) = 0;

    /// Scrolls until the row is in view.
    virtual void showRow(int row) = 0;

    const StackPicture& picture() const { return stackLayout().picture; }
    const StackGeometry& geometryOfStack() const { return stackLayout().geometry; }

    /// The row that keys move from, or -1.
    int currentRow() const { return stackLayout().currentRow(selection()); }

    bool isRowSelected(int row) const
    {
        return row == currentRow() || selection().contains(runOf(row));
    }

    /// The row at a place of the viewport, the number of rows for the drop zone, or -1.
    int rowAt(const QPoint& place) const { return stackLayout().rowAt(mapToScene(place)); }

    /// The run of a row, or -1.
    int runOf(int row) const { return stackLayout().runOf(row); }

    /// Keeps so many pixels right of the viewport free.
    void setRightMargin(int width);
};

} // namespace flopsmith::ui
