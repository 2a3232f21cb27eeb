// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_canvas.h"

#include "ui/canvas/inside/inside_painter.h"
#include "ui/theme/opaque.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {

InsideCanvas::InsideCanvas(Document& document, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_document(document)
    , m_update([this] { readDocument(); })
{
    setObjectName(QStringLiteral("inside.canvas"));
    setAccessibleName(tr("Operations of the block"));
    viewport()->setObjectName(QStringLiteral("inside.viewport"));
    viewport()->setAccessibleName(tr("Operations"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // or the width would depend on the height
    verticalScrollBar()->setSingleStep(20);
    viewport()->setAutoFillBackground(false);
    paintOpaque(*viewport());
    const auto request = [this] {
        if (isVisible()) {
            m_update.request();
        }
    };
    connect(&document, &Document::scenarioChanged, this, request);
    connect(&document, &Document::lensChanged, this, request);
    connect(&document, &Document::selectionChanged, this, request);
}

void InsideCanvas::refresh()
{
    m_update.flush();
}

void InsideCanvas::readDocument()
{
    const Selection selection = m_document.selection();
    const int run = selection.isRun() ? selection.run : -1;
    const bool another = run != m_picture.run;
    m_picture = insidePicture(m_document.scenario(), m_document.costTree(), m_document.lens(), run);
    layOut();
    m_selected = count() == 0 ? -1 : std::clamp(another ? 0 : m_selected, 0, count() - 1);
    if (another) {
        verticalScrollBar()->setValue(0);
    }
    updateAccessibleText();
    Q_EMIT pictureChanged();
    Q_EMIT operationSelected();
}

void InsideCanvas::layOut()
{
    m_geometry = insideGeometry(m_picture, m_measure, viewport()->width(), insideFont(font()));
    const int height = viewport()->height();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_geometry.height)) - height));
    viewport()->update();
}

void InsideCanvas::setMeasure(InsideMeasure measure)
{
    if (measure != m_measure) {
        m_measure = measure;
        layOut();
        updateAccessibleText();
    }
}

void InsideCanvas::selectOperation(int index)
{
    if (index >= 0 && index < count() && index != m_selected) {
        m_selected = index;
        showSelected();
        updateAccessibleText();
        viewport()->update();
        Q_EMIT operationSelected();
    }
}

void InsideCanvas::showSelected()
{
    constexpr int kMargin = 8;
    const InsideRect& rect = m_geometry.boxes[static_cast<std::size_t>(m_selected)].rect;
    const int top = static_cast<int>(std::floor(rect.y)) - kMargin;
    const int bottom = static_cast<int>(std::ceil(rect.bottom())) + kMargin;
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value()) {
        bar->setValue(top);
    } else if (bottom > bar->value() + viewport()->height()) {
        bar->setValue(bottom - viewport()->height());
    }
}

QString InsideCanvas::sentenceOf(int index) const
{
    const std::vector<const InsideStep*> operations = operationsOf(m_picture);
    return index < 0 || index >= static_cast<int>(operations.size())
        ? QString()
        : fromUtf8(insideSentence(m_picture, *operations[static_cast<std::size_t>(index)]));
}

QString InsideCanvas::sentence() const
{
    return sentenceOf(m_selected);
}

void InsideCanvas::updateAccessibleText()
{
    QStringList all;
    for (const InsideStep* operation : operationsOf(m_picture)) {
        all << QStringLiteral("%1 %2").arg(
            fromUtf8(operation->name),
            fromUtf8(insideValue(m_picture, operation->cost, m_measure)));
    }
    setAccessibleDescription(
        tr("Selected: %1. All: %2").arg(sentence(), all.join(QStringLiteral("; "))));
}

int InsideCanvas::operationAt(const QPoint& place) const
{
    const InsidePoint at{static_cast<double>(place.x()),
                         static_cast<double>(place.y() + verticalScrollBar()->value())};
    for (int i = 0; i < count(); ++i) {
        if (m_geometry.boxes[static_cast<std::size_t>(i)].rect.contains(at)) {
            return i;
        }
    }
    return -1;
}

void InsideCanvas::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme(QApplication::palette());
    QPainter painter(viewport());
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(viewport()->rect(), theme.panel);
    painter.setFont(font());
    painter.translate(0.0, -verticalScrollBar()->value());
    paintInside(painter,
                m_picture,
                m_geometry,
                {.measure = m_measure, .selected = m_selected, .focused = hasFocus()},
                theme);
}

void InsideCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void InsideCanvas::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    readDocument(); // it has not followed while it was hidden
}

void InsideCanvas::keyPressEvent(QKeyEvent* event)
{
    refresh();
    switch (event->key()) {
    case Qt::Key_Up: selectOperation(m_selected - 1); return;
    case Qt::Key_Down: selectOperation(m_selected + 1); return;
    case Qt::Key_Home: selectOperation(0); return;
    case Qt::Key_End: selectOperation(count() - 1); return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void InsideCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept(); // belongs to the press, which the canvas has taken
}

void InsideCanvas::mousePressEvent(QMouseEvent* event)
{
    refresh();
    selectOperation(operationAt(event->pos()));
    event->accept();
}

void InsideCanvas::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void InsideCanvas::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void InsideCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::PaletteChange) {
        layOut();
    }
}

bool InsideCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), sentenceOf(operationAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace flopsmith::ui
