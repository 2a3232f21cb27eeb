// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column.h"
#include "ui/canvas/notes/note_column.h"
#include "ui/canvas/stack_view.h"
#include "ui/canvas/zoom/minimap.h"

#include <QAction>
#include <QScrollBar>

// The overview beside a tall stack, and the places of what stands beside it.

namespace flopsmith::ui {
namespace {

constexpr int kMinimapGap = 4; // between the stack and its minimap

} // namespace

void StackView::connectMinimap()
{
    m_minimap->hide();
    connect(&m_zoom.actions().minimap(), &QAction::toggled, this, &StackView::placeMinimap);
    connect(m_minimap, &Minimap::scrollWanted, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int scroll) {
        m_minimap->setView(scroll, viewport()->height());
    });
}

// Beside the viewport and the column, if there is one. The viewport becomes narrower; heights do not
// depend on its width.
void StackView::placeMinimap()
{
    const bool shown = m_zoom.actions().minimap().isChecked()
        && MinimapScale::isWanted(m_layout.geometry.size.height(), viewport()->height());
    const int column = columnWidth();
    const int notes = notesWidth();
    const int width = column + notes + (shown ? Minimap::kWidth + kMinimapGap : 0);
    m_notes->setVisible(notes > 0);
    m_minimap->setVisible(shown);
    if (viewportMargins().right() != width) {
        setViewportMargins(0, 0, width, 0); // which lays out again
    }
    const QRect beside = viewport()->geometry();
    m_column->setGeometry(beside.right() + 1, beside.top(), column, beside.height());
    const int right = beside.right() + 1 + column;
    m_notes->setGeometry(right, beside.top(), notes, beside.height());
    m_minimap->setGeometry(
        right + notes + kMinimapGap, beside.top(), Minimap::kWidth, beside.height());
    m_minimap->setView(verticalScrollBar()->value(), viewport()->height());
    m_minimap->update();
}

void StackView::markInMinimap()
{
    std::vector<bool> selected = m_layout.selectedRows(m_document.selection());
    m_column->setSelected(selected);
    m_minimap->setSelected(std::move(selected));
}

} // namespace flopsmith::ui
