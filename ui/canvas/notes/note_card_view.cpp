// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/notes/note_card_view.h"

#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocument>
#include <QTextEdit>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kCardPad = 6;
constexpr int kCardStripe = 3; // at the left edge, in the colour of a marker pen
constexpr int kTextMargin = 2;
constexpr qreal kCardRadius = 5.0;

} // namespace

NoteCardView::NoteCardView(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_text(new QTextEdit(this))
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    m_text->setObjectName(name + QStringLiteral(".text"));
    m_text->setProperty("takesEscape", true); // it ends editing
    m_text->setAcceptRichText(false);
    m_text->setTabChangesFocus(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setReadOnly(true);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_text->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_text->document()->setDocumentMargin(kTextMargin);
    m_text->setPlaceholderText(tr("Your note"));
    setToolTip(tr("Enter: edit \u00B7 Delete: delete \u00B7 Esc: back to the stack"));
    m_text->installEventFilter(this);
    connect(m_text, &QTextEdit::textChanged, this, &NoteCardView::heightChanged);
}

void NoteCardView::setNote(const QString& about, const QString& text)
{
    m_about = about;
    setAccessibleName(tr("Note on %1").arg(about));
    setAccessibleDescription(text);
    m_text->setAccessibleName(accessibleName());
    if (!isEditing() && m_text->toPlainText() != text) {
        m_text->setPlainText(text);
    }
    update();
}

bool NoteCardView::isEditing() const
{
    return !m_text->isReadOnly();
}

int NoteCardView::headHeight() const
{
    return fontMetrics().height() + kCardPad;
}

int NoteCardView::heightFor(int width) const
{
    QTextDocument laidOut;
    laidOut.setDefaultFont(m_text->font());
    laidOut.setDocumentMargin(kTextMargin);
    laidOut.setPlainText(m_text->toPlainText());
    laidOut.setTextWidth(std::max(1, width - 2 * kCardPad - kCardStripe));
    return headHeight() + static_cast<int>(std::ceil(laidOut.size().height())) + kCardPad
        + footHeight();
}

// While it is edited a line says what ends that.
int NoteCardView::footHeight() const
{
    return isEditing() ? fontMetrics().height() : 0;
}

QString NoteCardView::keysText(qreal width) const
{
    const QString whole = tr("Esc or Ctrl+Enter: done");
    return fontMetrics().horizontalAdvance(whole) <= width ? whole : tr("Esc: done");
}

void NoteCardView::edit()
{
    m_before = m_text->toPlainText();
    m_text->setReadOnly(false);
    m_text->setAttribute(Qt::WA_TransparentForMouseEvents, false);
    m_text->setFocusPolicy(Qt::StrongFocus);
    m_text->setFocus(Qt::OtherFocusReason);
    m_text->moveCursor(QTextCursor::End);
    update();
    Q_EMIT heightChanged(); // by the line about the keys
}

void NoteCardView::end()
{
    if (!isEditing()) {
        return;
    }
    m_text->setReadOnly(true);
    m_text->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_text->setFocusPolicy(Qt::NoFocus);
    const QString text = m_text->toPlainText();
    update();
    Q_EMIT heightChanged();
    if (text != m_before) {
        Q_EMIT typed(text);
    } else {
        Q_EMIT cancelled();
    }
}

bool NoteCardView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isEditing()) {
        event->accept(); // letters and Esc are the text's
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        const bool isDone = isEnter && (key.modifiers() & Qt::ControlModifier) != 0;
        if (isDone || key.key() == Qt::Key_Escape) {
            Q_EMIT stepRequested(0); // before, because the card may go
            end();
            return true;
        }
    }
    if (event->type() == QEvent::FocusOut && isEditing()) {
        const auto reason = static_cast<const QFocusEvent&>(*event).reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) {
            QMetaObject::invokeMethod(
                this, [this] { end(); }, Qt::QueuedConnection);
        }
    }
    return QWidget::eventFilter(watched, event);
}

void NoteCardView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: edit(); return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace: Q_EMIT deletionRequested(); return;
    case Qt::Key_Up: Q_EMIT stepRequested(-1); return;
    case Qt::Key_Down: Q_EMIT stepRequested(1); return;
    case Qt::Key_Escape: Q_EMIT stepRequested(0); return;
    default: QWidget::keyPressEvent(event);
    }
}

void NoteCardView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    event->accept();
}

void NoteCardView::mouseDoubleClickEvent(QMouseEvent* event)
{
    edit();
    event->accept();
}

void NoteCardView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
    Q_EMIT chosen();
}

void NoteCardView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void NoteCardView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_text->setGeometry(kCardStripe + kCardPad,
                        headHeight(),
                        width() - kCardStripe - 2 * kCardPad,
                        height() - headHeight() - footHeight() - kCardPad / 2);
}

void NoteCardView::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isCurrent = hasFocus() || isEditing();
    painter.setPen(QPen(isCurrent ? theme.accent : theme.fieldBorder, isCurrent ? 2.0 : 1.0));
    painter.setBrush(theme.panel);
    const QRectF frame = QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0);
    painter.drawRoundedRect(frame, kCardRadius, kCardRadius);
    painter.fillRect(QRectF(1.5, kCardRadius, kCardStripe, height() - 2.0 * kCardRadius),
                     theme.warning);
    painter.setPen(theme.mutedText);
    const QRectF head(kCardStripe + kCardPad + kTextMargin,
                      0,
                      width() - kCardStripe - 2 * kCardPad,
                      headHeight());
    drawText(painter,
             head,
             Qt::AlignLeft | Qt::AlignVCenter,
             font(),
             elided(font(), m_about, head.width()));
    if (isEditing()) {
        const QRectF foot(
            head.left(), height() - footHeight() - kCardPad / 2.0, head.width(), footHeight());
        drawText(painter,
                 foot,
                 Qt::AlignLeft | Qt::AlignVCenter,
                 font(),
                 elided(font(), keysText(foot.width()), foot.width()));
    }
}

} // namespace flopsmith::ui

#include "moc_note_card_view.cpp"
