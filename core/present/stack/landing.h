// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

namespace flopsmith {

// Where dragged blocks land in a stack that is drawn as rows below each other. A landing place is a
// gap: the number of the block before which they land, counted from 0; the number of layers is the
// end of the stack.

/// A row of the stack from its top to its bottom, with the blocks that it represents.
struct LandingRow
{
    double top = 0.0;
    double bottom = 0.0;
    int first = 0; ///< number of its first block, or of the next block below a row without any
    int blocks = 0;
};

/// The gap at a height. The edges of a row of blocks lead to the gaps before and after them, and
/// its middle to a gap between two of them; every other height belongs to the nearest row.
int landingAt(const std::vector<LandingRow>& rows, double y);

/// The gap between two rows, of which at least one is of blocks: at heights between them, and up to
/// `reach` inside, but never in the middle half of a row. Otherwise empty.
std::optional<int> gapBetweenRows(const std::vector<LandingRow>& rows, double y, double reach);

/// The row of blocks at a height, or -1.
int blocksAt(const std::vector<LandingRow>& rows, double y);

/// The height at which a gap opens. If there is something between the blocks on both sides, such as
/// the encoder's norm, it opens after the upper ones or before the lower ones.
double landingLine(const std::vector<LandingRow>& rows, int gap, bool behindUpper);

/// The heights of the gaps between the blocks of one row, from top to bottom.
std::vector<double> landingScale(const LandingRow& row);

/// By how much a view of this height scrolls, in pixels a step, while something is dragged at a
/// height: up is negative, 0 is away from the edges.
int edgeScroll(int y, int height);

} // namespace flopsmith
