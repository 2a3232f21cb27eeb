// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

#include <QGraphicsItem>

#include <algorithm>

// Where the rows of the stack are painted.

namespace flopsmith::ui {

// Draws one row; the item after the last row is the drop target at the end of the stack.
class StackView::RowItem : public QGraphicsItem
{
public:
    RowItem(StackView& view, int row)
        : m_view(view)
        , m_row(row)
    {}

    QRectF boundingRect() const override
    {
        return m_view.m_layout.placeOf(m_row).adjusted(0, 0, 0, m_view.m_feedback.mostShift());
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        m_view.m_feedback.paintParted(*painter,
                                      m_row,
                                      m_view.m_layout.placeOf(m_row),
                                      [this, painter] { m_view.paintRow(*painter, m_row); });
    }

private:
    StackView& m_view;
    int m_row;
};

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

void StackView::rebuildItems()
{
    m_scene.clear();
    boundScene();
    for (int row = 0; row <= static_cast<int>(m_layout.geometry.rows.size()); ++row) {
        m_scene.addItem(new RowItem(*this, row));
    }
}

// What scrolls ends below the stack and below the last card.
void StackView::boundScene()
{
    const QSizeF size(m_layout.geometry.size.width(),
                      std::max(m_layout.geometry.size.height(), m_notes.bottom()));
    if (m_scene.sceneRect() != QRectF(QPointF(), size)) {
        m_scene.setSceneRect(QRectF(QPointF(), size));
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
