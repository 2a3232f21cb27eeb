// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/design_column.h"

#include "ui/canvas/beside/design_column_accessible.h"
#include "ui/theme/opaque.h"
#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr qreal kColumnMargin = 6.0; // beside the boxes
constexpr qreal kSignWidth = 20.0;
constexpr qreal kBoxRadius = 5.0;
constexpr qreal kPad = 4.0;

QColor colourOf(ColumnBox::Mark mark, const Theme& theme)
{
    switch (mark) {
    case ColumnBox::Mark::added: return theme.positive;
    case ColumnBox::Mark::removed: return theme.negative;
    case ColumnBox::Mark::changed: return theme.warning;
    case ColumnBox::Mark::equal: break;
    }
    return theme.fieldBorder;
}

QString secondLine(const ColumnBox& box)
{
    switch (box.mark) {
    case ColumnBox::Mark::added: return DesignColumn::tr("in the live design alone");
    case ColumnBox::Mark::changed: return QString::fromStdString(box.changes);
    default: return QString::fromStdString(box.parts);
    }
}

} // namespace

DesignColumn::DesignColumn(QWidget& viewport, QWidget* parent)
    : QWidget(parent)
    , m_viewport(viewport)
{
    installColumnAccessibility(); // before the first event that makes an interface
    setObjectName(QStringLiteral("stack.column"));
    setAccessibleName(tr("Design beside the stack"));
    setFocusPolicy(Qt::StrongFocus);
    setLayoutDirection(Qt::LeftToRight); // as the stack
    paintOpaque(*this);
}

void DesignColumn::setDesign(const QString& name)
{
    m_name = name;
    setAccessibleName(tr("Design %1 beside the stack").arg(name));
    update();
}

void DesignColumn::setBoxes(std::vector<ColumnBox> boxes, std::vector<ColumnSpan> spans)
{
    if (boxes == m_boxes && spans == m_spans) {
        return;
    }
    m_boxes = std::move(boxes);
    m_spans = std::move(spans);
    m_current = std::min(m_current, static_cast<int>(m_boxes.size()) - 1);
    tell();
    update();
}

void DesignColumn::setScroll(int scroll)
{
    if (scroll != m_scroll) {
        m_scroll = scroll;
        update();
    }
}

void DesignColumn::setSelected(std::vector<bool> rows)
{
    if (rows != m_selected) {
        m_selected = std::move(rows);
        update();
    }
}

qreal DesignColumn::nameHeight() const
{
    return fontMetrics().height() + 2.0 * kPad;
}

QRectF DesignColumn::placeOf(int box) const
{
    const ColumnSpan& span = m_spans[static_cast<std::size_t>(box)];
    return {kColumnMargin, span.top - m_scroll, width() - 2.0 * kColumnMargin, span.height()};
}

int DesignColumn::boxAt(const QPointF& place) const
{
    if (place.y() >= height() - nameHeight()) {
        return -1;
    }
    for (int box = 0; box < static_cast<int>(m_boxes.size()); ++box) {
        if (placeOf(box).contains(place)) {
            return box;
        }
    }
    return -1;
}

bool DesignColumn::isSelected(int box) const
{
    const int row = m_boxes[static_cast<std::size_t>(box)].row;
    return row >= 0 && row < static_cast<int>(m_selected.size())
        && m_selected[static_cast<std::size_t>(row)];
}

void DesignColumn::choose(int box)
{
    if (box < 0 || box >= static_cast<int>(m_boxes.size())) {
        return;
    }
    setCurrent(box);
    if (const int row = m_boxes[static_cast<std::size_t>(box)].row; row >= 0) {
        Q_EMIT rowChosen(row);
    }
}

void DesignColumn::setCurrent(int box)
{
    m_current = box;
    const QRectF place = placeOf(box);
    const qreal bottom = height() - nameHeight();
    if (place.top() < 0.0) {
        Q_EMIT scrollRequested(m_scroll + qRound(place.top() - kColumnMargin));
    } else if (place.bottom() > bottom) {
        Q_EMIT scrollRequested(m_scroll + qRound(std::min(place.top(), place.bottom() - bottom)));
    }
    tell();
    announceCurrentBox(*this);
    update();
}

