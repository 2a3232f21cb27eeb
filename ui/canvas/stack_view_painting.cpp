// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/paint/zoomed_painter.h"
#include "ui/canvas/stack_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QGraphicsItem>
#include <QPainter>

#include <algorithm>
#include <cmath>

// Where the rows and patterns of the stack are painted, and how.

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
        return m_view.m_layout.placeOf(m_row).adjusted(0, 0, 0, m_view.m_drag->mostShift());
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        m_view.m_drag->paintParted(*painter,
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
    painter->fillRect(rect, systemTheme().panel);
    m_paintedCurrent = currentRow(); // searched once for all rows that are painted now
    paintPatterns(*painter, rect);
}

// The pattern of the current row says what an edit of it changes.
void StackView::paintPatterns(QPainter& painter, const QRectF& exposed) const
{
    const StackRow* current = m_paintedCurrent < 0
        ? nullptr
        : &m_layout.picture.rows[static_cast<std::size_t>(m_paintedCurrent)];
    painter.setFont(font());
    for (std::size_t i = 0; i < m_layout.geometry.patterns.size(); ++i) {
        const StackPattern& shown = m_layout.picture.patterns[i];
        const bool holds = current != nullptr && current->pattern == static_cast<int>(i);
        if (m_layout.geometry.patterns[i].frame.intersects(exposed)) {
            paintPattern(painter,
                         shown,
                         m_layout.geometry.patterns[i],
                         QString::fromStdString(holds ? current->patternText : shown.title),
                         holds,
                         systemTheme());
        }
    }
}

RowLook StackView::lookOf(int row) const
{
    RowLook look;
    look.selected = row == m_paintedCurrent || m_document.selection().contains(runOf(row));
    look.focused = row == m_paintedCurrent && hasFocus();
    if (m_light.isOnRow(row)) {
        look.dropPart = m_light.part();
        look.dropRow = true;
        look.dropText = m_light.text();
    }
    return look;
}

void StackView::paintOperationsOf(QPainter& painter, int row) const
{
    const auto index = static_cast<std::size_t>(row);
    const int run = runOf(row);
    const bool exists = run >= 0 && run < static_cast<int>(m_document.model().runs.size());
    if (m_layout.geometry.detail != StackDetail::operations
        || !exists // the model may be a frame ahead
        || !m_showsCosts) {
        return;
    }
    if (!m_opened.contains(run)) {
        m_opened[run] =
            insidePicture(m_document.scenario(), m_document.costTree(), m_document.lens(), run);
    }
    const Block& block = m_document.model().runs[static_cast<std::size_t>(run)].block;
    painter.setFont(font());
    for (std::size_t i = 0; i < m_layout.geometry.rows[index].parts.size(); ++i) {
        paintOperations(
            painter,
            m_layout.geometry.rows[index].parts[i].operations,
            partOperations(m_opened[run], block, m_layout.picture.rows[index].parts[i].role),
            systemTheme());
    }
}

void StackView::paintRow(QPainter& painter, int row) const
{
    const Theme& theme = systemTheme();
    painter.setFont(font());
    const auto index = static_cast<std::size_t>(row);
    const bool atEnd = index >= m_layout.geometry.rows.size();
    const QRectF frame = atEnd ? m_layout.geometry.dropZone : m_layout.geometry.rows[index].frame;
    if (row > 0 && !atEnd && m_layout.geometry.detail != StackDetail::bars) {
        const qreal above = m_layout.bottomOf(row - 1);
        const qreal middle = std::round(frame.center().x());
        painter.fillRect(QRectF(middle - 0.5, above, 1.5, m_layout.topOf(row) - above),
                         theme.mutedText);
    }
    if (!atEnd && !m_layout.geometry.rows[index].bars.empty()) {
        paintRowAsBar(painter,
                      m_layout.picture.rows[index],
                      m_layout.geometry.rows[index],
                      lookOf(row),
                      theme);
    } else if (atEnd) {
        paintDropZone(painter, frame, m_light.isOnRow(row), theme);
    } else {
        ui::paintRow(painter,
                     m_layout.picture.rows[index],
                     m_layout.geometry.rows[index],
                     lookOf(row),
                     theme);
        paintOperationsOf(painter, row);
    }
}

} // namespace flopsmith::ui
