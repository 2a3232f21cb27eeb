// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_scene.h"

#include <QGraphicsItem>

#include <algorithm>

namespace flopsmith::ui {
namespace {

class RowItem : public QGraphicsItem
{
public:
    RowItem(const StackLayout& layout,
            const StackRowPainter& painter,
            const DragFeedback& feedback,
            int row)
        : m_layout(layout)
        , m_painter(painter)
        , m_feedback(feedback)
        , m_row(row)
    {}

    QRectF boundingRect() const override
    {
        return m_layout.placeOf(m_row).adjusted(0, 0, 0, m_feedback.mostShift());
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        m_feedback.paintParted(*painter, m_row, m_layout.placeOf(m_row), [this, painter] {
            m_painter.paint(*painter, m_row);
        });
    }

private:
    const StackLayout& m_layout;
    const StackRowPainter& m_painter;
    const DragFeedback& m_feedback;
    int m_row;
};

} // namespace

StackScene::StackScene(const StackSurface& surface,
                       StackRowPainter& painter,
                       const DragFeedback& feedback)
    : m_surface(surface)
    , m_painter(painter)
    , m_feedback(feedback)
{}

void StackScene::bound(double bottom)
{
    const QSizeF& size = m_surface.geometryOfStack().size;
    const QRectF bounds(0.0, 0.0, size.width(), std::max(size.height(), bottom));
    if (sceneRect() != bounds) {
        setSceneRect(bounds);
    }
}

void StackScene::rebuild(double bottom)
{
    clear();
    bound(bottom);
    const int end = static_cast<int>(m_surface.geometryOfStack().rows.size());
    for (int row = 0; row <= end; ++row) {
        addItem(new RowItem(m_surface.stackLayout(), m_painter, m_feedback, row));
    }
}

void StackScene::drawBackground(QPainter* painter, const QRectF& exposed)
{
    m_painter.paintGround(*painter, exposed);
}

} // namespace flopsmith::ui