// All boxes, and the current one first.
void DesignColumn::tell()
{
    QStringList texts;
    for (const ColumnBox& box : m_boxes) {
        texts << QString::fromStdString(box.text());
    }
    const QString current = m_current < 0 ? QString() : texts[m_current] + QStringLiteral(". ");
    setAccessibleDescription(current + texts.join(QStringLiteral("; ")));
}

void DesignColumn::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.panel);
    for (int box = 0; box < static_cast<int>(m_boxes.size()); ++box) {
        if (placeOf(box).intersects(QRectF(rect()))) {
            paintBox(painter, box);
        }
    }
    const QRectF name(0.0, height() - nameHeight(), width(), nameHeight());
    painter.fillRect(name, theme.panel);
    painter.setPen(theme.mutedText);
    drawText(painter,
             name.adjusted(kColumnMargin, 0.0, -kColumnMargin, 0.0),
             Qt::AlignLeft | Qt::AlignVCenter,
             font(),
             elided(font(), m_name, name.width() - 2.0 * kColumnMargin));
}

// As many lines as there is height for; in lower boxes the colour alone, which the tool tip says.
void DesignColumn::paintBox(QPainter& painter, int box) const
{
    const Theme& theme = systemTheme();
    const ColumnBox& shown = m_boxes[static_cast<std::size_t>(box)];
    const QRectF place = placeOf(box).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLit = isSelected(box);
    const bool hasFrame = box == m_current && hasFocus();
    const bool isEmpty = shown.mark == ColumnBox::Mark::added;
    QPen border(hasFrame ? theme.accent : colourOf(shown.mark, theme), hasFrame ? 2.0 : 1.2);
    border.setStyle(isEmpty ? Qt::DashLine : Qt::SolidLine);
    painter.setPen(border);
    painter.setBrush(isLit ? theme.accentSoft : isEmpty ? theme.panel : theme.field);
    const qreal radius = std::min(kBoxRadius, place.height() / 2.0);
    painter.drawRoundedRect(place, radius, radius);
    const qreal line = fontMetrics().height();
    if (place.height() < line) {
        return;
    }
    const qreal left = place.left() + kSignWidth;
    const int lines = place.height() >= 2.0 * line + kPad ? 2 : 1;
    const qreal top = place.center().y() - lines * line / 2.0;
    const auto write = [&](qreal from, qreal y, qreal to, const QString& text, const QFont& in) {
        drawText(painter,
                 QRectF(from, y, to - from, line),
                 Qt::AlignLeft | Qt::AlignVCenter,
                 in,
                 elided(in, text, to - from));
    };
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setPen(theme.text);
    write(place.left() + kPad, top, left, fromUtf8(shown.sign()), bold);
    write(left, top, place.right() - kPad, QString::fromStdString(shown.title), bold);
    if (lines > 1) {
        painter.setPen(theme.mutedText);
        write(left, top + line, place.right() - kPad, secondLine(shown), font());
    }
}

void DesignColumn::mousePressEvent(QMouseEvent* event)
{
    choose(boxAt(event->position()));
    event->accept();
}

void DesignColumn::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
}

// The stack scrolls, or zooms about the same height.
void DesignColumn::wheelEvent(QWheelEvent* event)
{
    QCoreApplication::sendEvent(&m_viewport, event);
    event->accept();
}

// Keys that change the stack mean nothing here.
void DesignColumn::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_boxes.size()) - 1;
    const auto move = [this, last](int to) {
        if (last >= 0) {
            setCurrent(std::clamp(to, 0, last));
        }
    };
    switch (event->key()) {
    case Qt::Key_Up: move(m_current - 1); break;
    case Qt::Key_Down: move(m_current + 1); break;
    case Qt::Key_Home: move(0); break;
    case Qt::Key_End: move(last); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: choose(m_current); break;
    default: break;
    }
    event->accept();
}

bool DesignColumn::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int box = boxAt(help->pos());
        const QString text = box < 0
            ? m_name
            : QString::fromStdString(m_boxes[static_cast<std::size_t>(box)].text());
        QToolTip::showText(help->globalPos(), text.toHtmlEscaped(), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        m_current = m_current < 0 && !m_boxes.empty() ? 0 : m_current;
        update();
    }
    return QWidget::event(event);
}

} // namespace flopsmith::ui

#include "moc_design_column.cpp"
