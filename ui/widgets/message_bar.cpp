// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/breakable.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kEdge = 14; // to the edges of the parent
constexpr int kWidest = 960;
constexpr int kBesideText = 70; // margins and the button
constexpr int kShortestNote = 5'000; // milliseconds
constexpr int kPerLetter = 60;

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_act(new QPushButton(this))
    , m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("message"));
    setAccessibleName(tr("Message"));
    setProperty("panel", true);
    m_text->setObjectName(QStringLiteral("message.text"));
    m_text->setAccessibleName(tr("Message"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // a file name is not markup
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_act->setObjectName(QStringLiteral("message.action"));
    m_act->setAccessibleName(tr("What can be done"));
    m_act->setProperty("flat", true);
    m_act->setAutoDefault(false);
    m_act->hide();
    m_close->setObjectName(QStringLiteral("message.close"));
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close (Esc)"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(14, 6, 8, 6);
    line->addWidget(m_text, 1);
    line->addWidget(m_act);
    line->addWidget(m_close);
    connect(m_act, &QPushButton::clicked, this, [this] {
        const std::function<void()> action = m_action; // which may show another message
        clear();
        action();
    });
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    m_gone.setObjectName(QStringLiteral("message.gone"));
    m_gone.setSingleShot(true);
    connect(&m_gone, &QTimer::timeout, this, &MessageBar::clear);
    if (parent != nullptr) {
        parent->installEventFilter(this);
    }
    updateIcons();
    hide();
}

void MessageBar::floatAbove(QWidget& line)
{
    m_line = &line;
    line.installEventFilter(this);
    place();
}

int MessageBar::readingTime(const QString& sentence)
{
    return kShortestNote
        + kPerLetter * static_cast<int>(std::min<qsizetype>(sentence.size(), 1000));
}

// As wide as its text, and as high as that needs.
void MessageBar::place()
{
    if (parentWidget() == nullptr) {
        return; // a window of its own
    }
    const QWidget& over = *parentWidget();
    const int action = m_action ? m_act->sizeHint().width() + kBesideText / 2 : 0;
    const int wanted = m_text->fontMetrics().horizontalAdvance(m_sentence) + kBesideText + action;
    const int width = std::min({wanted, kWidest, over.width() - 2 * kEdge});
    const int height = std::max(minimumSizeHint().height(), heightForWidth(width));
    const int bottom = m_line != nullptr ? m_line->y() : over.height();
    setGeometry((over.width() - width) / 2, bottom - kEdge - height, width, height);
}

void MessageBar::waitIfNote()
{
    if (isVisible() && m_kind == Kind::note) {
        m_gone.start(readingTime(m_sentence));
    }
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    if (moves && (watched == parent() || watched == m_line) && isVisible()) {
        place();
    }
    return QFrame::eventFilter(watched, event);
}

void MessageBar::enterEvent(QEnterEvent* event)
{
    m_gone.stop();
    QFrame::enterEvent(event);
}

void MessageBar::leaveEvent(QEvent* event)
{
    waitIfNote();
    QFrame::leaveEvent(event);
}

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        clear();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void MessageBar::show(Kind kind, const QString& sentence, const Action& action)
{
    m_action = action.run;
    m_act->setVisible(m_action != nullptr);
    if (m_action) {
        m_act->setText(action.text);
        m_act->setAccessibleName(action.text);
    }
    m_text->setProperty("role", kind == Kind::error ? "error" : "note");
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
    m_kind = kind;
    m_sentence = sentence;
    m_text->setText(breakable(sentence));
    m_text->setAccessibleName(sentence);
    m_gone.stop();
    place();
    raise();
    QFrame::show();
    waitIfNote();
}

void MessageBar::clear()
{
    m_gone.stop();
    m_sentence.clear();
    m_action = nullptr;
    m_text->clear();
    hide();
}

void MessageBar::updateIcons()
{
    const Theme& theme = systemTheme();
    m_close->setIcon(themedIcon(QStringLiteral("close"), theme.mutedText));
}

} // namespace flopsmith::ui

#include "moc_message_bar.cpp"
