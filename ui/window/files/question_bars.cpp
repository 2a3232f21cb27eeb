// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/question_bars.h"

#include "ui/widgets/layout/breakable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

QString barName(const QString& name)
{
    return QStringLiteral("question.") + name;
}

QLabel* sentenceLabel(const QString& name, const QString& sentence, QWidget* parent)
{
    auto* label = new QLabel(breakable(sentence), parent);
    label->setObjectName(barName(name) + QStringLiteral(".text"));
    label->setAccessibleName(sentence);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText); // a file name is not markup
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QPushButton* answerButton(const QString& name, const Answer& answer, QWidget* parent)
{
    auto* button = new QPushButton(answer.text, parent);
    button->setObjectName(barName(name) + QLatin1Char('.') + answer.name);
    button->setAccessibleName(QString(answer.text).remove(QLatin1Char('&')));
    return button;
}

} // namespace

QuestionBars::QuestionBars(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("questions"));
    setAccessibleName(tr("Questions"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    hide();
}

void QuestionBars::ask(const QString& name, const QString& sentence, const QList<Answer>& answers)
{
    withdraw(name);
    m_column->addWidget(newBar(name, sentence, answers));
    show();
    Q_EMIT asked();
}

void QuestionBars::withdraw(const QString& name)
{
    QFrame* old = bar(name);
    if (old == nullptr) {
        return;
    }
    m_column->removeWidget(old);
    old->setObjectName({}); // so that a new question can take the name
    old->hide();
    old->deleteLater(); // this may be called by a click on its own button
    setVisible(m_column->count() > 0);
}

QString QuestionBars::sentence(const QString& name) const
{
    const QFrame* asked = bar(name);
    return asked == nullptr
        ? QString()
        : asked->findChild<QLabel*>(barName(name) + QStringLiteral(".text"))->accessibleName();
}

QFrame* QuestionBars::bar(const QString& name) const
{
    return findChild<QFrame*>(barName(name), Qt::FindDirectChildrenOnly);
}

QFrame* QuestionBars::newBar(const QString& name,
                             const QString& sentence,
                             const QList<Answer>& answers)
{
    auto* frame = new QFrame(this);
    frame->setObjectName(barName(name));
    frame->setAccessibleName(tr("Question"));
    frame->setProperty("panel", true);
    auto* line = new QHBoxLayout(frame);
    line->setContentsMargins(14, 6, 8, 6);
    line->setSpacing(8);
    line->addWidget(sentenceLabel(name, sentence, frame), 1);
    for (const Answer& answer : answers) {
        QPushButton* button = answerButton(name, answer, frame);
        button->setProperty("primary", line->count() == 1);
        line->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, name, act = answer.act] {
            withdraw(name);
            if (act) {
                act();
            }
        });
    }
    return frame;
}

} // namespace flopsmith::ui

#include "moc_question_bars.cpp"
