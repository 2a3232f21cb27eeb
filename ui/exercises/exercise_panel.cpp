// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exercises/exercise_panel.h"

#include "core/io/project/project_file.h"
#include "ui/document/document.h"
#include "ui/exercises/check_row.h"
#include "ui/theme/type_scale.h"
#include "ui/widgets/language_name.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kNarrowestExercise = 280;
constexpr int kWordsHeight = 90;
constexpr int kMaxStudentLength = 100;
constexpr int kJudgeInterval = 100; ///< milliseconds: marks may compute crossings
constexpr int kCheckGap = 14;
constexpr qint64 kMillisecondsPerSecond = 1'000;

void setLabelText(QLabel& label, const std::string& text)
{
    label.setText(QString::fromStdString(text));
    label.setAccessibleName(label.text());
}

} // namespace

ExercisePanel::ExercisePanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("exercise"), tr("Exercise"), parent)
    , m_document(document)
    , m_judging([this] { judge(); }, kJudgeInterval)
{
    setMinimumWidth(scaledToType(kNarrowestExercise, *this));
    build();
    connectDocument();
}

void ExercisePanel::build()
{
    auto* body = new QWidget(this);
    body->setObjectName(QStringLiteral("exercise.body"));
    body->setAccessibleName(tr("Exercise"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins({});
    m_area = new QScrollArea(body);
    m_area->setObjectName(QStringLiteral("exercise.area"));
    m_area->setAccessibleName(tr("Exercise"));
    m_area->setWidgetResizable(true);
    m_area->viewport()->setAutoFillBackground(false);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_area, 1);
    addButtons(*column);
    setBody(body);
    m_language = new QComboBox(this);
    m_language->setObjectName(QStringLiteral("exercise.language"));
    m_language->setAccessibleName(tr("Language of the exercise"));
    connect(m_language, &QComboBox::currentIndexChanged, this, [this] {
        if (m_play) {
            m_play->setLanguage(m_language->currentData().toString().toStdString());
            showTexts();
            showState();
        }
    });
    addToHead(m_language);
}

QPushButton* ExercisePanel::addedButton(const char* name, const QString& text)
{
    auto* made = new QPushButton(text, this);
    made->setObjectName(QStringLiteral("exercise.") + QLatin1String(name));
    made->setAccessibleName(text);
    return made;
}

void ExercisePanel::addButtons(QVBoxLayout& column)
{
    m_points = addLabel(column, "points", "figure");
    m_points->setAccessibleName(tr("Points"));
    m_save = addedButton("save", tr("Save …"));
    m_save->setProperty("primary", true);
    m_save->setToolTip(tr("Writes the file to hand in: design, numbers, words and tries"));
    m_reset = addedButton("reset", tr("Reset"));
    m_reset->setToolTip(tr("The design of the start again, as a step that can be undone"));
    m_close = addedButton("close", tr("Close"));
    m_close->setToolTip(tr("Ends the exercise; the design stays"));
    connect(m_save, &QPushButton::clicked, this, &ExercisePanel::saveRequested);
    connect(m_reset, &QPushButton::clicked, this, &ExercisePanel::resetDesign);
    connect(m_close, &QPushButton::clicked, this, &ExercisePanel::closeRequested);
    auto* line = new QHBoxLayout;
    line->addWidget(m_reset);
    line->addWidget(m_close);
    line->addStretch(1);
    line->addWidget(m_save);
    column.addLayout(line);
}

QLabel* ExercisePanel::addLabel(QVBoxLayout& column, const char* name, const char* role)
{
    auto* label = new QLabel(this);
    label->setObjectName(QStringLiteral("exercise.") + QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    if (role != nullptr) {
        label->setProperty("role", QLatin1String(role));
    }
    column.addWidget(label);
    return label;
}

void ExercisePanel::connectDocument()
{
    connect(&m_document, &Document::scenarioChanged, this, [this] {
        if (m_play) {
            m_judging.request();
        }
    });
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &ExercisePanel::noteStep);
    connect(&m_document.history(), &EditHistory::gestureEnded, this, &ExercisePanel::finishTry);
    connect(&m_document, &Document::rulesChanged, this, &ExercisePanel::noteLocks);
}

void ExercisePanel::begin(ExercisePlay play)
{
    m_play = std::move(play);
    m_unlocked = false;
    m_unsaved = false;
    m_tryIsDue = false;
    m_step = m_document.undoStack().index();
    m_time.start();
    m_secondsBefore = 0;
    m_rows.clear();
    m_texts = new QWidget(m_area);
    m_texts->setObjectName(QStringLiteral("exercise.texts"));
    m_texts->setAccessibleName(tr("Exercise"));
    auto* column = new QVBoxLayout(m_texts);
    column->setContentsMargins({});
    column->setSpacing(kCheckGap);
    addTexts(*column);
    addRows(*column);
    addQuestion(*column);
    column->addStretch(1);
    m_area->setWidget(m_texts); // deletes the previous exercise's
    m_texts->setAutoFillBackground(false);
    addLanguages();
    showTexts();
    judge();
}

Status ExercisePanel::resume(ExercisePlay play, const ExerciseAnswer& answer)
{
    FLOPSMITH_RETURN_IF_ERROR(play.resume(answer));
    begin(std::move(play));
    for (CheckRow* row : m_rows) {
        const auto number = answer.numbers.find(row->checkId().toStdString());
        if (number != answer.numbers.end()) {
            row->showNumber(number->second);
        }
    }
    m_words->setPlainText(QString::fromStdString(answer.words));
    m_student->setText(QString::fromStdString(answer.student));
    m_secondsBefore = answer.seconds;
    m_unlocked = answer.unlocked;
    setSaved();
    return Done{};
}

void ExercisePanel::end()
{
    m_play.reset();
    m_unsaved = false;
    m_rows.clear();
    delete m_area->takeWidget();
    m_texts = nullptr;
    m_language->clear();
}

void ExercisePanel::addTexts(QVBoxLayout& column)
{
    m_title = addLabel(column, "title", "title");
    m_task = addLabel(column, "task", nullptr);
}

void ExercisePanel::addRows(QVBoxLayout& column)
{
    for (std::size_t i = 0; i < m_play->exercise().checks.size(); ++i) {
        auto* row = new CheckRow(*m_play, i, m_texts);
        connect(row, &CheckRow::numberTyped, this, [this, row](const QString& text) {
            takeNumber(*row, text);
        });
        column.addWidget(row);
        m_rows.push_back(row);
    }
}

void ExercisePanel::addQuestion(QVBoxLayout& column)
{
    m_question = addLabel(column, "question", nullptr);
    m_words = new QTextEdit(m_texts);
    m_words->setObjectName(QStringLiteral("exercise.words"));
    m_words->setAcceptRichText(false);
    m_words->setTabChangesFocus(true);
    m_words->setProperty("boxed", true);
    m_words->setFixedHeight(scaledToType(kWordsHeight, *this));
    m_words->setAccessibleName(tr("Your answer in words"));
    m_words->setPlaceholderText(tr("Your answer in words"));
    column.addWidget(m_words);
    m_student = new QLineEdit(m_texts);
    m_student->setObjectName(QStringLiteral("exercise.student"));
    m_student->setMaxLength(kMaxStudentLength);
    m_student->setAccessibleName(tr("Your name"));
    m_student->setPlaceholderText(tr("Your name, for the answer"));
    column.addWidget(m_student);
    connect(m_words, &QTextEdit::textChanged, this, [this] { m_unsaved = true; });
    connect(m_student, &QLineEdit::textChanged, this, [this] { m_unsaved = true; });
}

void ExercisePanel::addLanguages()
{
    const QSignalBlocker blocker(m_language);
    m_language->clear();
    for (const auto& language : m_play->exercise().texts) {
        m_language->addItem(languageName(language.first), QString::fromStdString(language.first));
    }
    m_language->setCurrentIndex(m_language->findData(QString::fromStdString(m_play->language())));
    m_language->setVisible(m_language->count() > 1);
}

void ExercisePanel::showTexts()
{
    setLabelText(*m_title, m_play->text("title"));
    setLabelText(*m_task, m_play->text("task"));
    const bool asks = !m_play->exercise().question.empty();
    setLabelText(*m_question, m_play->text(m_play->exercise().question));
    m_question->setVisible(asks);
    m_words->setVisible(asks);
}

void ExercisePanel::showState()
{
    for (CheckRow* row : m_rows) {
        row->showState(*m_play);
    }
    m_points->setText(tr("%1 of %2 points").arg(m_play->points()).arg(m_play->exercise().points()));
    m_points->setAccessibleName(m_points->text());
}

void ExercisePanel::judge()
{
    if (m_play) {
        m_play->setDesign(m_document.scenario());
        showState();
    }
}

// Undoing is not an attempt, and neither is every value that a slider passes.
void ExercisePanel::noteStep(int index)
{
    m_tryIsDue = m_tryIsDue || index > m_step;
    m_step = index;
    if (!m_document.history().isInGesture()) {
        finishTry();
    }
}

void ExercisePanel::finishTry()
{
    if (std::exchange(m_tryIsDue, false) && m_play) {
        m_play->setDesign(m_document.scenario());
        m_play->countTry();
        showState();
    }
}

void ExercisePanel::noteLocks()
{
    if (m_play && m_document.rules().locks.size() < m_play->start().rules.locks.size()) {
        setUnlocked();
    }
}

void ExercisePanel::takeNumber(CheckRow& row, const QString& text)
{
    const TypedNumbers before = m_play->numbers();
    const Status taken = m_play->enterNumber(row.checkId().toStdString(), text.toStdString());
    m_unsaved = m_unsaved || m_play->numbers() != before;
    showState();
    if (!taken) {
        row.showProblem(QString::fromStdString(taken.error().message));
    }
}

void ExercisePanel::resetDesign()
{
    if (!m_play) {
        return;
    }
    const Project& start = m_play->start();
    m_step = m_document.undoStack().count() + 1; // this step is no try
    m_document.replaceDesign(tr("Reset the exercise"),
                             [&start](DocumentState& state) {
                                 state.scenario = start.scenario;
                                 state.rules = start.rules;
                                 state.kept = start.kept;
                                 state.notes = start.notes;
                                 state.wishes = {};
                             },
                             {});
    m_document.setLens(start.lens);
    m_step = m_document.undoStack().index();
}

ExerciseAnswer ExercisePanel::answer() const
{
    ExerciseAnswer answer = m_play->answer(m_document.file().project(),
                                           m_student->text().toStdString(),
                                           m_words->toPlainText().toStdString());
    answer.seconds = std::clamp<std::int64_t>(
        m_secondsBefore + m_time.elapsed() / kMillisecondsPerSecond, 0, kMaxSeconds);
    answer.unlocked = m_unlocked;
    return answer;
}

} // namespace flopsmith::ui

#include "moc_exercise_panel.cpp"
