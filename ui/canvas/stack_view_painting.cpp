// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

// Where the rows of the stack are painted.

namespace flopsmith::ui {

// If nothing has moved, only rows that have changed are repainted.
void StackView::repaintChanged(const StackPicture& before)
{
    if (m_layout.geometry.detail
        == StackDetail::operations) { // which can change while their sum does not
        viewport()->update();
        return;
    }
    const QRectF visible = mapToScene(viewport()->rect()).boundingRect();
    if (m_layout.picture.patterns != before.patterns) {
        viewport()->update();
    }
    for (std::size_t i = 0; i < m_layout.picture.rows.size(); ++i) {
        const QRectF place = m_layout.placeOf(static_cast<int>(i));
        if (place.intersects(visible) && m_layout.picture.rows[i] != before.rows[i]) {
            viewport()->update(mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1));
        }
    }
}

void StackView::drawBackground(QPainter* painter, const QRectF& rect)
{
    m_rowPainter.paintGround(*painter, rect);
}

void StackView::paintRow(QPainter& painter, int row) const
{
    m_rowPainter.paint(painter, row);
}

} // namespace flopsmith::ui
