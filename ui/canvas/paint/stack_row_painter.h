// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/inside/inside.h"
#include "ui/canvas/base/drop_light.h"
#include "ui/canvas/base/stack_surface.h"
#include "ui/canvas/paint/stack_painter.h"
#include "ui/document/document.h"

#include <map>

namespace flopsmith::ui {

/// Paints rows and patterns of the stack as they are selected, focused and lit now.
class StackRowPainter
{
public:
    StackRowPainter(const Document& document, const StackSurface& surface, const DropLight& light);

    /// Forgets what it has read of the document. Operations, which are nothing but costs, are left out
    /// without `showsCosts`.
    void reset(bool showsCosts);

    /// Paints what is behind the rows; these are painted next.
    void paintGround(QPainter& painter, const QRectF& exposed);

    /// Paints a row, or the drop zone, in the scene's coordinates.
    void paint(QPainter& painter, int row) const;

    /// Asks for the rows in view that have changed, where none has moved, to be painted again.
    void repaintChanged(const StackPicture& before) const;

private:
    void paintLineAbove(QPainter& painter, int row) const;
    void paintOperationsOf(QPainter& painter, int row) const;
    RowLook lookOf(int row) const;

    const Document& m_document;
    const StackSurface& m_surface;
    const DropLight& m_light;
    int m_current = -1; ///< the current row, searched once for all that are painted
    bool m_showsCosts = true;
    mutable std::map<int, InsidePicture> m_opened; ///< by run; those that were painted
};

} // namespace flopsmith::ui
