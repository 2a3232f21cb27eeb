// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"
#include "ui/document/throttle.h"
#include "ui/jobs/lesson_judging.h"
#include "ui/lessons/editor/lesson_draft.h"
#include "ui/lessons/editor/lesson_recorder.h"

#include <QWidget>

#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QBoxLayout;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class StepFields;
class StepList;

/// Writes lessons: a list of steps, the fields of one of them, and the problems that a check finds.
/// With Record on, actions on the stage become the step's view. Unfinished lessons are always
/// accepted.
class LessonEditor : public QWidget
{
    Q_OBJECT

public:
    LessonEditor(RecordingStage& stage, QWidget* parent);
    ~LessonEditor() override;

    LessonDraft& draft() { return m_draft; }
    LessonRecorder& recorder() { return m_recorder; }
    LessonJudging& judging() { return m_judging; }
    StepFields& fields() { return *m_fields; }
    const QString& message() const { return m_sentence; }

    /// These ask about unsaved changes first; false if the person cancelled, or if the file cannot
    /// be opened, which the editor then reports.
    bool startNew();
    bool open(const QString& path);

    /// Writes the lesson into the file; on failure says why.
    bool saveTo(const QString& path);

    /// Whether the lesson may be closed: it is saved, has just been saved, or is discarded.
    bool mayLeave();

    /// Checks the lesson now instead of a moment after the last change.
    void flush() { m_check.flush(); }

Q_SIGNALS:
    /// From the step that is edited on.
    void playRequested(const LessonPlay& play);
    void saved(const QString& path);

protected:
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void addStepButtons(QBoxLayout& line);
    void addFileButtons(QBoxLayout& line);
    void addRecordButtons(QBoxLayout& line);
    void addUndoActions();
    void addParts(QBoxLayout& column);
    void connectDraft();
    QPushButton* addButton(QBoxLayout& line, const char* name, const QString& text);
    void addStep(std::optional<QuestionKind> kind);
    void duplicate();
    void remove();
    void move(int from, int to);
    void showSteps();
    void showTitle();
    void showRecording();
    void showJudgement(const LessonJudgement& judgement);
    void goToProblem(int row);
    void play();
    bool save();
    bool askAndSave();
    void takeTouchedFile();
    void reload();
    void say(const QString& sentence);

    LessonDraft m_draft;
    LessonRecorder m_recorder;
    LessonJudging m_judging;
    Throttle m_check;
    StepList* m_steps = nullptr;
    StepFields* m_fields = nullptr;
    QListWidget* m_problems = nullptr;
    QLabel* m_message = nullptr;
    QString m_sentence;
    QPushButton* m_reload = nullptr;
    QPushButton* m_record = nullptr;
    QComboBox* m_target = nullptr;
    QLabel* m_notRecorded = nullptr;
    std::vector<LessonProblem> m_listed;
};

} // namespace flopsmith::ui
