// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/editor/lesson_editor.h"

#include "core/teach/author/lesson_editing.h"
#include "core/teach/play/lesson_play.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/lessons/base/own_lessons.h"
#include "ui/lessons/editor/question_fields.h"
#include "ui/lessons/editor/recording_stage.h"
#include "ui/lessons/editor/step_fields.h"
#include "ui/lessons/editor/step_list.h"
#include "ui/theme/icons.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/widgets/layout/standard_keys.h"

#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr QSize kEditorSize(980, 720);
constexpr int kCheckMilliseconds = 300; ///< between two checks while somebody types

QString editorName(const char* name)
{
    return QStringLiteral("lessonEditor.") + QLatin1String(name);
}

QString kindTitle(QuestionKind kind)
{
    switch (kind) {
    case QuestionKind::choice: return LessonEditor::tr("Ask: one of several");
    case QuestionKind::number: return LessonEditor::tr("Ask: a number");
    case QuestionKind::order: return LessonEditor::tr("Ask: an order");
    case QuestionKind::sketch: return LessonEditor::tr("Ask: a curve to sketch");
    case QuestionKind::build: return LessonEditor::tr("Ask: a design to build");
    }
    return {};
}

} // namespace

LessonEditor::LessonEditor(RecordingStage& stage, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_recorder(m_draft, stage)
    , m_check([this] { m_judging.judge(m_draft.lesson(), m_draft.step()); }, kCheckMilliseconds)
{
    setObjectName(QStringLiteral("lessonEditor"));
    setAccessibleName(tr("Lesson editor"));
    setWindowIcon(programIcon());
    auto* column = new QVBoxLayout(this);
    auto* upper = new QHBoxLayout;
    addStepButtons(*upper);
    upper->addStretch(1);
    addFileButtons(*upper);
    column->addLayout(upper);
    auto* lower = new QHBoxLayout;
    addRecordButtons(*lower);
    column->addLayout(lower);
    addParts(*column);
    addUndoActions();
    connectDraft();
    resizeToFit(*this, kEditorSize);
    showSteps();
    showTitle();
    showRecording();
    m_check.request();
}

// Before the draft, of which they read.
LessonEditor::~LessonEditor()
{
    delete m_fields;
    delete m_steps;
}

QPushButton* LessonEditor::addButton(QBoxLayout& line, const char* name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(editorName(name));
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    line.addWidget(button);
    return button;
}

void LessonEditor::addStepButtons(QBoxLayout& line)
{
    auto* add = new QPushButton(tr("&Add step"), this);
    add->setObjectName(editorName("add"));
    add->setAccessibleName(tr("Add step"));
    auto* kinds = new QMenu(add);
    kinds->setObjectName(editorName("kinds"));
    kinds->setAccessibleName(tr("Kinds of steps"));
    const auto addKind =
        [this, kinds](const QString& name, const QString& text, std::optional<QuestionKind> kind) {
            QAction* action = kinds->addAction(text, this, [this, kind] { addStep(kind); });
            action->setObjectName(QStringLiteral("lessonEditor.add.") + name);
        };
    addKind(QStringLiteral("say"), tr("Say something"), std::nullopt);
    for (const QuestionKind kind : {QuestionKind::choice,
                                    QuestionKind::number,
                                    QuestionKind::order,
                                    QuestionKind::sketch,
                                    QuestionKind::build}) {
        const std::string_view name = enumName(kind);
        addKind(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                kindTitle(kind),
                kind);
    }
    add->setMenu(kinds);
    line.addWidget(add);
    connect(addButton(line, "duplicate", tr("D&uplicate")),
            &QPushButton::clicked,
            this,
            &LessonEditor::duplicate);
    connect(addButton(line, "delete", tr("De&lete")),
            &QPushButton::clicked,
            this,
            &LessonEditor::remove);
}

void LessonEditor::addFileButtons(QBoxLayout& line)
{
    QPushButton* play = addButton(line, "play", tr("&Play from here"));
    connect(play, &QPushButton::clicked, this, &LessonEditor::play);
    QPushButton* save = addButton(line, "save", tr("&Save"));
    connect(save, &QPushButton::clicked, this, &LessonEditor::save);
    connect(addButton(line, "saveAs", tr("Save as…")),
            &QPushButton::clicked,
            this,
            &LessonEditor::askAndSave);
    auto* saveKey = new QAction(tr("Save"), this);
    saveKey->setObjectName(editorName("saveKey"));
    saveKey->setShortcuts(standardKeys(QKeySequence::Save, tr("Ctrl+S")));
    connect(saveKey, &QAction::triggered, this, &LessonEditor::save);
    addAction(saveKey);
}

void LessonEditor::addRecordButtons(QBoxLayout& line)
{
    m_record = addButton(line, "record", tr("&Record"));
    m_record->setCheckable(true);
    m_record->setToolTip(tr("What you do in Flopsmith's window becomes what the step shows; your "
                            "own design comes back afterwards"));
    m_target = new QComboBox(this);
    m_target->setObjectName(editorName("target"));
    m_target->setAccessibleName(tr("What is recorded"));
    m_target->addItem(tr("what the step shows"));
    m_target->addItem(tr("what is revealed"));
    m_target->addItem(tr("the example"));
    line.addWidget(m_target);
    m_notRecorded = new QLabel(this);
    m_notRecorded->setObjectName(editorName("lost"));
    m_notRecorded->setTextFormat(Qt::PlainText);
    m_notRecorded->setWordWrap(true);
    m_notRecorded->setProperty("role", QStringLiteral("error"));
    line.addWidget(m_notRecorded, 1);
    connect(m_record, &QPushButton::toggled, &m_recorder, &LessonRecorder::setOn);
    connect(m_target, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_recorder.setTarget(static_cast<LessonRecorder::Target>(index));
    });
    connect(&m_recorder, &LessonRecorder::onChanged, this, &LessonEditor::showRecording);
    connect(&m_recorder, &LessonRecorder::notRecordedChanged, this, &LessonEditor::showRecording);
}

