// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack.h"

#include <QFontMetricsF>
#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// Where a mixer, an FFN or a part that stands alone is drawn.
struct PartGeometry
{
    QRectF box; ///< the part itself; its left edge carries the colour
    QRectF title;
    QRectF detail; ///< beside the title; empty where chips take the place
    std::vector<QRectF> chips;
    QRectF bar;
    QRectF value;
};

struct RowGeometry
{
    QRectF frame;
    QRectF title; ///< of a run; other rows show the title of their part
    QRectF repeat;
    std::vector<PartGeometry> parts;
};

/// The stack laid out for a room: frames below each other, titles in one column, bars in another,
/// so that bars compare across rows. It is as wide as the room; where it would be higher, rows move
/// closer together, and what is still too high is scrolled.
struct StackGeometry
{
    std::vector<RowGeometry> rows;
    QRectF dropZone;
    QSizeF size;
};

StackGeometry stackGeometry(const StackPicture& picture,
                            const QSizeF& room,
                            const QFontMetricsF& metrics,
                            const QFontMetricsF& chipMetrics);

} // namespace flopsmith::ui
