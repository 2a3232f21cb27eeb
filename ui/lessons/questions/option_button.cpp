// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/option_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

namespace flopsmith::ui {
namespace {

constexpr int kOptionPadding = 10;

} // namespace

OptionButton::OptionButton(const QString& text, QWidget* parent)
    : QPushButton(parent)
    , m_words(new QLabel(this))
{
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(kOptionPadding, kOptionPadding, kOptionPadding, kOptionPadding);
    line->addWidget(m_words);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setWords(text);
    connect(this, &QObject::objectNameChanged, m_words, [this](const QString& name) {
        m_words->setObjectName(name + QStringLiteral(".words"));
    });
}

void OptionButton::setWords(const QString& text)
{
    m_words->setText(text);
    m_words->setAccessibleName(text);
    setAccessibleName(text);
}

void OptionButton::setDecided(bool isRight)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    m_words->setProperty("role", isRight ? QStringLiteral("positive") : QStringLiteral("muted"));
    m_words->style()->unpolish(m_words);
    m_words->style()->polish(m_words);
}

QSize OptionButton::sizeHint() const
{
    return layout()->totalSizeHint();
}

QSize OptionButton::minimumSizeHint() const
{
    return layout()->totalMinimumSize();
}

} // namespace flopsmith::ui

#include "moc_option_button.cpp"
