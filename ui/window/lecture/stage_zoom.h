// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace flopsmith::ui {

class StackPages;

/// How near a lesson shows the stack, as LessonView::zoom says: "model" is all of it, or as much as
/// fits with its parts; "selection" the selected blocks as large as the page; "inside" the inside of
/// the selected block.
class StageZoom
{
public:
    void set(std::string zoom);

    /// Shows the stack so.
    void apply(StackPages& stack);

    /// The same after the page has another size, unless somebody has zoomed meanwhile.
    void keep(StackPages& stack);

private:
    std::string m_zoom = "model";
    double m_applied = 0.0; ///< of the stack, when it was last shown so; 0: it was not
};

} // namespace flopsmith::ui
