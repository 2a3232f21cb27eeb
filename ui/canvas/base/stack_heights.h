// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_geometry.h"

// How high the rows of the stack are, and how far apart.

namespace flopsmith::ui {

inline constexpr qreal kStackMargin = 2.0; // around all rows

/// Heights and gaps; the compact ones show GPT-2's stack in a window of 720 lines.
struct Spacing
{
    qreal gap; ///< between frames, bridged by the residual stream
    qreal part;
    qreal partGap;
    qreal title;
    qreal bottom; ///< below the last part of a run
    qreal single;
    qreal dropZone;
    qreal chip;
};

/// The usual spacing at a zoom, or the compact one if the stack is too high at 100 %.
Spacing spacingAt(double zoom,
                  const StackPicture& picture,
                  const QSizeF& available,
                  const QFont& titleFont);

/// The height of a line of text.
qreal lineOf(const QFont& font);

qreal heightOf(const StackRow& row, const Spacing& spacing);

/// From a pattern's frame to its rows.
qreal patternInset(const Spacing& spacing);

} // namespace flopsmith::ui
