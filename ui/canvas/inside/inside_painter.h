// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/inside/inside_geometry.h"

#include <QFont>
#include <QRectF>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

/// What is highlighted inside a block, and what its bars show.
struct InsideLook
{
    InsideMeasure measure = InsideMeasure::flops;
    int selected = -1; ///< index of an operation
    int frame = -1; ///< index of a part's frame
    bool focused = false;
};

/// Draws a block that is laid out: frames, wires, boxes with bars, and the residual stream.
void paintInside(QPainter& painter,
                 const InsidePicture& picture,
                 const InsideGeometry& geometry,
                 const InsideLook& look,
                 const Theme& theme);

/// The font as the layout measures it.
InsideFont insideFont(const QFont& font);

QRectF rectOf(const InsideRect& rect);

} // namespace flopsmith::ui
