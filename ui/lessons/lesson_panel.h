// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"
#include "ui/lessons/lesson_speech.h"
#include "ui/lessons/staged_lesson.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LessonButtons;
class LessonHead;
class LessonStage;
class LessonVotes;
class StepQuestion;
class StepSheet;

/// Plays a lesson: the step's text, the question, predictions and votes, and after the reveal the
/// explanation. The stage shows the step's subject.
class LessonPanel : public QWidget
{
    Q_OBJECT

public:
    LessonPanel(LessonPlay play, LessonStage& stage, QWidget* parent = nullptr);

    const LessonPlay& play() const { return m_play; }

    /// The lecturer's key. Advances a step: a prediction is revealed, then explained, then the next
    /// step comes; after the last one the score, and then the lesson is over.
    void next();

    /// The same for a presenter's remote, which has no other key: it also reveals questions without
    /// a prediction in the window, because the class has answered aloud.
    void lead();
    void back();
    void first();
    void reveal(LessonPlay::By who = LessonPlay::By::person);
    void showWhy();
    void toggleTimer();
    void press(int number);

    /// While a lecturer is recognised, by Shift, questions without a prediction can be revealed.
    void setLecturer(bool on);

    void setLanguage(const QString& language);

    /// For a page in large type: the title is shown only on the first step, and the languages,
    /// which are chosen before, are hidden.
    void setCompact(bool on);
    /// Plays another version of the lesson from the same step on; predictions are forgotten.
    void setPlay(LessonPlay play);

    /// Shows what is wrong with the lesson's file, until the next call; empty: nothing.
    void showFileProblem(const QString& sentence);

    /// The design on the stage has changed.
    void designChanged();

    /// Says why something cannot be done, until the next change.
    void showProblem(const QString& sentence);

    /// For the speaker's view.
    LessonSpeech speech() const;

    /// Whether the score is shown after the last step.
    bool isOver() const { return m_over; }

Q_SIGNALS:
    void changed();
    void finished();

    /// The lab of the step is to be shown.
    void labRequested(const LessonLab& lab);

private:
    void addQuestion(LessonStage& stage);
    void addVotes();
    void addButtons(QVBoxLayout& column);
    void showStep();
    void showQuestion();
    void showTitle();
    void showState();
    void showScore();
    bool showTaken(const Status& taken);
    bool awaitsPrediction() const;

    LessonPlay m_play;
    StagedLesson m_staged;
    bool m_whyShown = false;
    bool m_over = false;
    bool m_lecturer = false;
    LessonHead* m_head = nullptr;
    StepSheet* m_sheet = nullptr;
    StepQuestion* m_question = nullptr;
    LessonVotes* m_votes = nullptr;
    LessonButtons* m_buttons = nullptr;
};

} // namespace flopsmith::ui
