// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_buttons.h"

#include "ui/lessons/base/lesson_words.h"
#include "ui/widgets/shown_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

QPushButton* panelButton(QWidget& panel, const char* name)
{
    auto* made = new QPushButton(&panel);
    made->setObjectName(QStringLiteral("lesson.") + QLatin1String(name));
    return made;
}

} // namespace

LessonButtons::LessonButtons(QWidget& panel, QVBoxLayout& column)
    : QObject(&panel)
    , m_back(panelButton(panel, "back"))
    , m_reveal(panelButton(panel, "reveal"))
    , m_why(panelButton(panel, "whyButton"))
    , m_lab(panelButton(panel, "lab"))
    , m_next(panelButton(panel, "next"))
    , m_place(new QLabel(&panel))
{
    m_next->setProperty("primary", true);
    m_place->setObjectName(QStringLiteral("lesson.place"));
    m_place->setTextFormat(Qt::PlainText);
    m_place->setProperty("role", QStringLiteral("muted"));
    auto* line = new QHBoxLayout;
    for (QPushButton* each : {m_back, m_reveal, m_why, m_lab}) {
        line->addWidget(each);
    }
    line->addStretch(1);
    line->addWidget(m_place);
    line->addWidget(m_next);
    column.addLayout(line);
    connect(m_back, &QPushButton::clicked, this, &LessonButtons::backPressed);
    connect(m_reveal, &QPushButton::clicked, this, &LessonButtons::revealPressed);
    connect(m_why, &QPushButton::clicked, this, &LessonButtons::whyPressed);
    connect(m_lab, &QPushButton::clicked, this, &LessonButtons::labPressed);
    connect(m_next, &QPushButton::clicked, this, &LessonButtons::nextPressed);
}

void LessonButtons::show(const State& state, const LessonWords& words)
{
    m_back->setEnabled(state.back);
    m_reveal->setVisible(state.reveal);
    m_reveal->setEnabled(state.mayReveal);
    m_why->setVisible(state.why);
    m_lab->setVisible(state.lab);
    showWords(words, state.over);
}

void LessonButtons::showWords(const LessonWords& words, bool over)
{
    m_back->setText(words.back);
    m_reveal->setText(words.reveal);
    m_reveal->setToolTip(words.revealKey);
    m_why->setText(words.why);
    m_lab->setText(words.lab);
    m_lab->setToolTip(words.labTip);
    m_next->setText(over ? words.end : words.next);
    for (QPushButton* each : {m_back, m_reveal, m_why, m_lab, m_next}) {
        each->setAccessibleName(each->text());
    }
}

void LessonButtons::showPlace(const QString& place)
{
    showIfAny(*m_place, place);
}

} // namespace flopsmith::ui

#include "moc_lesson_buttons.cpp"
