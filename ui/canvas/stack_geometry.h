// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack.h"

#include <QFont>
#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// Where a mixer, an FFN or a part that stands alone is drawn.
struct PartGeometry
{
    QRectF box; ///< the part itself; its left edge carries the colour
    QRectF title;
    QRectF detail; ///< beside the title; empty where there are chips
    std::vector<QRectF> chips;
    QRectF bar;
    QRectF value;

    bool operator==(const PartGeometry&) const = default;
};

struct RowGeometry
{
    QRectF frame;
    QRectF title; ///< of a run; empty for other rows, which show the title of their part
    QRectF repeat;
    std::vector<PartGeometry> parts;

    bool operator==(const RowGeometry&) const = default;
};

/// The stack laid out for a given size: frames below each other, titles in one column and bars in
/// another, so that bars compare across rows. It fills the width; if it is too high, it uses the
/// compact spacing, and beyond that the view scrolls.
struct StackGeometry
{
    std::vector<RowGeometry> rows;
    QRectF dropZone;
    QSizeF size;

    bool operator==(const StackGeometry&) const = default;
};

StackGeometry stackGeometry(const StackPicture& picture,
                            const QSizeF& available,
                            const QFont& titleFont,
                            const QFont& chipFont);

} // namespace flopsmith::ui
