// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"

#include <functional>
#include <vector>

namespace flopsmith::ui {

/// The widgets right of the stack's viewport, side by side and as high as it.
class StackMargin
{
public:
    explicit StackMargin(StackSurface& surface);

    /// Adds a widget to the right of those before. `width` says how wide it is now, with `gap` pixels
    /// to its left; a widget of no width is hidden.
    void add(QWidget& widget, std::function<int()> width, int gap = 0);

    /// Places them all, after a width or the view's size may have changed. The viewport gets the
    /// rest; heights do not depend on its width.
    void place();

    /// How wide all widgets to the left of one are.
    int widthBefore(const QWidget& widget) const;

private:
    struct Neighbour
    {
        QWidget* widget;
        std::function<int()> width;
        int gap;
    };

    StackSurface& m_surface;
    std::vector<Neighbour> m_neighbours;
};

} // namespace flopsmith::ui
