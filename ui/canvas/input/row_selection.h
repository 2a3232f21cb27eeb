// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"

#include <optional>

QT_BEGIN_NAMESPACE
class QKeyEvent;
class QRubberBand;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Changes which rows of the stack are selected: by clicks, by keys, and by a rubber band that is drawn
/// from empty ground and selects the runs that it touches.
class RowSelection
{
public:
    RowSelection(Document& document, StackSurface& surface);

    /// Selects the row alone; Ctrl adds a run or takes it away, Shift extends the selection to it.
    void choose(int row, Qt::KeyboardModifiers modifiers);

    /// Selects all runs of a pattern's period.
    void choosePattern(int pattern);

    /// Takes arrows, Home, End and Esc; false of another key.
    bool press(QKeyEvent& event);

    bool hasBand() const { return m_bandStart.has_value(); }

    /// Draws the rubber band between two places of the viewport.
    void beginBand(const QPoint& place);
    void stretchBand(const QPoint& place);
    void endBand();

private:
    void moveBy(int rows);
    void extendBy(int runs);

    Document& m_document;
    StackSurface& m_surface;
    QRubberBand* m_band;
    std::optional<QPointF> m_bandStart; ///< in the scene
    Selection m_beforeBand;
};

} // namespace flopsmith::ui