void LessonEditor::addParts(QBoxLayout& column)
{
    m_message = new QLabel(this);
    m_message->setObjectName(editorName("said"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setProperty("role", QStringLiteral("error"));
    m_message->hide();
    auto* line = new QHBoxLayout;
    line->addWidget(m_message, 1);
    m_reload = addButton(*line, "reload", tr("Reload"));
    m_reload->hide();
    connect(m_reload, &QPushButton::clicked, this, &LessonEditor::reload);
    column.addLayout(line);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(editorName("parts"));
    parts->setAccessibleName(tr("Steps and fields"));
    m_steps = new StepList(parts);
    auto* area = new QScrollArea(parts);
    area->setObjectName(editorName("area"));
    area->setAccessibleName(tr("Fields"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    m_fields = new StepFields(m_draft, area);
    area->setWidget(m_fields);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 5);
    column.addWidget(parts, 5);
    m_problems = new QListWidget(this);
    m_problems->setObjectName(editorName("problems"));
    m_problems->setAccessibleName(tr("What a check says"));
    m_problems->setWordWrap(true);
    column.addWidget(m_problems, 1);
}

void LessonEditor::addUndoActions()
{
    QAction* undo = m_draft.undoStack().createUndoAction(this, tr("Undo"));
    QAction* redo = m_draft.undoStack().createRedoAction(this, tr("Redo"));
    undo->setObjectName(editorName("undo"));
    redo->setObjectName(editorName("redo"));
    undo->setProperty("disabledReason", tr("There is nothing to undo."));
    redo->setProperty("disabledReason", tr("There is nothing to redo."));
    undo->setShortcuts(standardKeys(QKeySequence::Undo, tr("Ctrl+Z")));
    redo->setShortcuts(standardKeys(QKeySequence::Redo, tr("Ctrl+Shift+Z")));
    addActions({undo, redo});
}

void LessonEditor::connectDraft()
{
    connect(&m_draft, &LessonDraft::lessonChanged, this, [this] {
        showSteps();
        m_check.request();
    });
    connect(&m_draft, &LessonDraft::stepChanged, this, [this] {
        showSteps();
        m_fields->question().showValue(std::nullopt);
        m_check.request();
    });
    connect(&m_draft, &LessonDraft::fileChanged, this, &LessonEditor::showTitle);
    connect(&m_draft, &LessonDraft::fileTouched, this, &LessonEditor::takeTouchedFile);
    connect(m_fields, &StepFields::languageChanged, this, &LessonEditor::showSteps);
    connect(m_steps, &StepList::chosen, &m_draft, &LessonDraft::goTo);
    connect(m_steps, &StepList::moveRequested, this, &LessonEditor::move);
    connect(&m_judging, &LessonJudging::judged, this, &LessonEditor::showJudgement);
    connect(m_problems, &QListWidget::currentRowChanged, this, &LessonEditor::goToProblem);
}

void LessonEditor::addStep(std::optional<QuestionKind> kind)
{
    const int at = m_draft.step() + 1;
    m_draft.applyAndGoTo(
        tr("Add step"), at, [at, kind](Lesson& lesson) { insertStep(lesson, at, kind); });
}

void LessonEditor::duplicate()
{
    const int step = m_draft.step();
    if (step >= 0) {
        m_draft.applyAndGoTo(tr("Duplicate step"), step + 1, [step](Lesson& lesson) {
            duplicateStep(lesson, step);
        });
    }
}

void LessonEditor::remove()
{
    const int step = m_draft.step();
    if (step >= 0) {
        m_draft.applyAndGoTo(
            tr("Delete step"), step, [step](Lesson& lesson) { removeStep(lesson, step); });
    }
}

void LessonEditor::move(int from, int to)
{
    m_draft.applyAndGoTo(
        tr("Move step"), to, [from, to](Lesson& lesson) { moveStep(lesson, from, to); });
}

void LessonEditor::showSteps()
{
    m_steps->show(m_draft.lesson(), m_fields->language(), m_draft.step());
}

void LessonEditor::showTitle()
{
    const QString file =
        m_draft.path().isEmpty() ? tr("New lesson") : QFileInfo(m_draft.path()).fileName();
    setWindowTitle(tr("%1[*] – Flopsmith").arg(file));
    setWindowModified(m_draft.isModified());
}

void LessonEditor::showRecording()
{
    const QSignalBlocker blocker(m_record);
    m_record->setChecked(m_recorder.isOn());
    m_notRecorded->setText(m_recorder.notRecorded());
    m_notRecorded->setAccessibleName(m_recorder.notRecorded());
}

void LessonEditor::showJudgement(const LessonJudgement& judgement)
{
    m_fields->question().showValue(judgement.answer);
    m_listed = judgement.problems;
    const QSignalBlocker blocker(m_problems);
    m_problems->clear();
    for (const LessonProblem& problem : m_listed) {
        m_problems->addItem(QString::fromStdString(problem.text()));
    }
    if (m_listed.empty()) {
        m_problems->addItem(tr("All answers, texts and pages are right."));
    }
    m_problems->setCurrentRow(-1);
}

void LessonEditor::goToProblem(int row)
{
    if (row >= 0 && row < static_cast<int>(m_listed.size())) {
        const int step = m_listed[static_cast<std::size_t>(row)].step;
        if (step > 0) {
            m_draft.goTo(step - 1);
        }
    }
}

void LessonEditor::play()
{
    Result<LessonPlay> play = LessonPlay::started(m_draft.lesson(), usualLanguage().toStdString());
    say(play ? QString() : QString::fromStdString(play.error().message));
    if (play) {
        play->goTo(std::max(0, m_draft.step()));
        Q_EMIT playRequested(*play);
    }
}

void LessonEditor::say(const QString& sentence)
{
    m_sentence = sentence;
    m_message->setText(sentence);
    m_message->setAccessibleName(sentence);
    m_message->setVisible(!sentence.isEmpty());
}

bool LessonEditor::event(QEvent* event)
{
    if (event->type() == QEvent::WindowActivate) {
        m_draft.checkFile(); // network folders do not report changes
    }
    return QWidget::event(event);
}

void LessonEditor::closeEvent(QCloseEvent* event)
{
    if (!mayLeave()) {
        event->ignore();
        return;
    }
    m_recorder.setOn(false);
    if (m_draft.isModified()) { // discarded
        m_draft.start(newLesson("my-lesson"));
    }
    event->accept();
}

} // namespace flopsmith::ui

#include "moc_lesson_editor.cpp"
#include "moc_recording_stage.cpp"
