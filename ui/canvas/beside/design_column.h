// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack_columns.h"

#include <QWidget>

#include <vector>

namespace flopsmith::ui {

/// The blocks of another design beside the stack, at the height of their counterparts. It scrolls
/// and zooms with the stack and changes nothing: choosing a box selects its counterpart, by mouse or
/// by the arrow keys and Enter. What a box is stands before its title as a sign: =, ~, + or −.
class DesignColumn : public QWidget
{
    Q_OBJECT

public:
    /// `viewport`: of the stack, which gets what the wheel does here.
    DesignColumn(QWidget& viewport, QWidget* parent);

    /// Its name: "A GPT-2 small".
    void setDesign(const QString& name);

    /// The boxes and where they stand, in the coordinates of the stack.
    void setBoxes(std::vector<ColumnBox> boxes, std::vector<ColumnSpan> spans);

    void setScroll(int scroll);

    /// By row of the stack.
    void setSelected(std::vector<bool> rows);

    const std::vector<ColumnBox>& boxes() const { return m_boxes; }

    /// In coordinates of this widget, whether it is in view or not.
    QRectF placeOf(int box) const;

    /// The box at a place, or -1.
    int boxAt(const QPointF& place) const;

    /// The box that keys move from, or -1.
    int currentBox() const { return m_current; }

    bool isSelected(int box) const;

    /// Makes it the current one, and selects its counterpart if it has one.
    void choose(int box);

Q_SIGNALS:
    /// The counterpart of a box, as a row of the stack.
    void rowChosen(int row);

    /// The box cannot be seen: the stack is to scroll so that this is in view.
    void scrollRequested(int scroll);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintBox(QPainter& painter, int box) const;
    void setCurrent(int box);
    void tell();
    qreal nameHeight() const;

    QWidget& m_viewport;
    QString m_name;
    std::vector<ColumnBox> m_boxes;
    std::vector<ColumnSpan> m_spans; ///< parallel to the boxes
    std::vector<bool> m_selected;
    int m_scroll = 0;
    int m_current = -1;
};

} // namespace flopsmith::ui
