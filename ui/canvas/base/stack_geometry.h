// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack.h"
#include "core/present/stack/stack_zoom.h"

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
    QRectF operations; ///< below all these; empty unless the zoom shows them

    bool operator==(const PartGeometry&) const = default;
};

struct RowGeometry
{
    QRectF frame;
    QRectF title; ///< of a run; empty for other rows, which show the title of their part
    QRectF repeat;
    std::vector<PartGeometry> parts;
    std::vector<QRectF> bars; ///< instead of parts, one for each, where only bars are shown
    double share = 0.0; ///< of the whole stack's cost, where bars are shown

    bool operator==(const RowGeometry&) const = default;
};

/// The frame around the rows of a pattern, with what stands above them where there is room for text.
struct PatternGeometry
{
    QRectF frame;
    QRectF head; ///< above the rows
    QRectF title;
    QRectF badge; ///< how often it comes

    bool operator==(const PatternGeometry&) const = default;
};

/// The first and the last of some neighbouring rows.
struct RowRange
{
    int first = 0;
    int last = 0;
};

/// The stack laid out for a given size: frames below each other, titles in one column and bars in
/// another, so that bars compare across rows. It fills the width; if it is too high, it uses the
/// compact spacing, and beyond that the view scrolls.
struct StackGeometry
{
    std::vector<RowGeometry> rows;
    std::vector<PatternGeometry> patterns;
    QRectF dropZone;
    QSizeF size;
    qreal gap = 0.0; ///< between frames
    StackDetail detail = StackDetail::parts;

    bool operator==(const StackGeometry&) const = default;
};

/// At 100 % as described above. Other zooms make heights and gaps larger or smaller, but no line
/// lower than its text, unless all that is shown are bars.
StackGeometry stackGeometry(const StackPicture& picture,
                            const QSizeF& available,
                            const QFont& titleFont,
                            const QFont& chipFont,
                            double zoom = 1.0);

/// The largest zoom, at most `most`, at which these rows are no higher than the available size; all
/// rows mean the whole stack with its drop zone.
double fittingZoom(const StackPicture& picture,
                   const QSizeF& available,
                   const QFont& titleFont,
                   const RowRange& rows,
                   double most);

/// A place in the stack that zooming keeps: how far it is from the start of a row to that of the
/// next one. The first row starts at the stack's edge, and the drop zone counts as the last.
struct StackAnchor
{
    int row = 0;
    qreal share = 0.0;
};
StackAnchor anchorAt(const StackGeometry& geometry, qreal y);
qreal heightOf(const StackGeometry& geometry, const StackAnchor& anchor);

} // namespace flopsmith::ui
