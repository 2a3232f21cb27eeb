// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"
#include "ui/lessons/countdown.h"

#include <QWidget>

#include <map>
#include <optional>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ContentArea;
class LessonStage;
class LessonVotes;
class QuestionWidget;

/// A lesson as it is played: the step's text, the question, what was predicted and voted, and after
/// the reveal why it is so. The stage shows what the step speaks of.
class LessonPanel : public QWidget
{
    Q_OBJECT

public:
    LessonPanel(LessonPlay play, LessonStage& stage, QWidget* parent = nullptr);

    const LessonPlay& play() const { return m_play; }

    /// What the lecturer does by a key. On from a step: a prediction is revealed, then explained,
    /// then the next step comes; behind the last one the score, and then the lesson is over.
    void next();

    /// The same by a presenter's remote, which has no other key: it reveals what nobody has predicted
    /// in the window, because the class has answered aloud.
    void lead();
    void back();
    void first();
    void reveal(LessonPlay::By who = LessonPlay::By::person);
    void showWhy();
    void toggleTimer() { m_countdown->toggle(); }
    void press(int number);

    /// While a lecturer is recognised, by Shift, what nobody has predicted can be revealed.
    void setLecturer(bool on);

    void setLanguage(const QString& language);

    /// Below a page in large type: the title stands on the first step only, and the languages, which
    /// are chosen before, do not.
    void setCompact(bool on);
    /// Plays another version of the lesson from the same step on; predictions are forgotten.
    void setPlay(LessonPlay play);

    /// Says what is wrong with the lesson's file, until it is told otherwise; empty: nothing.
    void showFileProblem(const QString& sentence);

    /// The design on the stage has changed.
    void designChanged();

    /// Says why something cannot be done, until the next change.
    void showProblem(const QString& sentence);

    /// What the lecturer is to say, to know, and what comes next.
    struct Speech
    {
        QString say;
        QString notes;
        QString next;
        QString votes;
    };
    Speech speech() const;

    /// Whether the score is shown behind the last step.
    bool isOver() const { return m_over; }

Q_SIGNALS:
    void changed();
    void finished();

    /// The lab of the step is to be shown.
    void labRequested(const LessonLab& lab);

private:
    QLabel* addLabel(QVBoxLayout& column, const char* name, const char* role = nullptr);
    void addHead(QVBoxLayout& column);
    void listLanguages();
    void addButtons(QVBoxLayout& column);
    QPushButton* button(const char* name);
    void showWords();
    void showStep();
    void keepBuilt();
    void showQuestion();
    void showTitle();
    void showState();
    void showScore();
    void takePrediction(const Prediction& prediction);
    bool showTaken(const Status& taken);
    bool awaitsPrediction() const;
    QStringList parameters() const;

    LessonPlay m_play;
    LessonStage& m_stage;
    std::map<int, Scenario> m_built; ///< unfinished designs by the step that asks for them
    std::optional<int> m_building; ///< the shown step, while a design is built on it
    bool m_whyShown = false;
    bool m_over = false;
    bool m_lecturer = false;
    bool m_compact = false;
    QLabel* m_title = nullptr;
    QLabel* m_place = nullptr; ///< "2 of 6", where there is no title
    QLabel* m_fileProblem = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_why = nullptr;
    QLabel* m_problem = nullptr;
    ContentArea* m_area = nullptr;
    QVBoxLayout* m_texts = nullptr;
    QVBoxLayout* m_questionPlace = nullptr;
    QuestionWidget* m_question = nullptr;
    Countdown* m_countdown = nullptr;
    LessonVotes* m_votes = nullptr;
    QComboBox* m_language = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_reveal = nullptr;
    QPushButton* m_whyButton = nullptr;
    QPushButton* m_lab = nullptr;
    QPushButton* m_next = nullptr;
};

} // namespace flopsmith::ui
