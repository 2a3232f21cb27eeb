// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// A piece of the minimap's strip.
struct MinimapSpan
{
    double top = 0.0;
    double height = 0.0;
};

/// A tall stack drawn into a strip: converts heights of the stack to heights of the strip and back.
class MinimapScale
{
public:
    MinimapScale() = default;

    /// The heights of the whole stack, of the visible part, and of the strip.
    MinimapScale(double stack, double view, double strip);

    /// Only a stack that is taller than two views needs an overview.
    static bool isWanted(double stack, double view) { return view > 0.0 && stack > 2.0 * view; }

    MinimapSpan place(double top, double height) const;

    /// The visible part, high enough to be seen and grabbed.
    MinimapSpan frame(double scroll) const;

    /// The scroll position that brings a height of the strip into the middle of the view, or as near
    /// as the ends allow.
    int scrollTo(double height) const;

private:
    double m_stack = 0.0;
    double m_view = 0.0;
    double m_strip = 0.0;
};

} // namespace flopsmith
