// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.h"

#include "ui/lessons/base/lesson_words.h"
#include "ui/lessons/countdown.h"
#include "ui/lessons/lesson_buttons.h"
#include "ui/lessons/lesson_head.h"
#include "ui/lessons/lesson_sentences.h"
#include "ui/lessons/lesson_votes.h"
#include "ui/lessons/questions/question_widget.h"
#include "ui/lessons/step_question.h"
#include "ui/lessons/step_sheet.h"

#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

LessonPanel::LessonPanel(LessonPlay play, LessonStage& stage, QWidget* parent)
    : QWidget(parent)
    , m_play(std::move(play))
    , m_staged(stage)
{
    setObjectName(QStringLiteral("lesson"));
    setAccessibleName(tr("Lesson"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_head = new LessonHead(*this, *column);
    m_head->listLanguages(m_play);
    connect(m_head, &LessonHead::languageChosen, this, &LessonPanel::setLanguage);
    m_sheet = new StepSheet(this);
    column->addWidget(m_sheet, 1);
    addQuestion(stage);
    addVotes();
    addButtons(*column);
    showStep();
}

void LessonPanel::addQuestion(LessonStage& stage)
{
    m_question = new StepQuestion(*m_sheet, stage, *this);
    connect(m_question, &StepQuestion::predicted, this, [this](const Prediction& prediction) {
        showTaken(m_play.predict(prediction));
    });
    connect(m_question, &StepQuestion::withdrawn, this, [this] { showTaken(m_play.withdraw()); });
}

void LessonPanel::addVotes()
{
    m_votes = new LessonVotes(this);
    m_sheet->addBelow(*m_votes);
    connect(m_votes, &LessonVotes::entered, this, [this](int vote) {
        if (!m_over) {
            showTaken(m_votes->take(vote, m_play));
        }
    });
}

void LessonPanel::addButtons(QVBoxLayout& column)
{
    m_buttons = new LessonButtons(*this, column);
    connect(m_buttons, &LessonButtons::backPressed, this, &LessonPanel::back);
    connect(m_buttons, &LessonButtons::revealPressed, this, [this] { reveal(); });
    connect(m_buttons, &LessonButtons::whyPressed, this, &LessonPanel::showWhy);
    connect(m_buttons, &LessonButtons::labPressed, this, [this] {
        Q_EMIT labRequested(*m_play.current().lab);
    });
    connect(m_buttons, &LessonButtons::nextPressed, this, &LessonPanel::next);
}

void LessonPanel::next()
{
    if (!m_over && !showTaken(m_votes->takeTyped(m_play))) { // typed when a remote leads on
        return;
    }
    if (m_over) {
        Q_EMIT finished();
    } else if (m_play.canReveal()) {
        reveal();
    } else if (m_play.hasWhy() && !m_whyShown) {
        showWhy();
    } else if (m_play.next()) {
        showStep();
    } else {
        showScore();
    }
}

void LessonPanel::lead()
{
    const bool typed = m_over || showTaken(m_votes->takeTyped(m_play));
    if (typed && !m_over && awaitsPrediction()) {
        reveal(LessonPlay::By::lecturer);
    } else if (typed) {
        next();
    }
}

void LessonPanel::back()
{
    if (!m_over) {
        showTaken(m_votes->takeTyped(m_play));
    }
    if (m_over || m_play.back()) {
        showStep();
    }
}

void LessonPanel::first()
{
    m_play.goTo(0);
    showStep();
}

void LessonPanel::toggleTimer()
{
    m_head->countdown().toggle();
}

void LessonPanel::press(int number)
{
    if (!m_over) {
        m_question->press(number);
    }
}

void LessonPanel::setLecturer(bool on)
{
    if (m_lecturer != on) {
        m_lecturer = on;
        showState();
    }
}

void LessonPanel::reveal(LessonPlay::By who)
{
    const Status done = m_play.reveal(m_lecturer ? LessonPlay::By::lecturer : who);
    if (!done) {
        showProblem(QString::fromStdString(done.error().message));
        return;
    }
    m_head->countdown().stop();
    m_question->reveal(m_play); // before the stage shows a design that is not the person's
    m_staged.showAnswer(m_play);
    showState();
}

void LessonPanel::showWhy()
{
    m_whyShown = m_play.hasWhy();
    showState();
    m_sheet->scrollToWhy();
}

void LessonPanel::setLanguage(const QString& language)
{
    m_play.setLanguage(language.toStdString());
    m_head->showLanguage(m_play);
    showQuestion();
    showState();
}

void LessonPanel::setCompact(bool on)
{
    m_head->setCompact(on);
    showTitle();
}

void LessonPanel::showTitle()
{
    m_head->showTitle(m_play);
    m_buttons->showPlace(m_head->placeWithoutTitle(m_play));
}

void LessonPanel::showProblem(const QString& sentence)
{
    m_sheet->showProblem(sentence);
}

void LessonPanel::setPlay(LessonPlay play)
{
    play.setLanguage(m_play.language());
    play.goTo(std::min(m_play.step(), play.steps() - 1));
    m_play = std::move(play);
    m_staged.clear();
    m_head->listLanguages(m_play);
    showStep();
}

void LessonPanel::showFileProblem(const QString& sentence)
{
    m_head->showFileProblem(sentence);
}

void LessonPanel::designChanged()
{
    showProblem({});
    m_question->designChanged();
}

bool LessonPanel::awaitsPrediction() const
{
    const Ask* ask = m_play.current().ask();
    return ask != nullptr && !m_play.isRevealed();
}

void LessonPanel::showStep()
{
    m_whyShown = false;
    m_over = false;
    m_head->countdown().stop();
    m_staged.showStep(m_play);
    showQuestion();
    showState();
}

void LessonPanel::showQuestion()
{
    if (m_over || m_play.current().ask() == nullptr) {
        m_question->remove();
        return;
    }
    m_question->show(m_play);
    m_votes->showVotes(m_play);
}

// Whether the play accepted it; otherwise the error stays visible.
bool LessonPanel::showTaken(const Status& taken)
{
    showState();
    if (!taken) {
        showProblem(QString::fromStdString(taken.error().message));
    }
    return taken.ok();
}

void LessonPanel::showState()
{
    const Ask* ask = m_over ? nullptr : m_play.current().ask();
    const bool revealed = ask != nullptr && m_play.isRevealed();
    showTitle();
    m_sheet->showTexts(
        {.text = m_over ? scoreText(m_play) : stepText(m_play, m_play.step()),
         .verdict = revealed ? verdictText(m_play) : QString(),
         .why = revealed && m_whyShown ? lessonText(m_play, m_play.current().why) : QString()});
    m_votes->setVisible(ask != nullptr && ask->kind == QuestionKind::choice
                        && (!revealed || m_votes->hasVotes()));
    const LessonWords& words = lessonWordsIn(m_play.language());
    m_buttons->show({.back = m_over || m_play.step() > 0,
                     .reveal = ask != nullptr && !revealed,
                     .mayReveal = m_play.canReveal() || m_lecturer,
                     .why = revealed && m_play.hasWhy() && !m_whyShown,
                     .lab = !m_over && m_play.current().lab && (ask == nullptr || revealed),
                     .over = m_over},
                    words);
    m_votes->showWords(words);
    m_head->countdown().setEnd(words.timeIsUp);
    Q_EMIT changed();
}

void LessonPanel::showScore()
{
    m_staged.saveBuilt();
    m_head->countdown().stop();
    m_over = true;
    showQuestion();
    showState();
}

LessonSpeech LessonPanel::speech() const
{
    if (m_over) {
        return {.say = scoreText(m_play)};
    }
    LessonSpeech speech = speechOf(m_play);
    speech.votes = m_votes->votesText(m_play);
    return speech;
}

} // namespace flopsmith::ui

#include "moc_lesson_panel.cpp"
