// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/inside/inside_canvas.h"

#include "core/model/tree_path.h"
#include "core/present/inside/inside_times.h"
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
#include <utility>

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
    connect(&document, &Document::operationChanged, this, [this] {
        if (isVisible()) {
            findSelected();
        }
    });
}

void InsideCanvas::refresh()
{
    m_update.flush();
}

void InsideCanvas::readDocument()
{
    const Selection selection = m_document.selection();
    const int run = selection.isRun() ? selection.run : -1;
    const bool another = run != m_layout.picture.run;
    m_layout.picture =
        insidePicture(m_document.scenario(), m_document.costTree(), m_document.lens(), run);
    addTimes(m_layout.picture,
             m_parts.empty() ? measuredParts(m_document.scenario()) : m_parts,
             m_times);
    layOut();
    if (another) {
        verticalScrollBar()->setValue(0);
    }
    findSelected();
    Q_EMIT pictureChanged();
}

// The document's operation among those of the picture.
void InsideCanvas::findSelected()
{
    const int before = std::exchange(m_selected, m_layout.operationOf(m_document.operation()));
    if (m_selected >= 0 && m_selected != before) {
        showSelected();
    }
    updateAccessibleText();
    viewport()->update();
    Q_EMIT operationSelected();
}

void InsideCanvas::layOut()
{
    m_layout.geometry =
        insideGeometry(m_layout.picture, m_measure, viewport()->width(), insideFont(font()));
    const int height = viewport()->height();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_layout.geometry.height)) - height));
    viewport()->update();
}

void InsideCanvas::setMeasure(InsideMeasure measure)
{
    if (measure != m_measure) {
        m_measure = measure;
        layOut();
        updateAccessibleText();
        Q_EMIT pictureChanged();
    }
}

void InsideCanvas::setTimes(std::vector<MeasuredPart> parts, std::vector<PartTime> times)
{
    m_parts = std::move(parts);
    m_times = std::move(times);
    if (isVisible()) {
        m_update.request();
    }
}

QString InsideCanvas::note() const
{
    return fromUtf8(m_measure == InsideMeasure::time ? m_layout.picture.timeNote
                                                     : m_layout.picture.note);
}

void InsideCanvas::selectOperation(int index)
{
    if (index >= 0 && index < m_layout.operationCount() && index != m_selected) {
        const InsideStep& operation =
            *operationsOf(m_layout.picture)[static_cast<std::size_t>(index)];
        m_document.selectOperation(operation.path);
    }
}

// From a selected part, down to its first operation or up to the one before it.
void InsideCanvas::selectNext(int by)
{
    const std::vector<const InsideStep*> operations = operationsOf(m_layout.picture);
    const auto first =
        std::find_if(operations.begin(), operations.end(), [this](const InsideStep* operation) {
            return isWithin(operation->path, m_document.operation());
        });
    const int start = first == operations.end() ? 0 : static_cast<int>(first - operations.begin());
    selectOperation(m_selected >= 0 ? m_selected + by : start + std::min(by, 0));
}

// To the part around the selected operation, and from a part of the block to no operation.
bool InsideCanvas::goUp()
{
    if (m_document.operation().empty()) {
        return false;
    }
    std::string path(parentPath(m_document.operation()));
    while (!path.empty() && stepAt(m_layout.picture, path) == nullptr) {
        path = parentPath(path);
    }
    m_document.selectOperation(path);
    return true;
}

void InsideCanvas::showSelected()
{
    constexpr int kMargin = 8;
    const InsideRect& rect = m_layout.geometry.boxes[static_cast<std::size_t>(m_selected)].rect;
    const int top = static_cast<int>(std::floor(rect.y)) - kMargin;
    const int bottom = static_cast<int>(std::ceil(rect.bottom())) + kMargin;
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value()) {
        bar->setValue(top);
    } else if (bottom > bar->value() + viewport()->height()) {
        bar->setValue(bottom - viewport()->height());
    }
}

void InsideCanvas::updateAccessibleText()
{
    const QString selected = sentence();
    setAccessibleDescription(
        (selected.isEmpty() ? tr("Nothing is selected") : tr("Selected: %1").arg(selected))
        + tr(". All: %1").arg(m_layout.description(m_measure)));
}

InsidePoint InsideCanvas::inBlock(const QPoint& place) const
{
    return {static_cast<double>(place.x()),
            static_cast<double>(place.y() + verticalScrollBar()->value())};
}

void InsideCanvas::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(viewport());
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(viewport()->rect(), theme.panel);
    painter.setFont(font());
    painter.translate(0.0, -verticalScrollBar()->value());
    paintInside(painter,
                m_layout.picture,
                m_layout.geometry,
                {.measure = m_measure,
                 .selected = m_selected,
                 .frame = selectedFrame(),
                 .focused = hasFocus()},
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
    case Qt::Key_Up: selectNext(-1); return;
    case Qt::Key_Down: selectNext(1); return;
    case Qt::Key_Home: selectOperation(0); return;
    case Qt::Key_End: selectOperation(m_layout.operationCount() - 1); return;
    case Qt::Key_Escape: event->setAccepted(goUp()); return;
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
    const int operation = m_layout.operationAt(inBlock(event->pos()));
    if (operation >= 0) {
        selectOperation(operation);
    } else {
        m_document.selectOperation(m_layout.partAt(inBlock(event->pos())));
    }
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
        QToolTip::showText(help->globalPos(),
                           m_layout.sentenceOf(m_layout.operationAt(inBlock(help->pos()))),
                           viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace flopsmith::ui

#include "moc_inside_canvas.cpp"
