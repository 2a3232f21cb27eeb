// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operation.h"
#include "core/present/time/part_time.h"
#include "ui/canvas/inside/inside_layout.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"

#include <QAbstractScrollArea>

#include <vector>

namespace flopsmith::ui {

/// The operations of the selected run's block: boxes with bars, shapes on the wires, the residual
/// stream on the left. A click or the arrow keys select an operation in the document, a click on a
/// frame its part; Esc goes one level up, a click beside them selects none. It follows the document
/// while it is visible.
class InsideCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit InsideCanvas(Document& document, QWidget* parent = nullptr);

    const InsidePicture& picture() const { return m_layout.picture; }
    const InsideGeometry& geometryOfBlock() const { return m_layout.geometry; }

    InsideMeasure measure() const { return m_measure; }
    void setMeasure(InsideMeasure measure);

    /// What was measured of the document's model; times parallel to the parts.
    void setTimes(std::vector<MeasuredPart> parts, std::vector<PartTime> times);

    /// What the bars show, in a line.
    QString note() const;

    /// The document's operation as an index into operationsOf(picture()); −1 if it is none of them.
    int selected() const { return m_selected; }
    void selectOperation(int index);

    /// The document's operation as an index of a frame; −1 if it is no part of the block.
    int selectedFrame() const { return m_layout.frameOf(m_document.operation()); }

    /// What the selected operation or part is and costs, in one line.
    QString sentence() const { return m_layout.sentenceOf(m_document.operation()); }

    /// Reads the document now instead of with the next frame.
    void refresh();

Q_SIGNALS:
    /// Another block, other numbers or another measure is shown.
    void pictureChanged();
    void operationSelected();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void readDocument();
    void layOut();
    void findSelected();
    void showSelected();
    void selectNext(int by);
    bool goUp();
    void updateAccessibleText();
    InsidePoint inBlock(const QPoint& place) const;

    Document& m_document;
    InsideLayout m_layout;
    InsideMeasure m_measure = InsideMeasure::flops;
    std::vector<MeasuredPart> m_parts;
    std::vector<PartTime> m_times;
    int m_selected = -1;
    Throttle m_update;
};

} // namespace flopsmith::ui
