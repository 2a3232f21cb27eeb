// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"

#include <QObject>

#include <vector>

namespace flopsmith::ui {

class FindBar;

/// Finds rows of the stack by a text that is typed into its bar.
class StackFind : public QObject
{
    Q_OBJECT

public:
    StackFind(const Document& document, StackSurface& surface);

    FindBar& bar() { return *m_bar; }

    /// Selects the next (1) or previous (−1) row that contains the text; opens the bar if there is no
    /// text.
    void step(int by);

    /// Says how many rows contain the text now, and which of them is selected.
    void update();

private:
    std::vector<int> found() const;
    void selectFirst();

    const Document& m_document;
    StackSurface& m_surface;
    FindBar* m_bar;
};

} // namespace flopsmith::ui
