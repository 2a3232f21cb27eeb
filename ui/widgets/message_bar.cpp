// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/theme/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layout/breakable.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace flopsmith::ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
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
    m_close->setObjectName(QStringLiteral("message.close"));
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(14, 6, 8, 6);
    line->addWidget(m_text, 1);
    line->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    updateIcons();
    hide();
}

void MessageBar::show(Kind kind, const QString& sentence)
{
    m_text->setProperty("role", kind == Kind::error ? "error" : "note");
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
    m_sentence = sentence;
    m_text->setText(breakable(sentence));
    m_text->setAccessibleName(sentence);
    QFrame::show();
}

void MessageBar::clear()
{
    m_sentence.clear();
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
