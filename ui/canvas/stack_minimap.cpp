// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_view.h"
#include "ui/canvas/zoom/minimap.h"

#include <QAction>

// What stands beside the stack.

namespace flopsmith::ui {
namespace {

constexpr int kMinimapGap = 4; // to the left of the minimap

} // namespace

// Beside the viewport stand the column, if there is one, then notes, then the minimap.
void StackView::connectMinimap()
{
    m_margin.add(m_beside.column(), [this] { return m_beside.width(); });
    m_margin.add(m_notes.column(), [this] { return m_notes.width(); });
    m_margin.add(
        *m_minimap,
        [this] {
            const bool shown = m_zoom.actions().minimap().isChecked() && m_minimap->isNeeded();
            return shown ? Minimap::kWidth + kMinimapGap : 0;
        },
        kMinimapGap);
    connect(&m_zoom.actions().minimap(), &QAction::toggled, this, [this] { m_margin.place(); });
}

void StackView::markInMinimap()
{
    std::vector<bool> selected = m_layout.selectedRows(m_document.selection());
    m_beside.column().setSelected(selected);
    m_minimap->setSelected(std::move(selected));
}

} // namespace flopsmith::ui
