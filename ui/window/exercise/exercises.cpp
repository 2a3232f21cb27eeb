// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exercise/exercises.h"

#include "core/base/file_suffix.h"
#include "core/base/text_file.h"
#include "core/exercise/answered_exercise.h"
#include "core/exercise/exercise_reading.h"
#include "core/exercise/installed_exercises.h"
#include "ui/document/document.h"
#include "ui/document/recent_files.h"
#include "ui/exercises/exercise_panel.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/save_path.h"
#include "ui/window/files/file_opening.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kRoomForAll = 1300; // width in pixels of the palette and all panels beside it

QMessageBox::StandardButton askAboutAnswer(QWidget& window)
{
    QMessageBox box(&window);
    box.setObjectName(QStringLiteral("unsavedAnswer"));
    box.setWindowTitle(Exercises::tr("Unsaved answer"));
    box.setTextFormat(Qt::PlainText);
    box.setText(Exercises::tr("The answer to the exercise is not saved."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.setDefaultButton(QMessageBox::Save);
    for (QAbstractButton* button : box.buttons()) {
        button->setIcon({}); // the style's icons do not match the themes
    }
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

Result<Exercise> exerciseIn(const QString& path)
{
    FLOPSMITH_TRY(const std::string text, textOfFile(QFile::encodeName(path).toStdString()));
    return readExercise(text, path.toStdString());
}

struct Answered
{
    ExerciseAnswer answer;
    ExerciseMarker marker;
};

Result<Answered> answerIn(const QString& path)
{
    const std::string name = path.toStdString();
    FLOPSMITH_TRY(const std::string text, textOfFile(QFile::encodeName(path).toStdString()));
    FLOPSMITH_TRY(ExerciseAnswer answer, readAnswer(text, name));
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    Result<ExerciseMarker> marker = answeredExercise(answer, folder.toStdString());
    if (!marker) {
        return Error{name + ": " + marker.error().message};
    }
    return Answered{std::move(answer), std::move(*marker)};
}

bool isAnswer(const QString& path)
{
    return hasSuffix(path.toStdString(), kAnswerSuffix);
}

Status checkedFile(const QString& path)
{
    if (isAnswer(path)) {
        const Result<Answered> answered = answerIn(path);
        return answered ? Status(Done{}) : Status(answered.error());
    }
    FLOPSMITH_TRY(const Exercise exercise, exerciseIn(path));
    const Result<ExerciseMarker> marker = ExerciseMarker::create(exercise);
    return marker ? Status(Done{}) : Status(marker.error());
}

QString textOfExercise(const Exercise& exercise, const char* key)
{
    const std::string language = exercise.languageFor(usualLanguage().toStdString());
    return QString::fromStdString(exercise.text(language, key));
}

} // namespace

Exercises::Exercises(Document& document,
                     FileOpening& files,
                     FileSaving& saving,
                     MessageBar& messages,
                     ExercisePanel& panel,
                     QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_saving(saving)
    , m_messages(messages)
    , m_panel(panel)
    , m_window(window)
{
    connect(&panel, &ExercisePanel::saveRequested, this, &Exercises::askAndSave);
    connect(&panel, &ExercisePanel::closeRequested, this, [this] {
        if (mayLeave()) {
            end();
        }
    });
    connect(&document.classLocks(), &ClassLocks::unlocked, &panel, &ExercisePanel::setUnlocked);
    for (const NamedKind kind : {NamedKind::exercise, NamedKind::answer}) {
        files.openBy(
            kind, [this](const QString& path) { return !mayLeave() || open(path); }, checkedFile);
    }
}

void Exercises::addTo(QMenu& menu)
{
    QMenu* below = menu.addMenu(tr("Do an &exercise"));
    below->setObjectName(QStringLiteral("help.exercises.menu"));
    below->setAccessibleName(tr("Do an exercise"));
    for (const InstalledText& each : installedExercises()) {
        addExercise(*below, each.fileName, each.text);
    }
}

void Exercises::addExercise(QMenu& menu, std::string_view fileName, std::string_view text)
{
    const QString name = fromUtf8(fileName.substr(0, fileName.find('.')));
    const Result<Exercise> exercise = readExercise(text, std::string(fileName));
    QString title = exercise ? textOfExercise(*exercise, "title") : name;
    QAction* action = menu.addAction(
        tr("Exercise: %1").arg(title.replace(QLatin1Char('&'), QLatin1String("&&"))));
    action->setObjectName(QStringLiteral("help.exercise.") + name);
    action->setEnabled(exercise.ok());
    if (!exercise) {
        action->setProperty("disabledReason", QString::fromStdString(exercise.error().message));
        return;
    }
    action->setToolTip(textOfExercise(*exercise, "summary"));
    connect(action, &QAction::triggered, this, [this, asked = *exercise] {
        if (mayLeave() && m_saving.mayLeave()) {
            say(begin(asked));
        }
    });
}

bool Exercises::open(const QString& path)
{
    const Status opened = isAnswer(path) ? openAnswer(path) : openExercise(path);
    say(opened);
    if (opened) {
        addRecentFile(path);
    }
    return opened.ok();
}

void Exercises::say(const Status& status)
{
    if (!status) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(status.error().message));
    }
}

Status Exercises::openExercise(const QString& path)
{
    FLOPSMITH_TRY(const Exercise exercise, exerciseIn(path));
    return begin(exercise);
}

Status Exercises::openAnswer(const QString& path)
{
    FLOPSMITH_TRY(Answered answered, answerIn(path));
    const ExerciseAnswer& answer = answered.answer;
    ExercisePlay play(std::move(answered.marker), usualLanguage().toStdString());
    m_document.setLens(answer.design.lens);
    m_document.start(answer.design);
    m_messages.clear();
    FLOPSMITH_RETURN_IF_ERROR(m_panel.resume(std::move(play), answer));
    showPanel(true);
    return Done{};
}

Status Exercises::begin(const Exercise& exercise)
{
    Result<ExerciseMarker> marker = ExerciseMarker::create(exercise);
    if (!marker) {
        return marker.error();
    }
    m_document.setLens(marker->start().lens);
    m_document.start(marker->start());
    m_messages.clear();
    m_panel.begin(ExercisePlay(std::move(*marker), usualLanguage().toStdString()));
    showPanel(true);
    return Done{};
}

bool Exercises::mayLeave()
{
    if (m_panel.play() == nullptr || !m_panel.hasUnsaved()) {
        return true;
    }
    switch (askAboutAnswer(m_window)) {
    case QMessageBox::Save: return askAndSave();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

bool Exercises::askAndSave()
{
    const QString start = QDir::home().filePath(
        QString::fromStdString(m_panel.play()->exercise().id) + fromUtf8(kAnswerSuffix));
    const QString path =
        askSavePath(m_window, tr("Save the answer"), start, tr("Answers (*.flopsmith-answer)"));
    return !path.isEmpty() && saveTo(path);
}

bool Exercises::saveTo(const QString& path)
{
    const Status saved =
        writeFile(QFile::encodeName(path).toStdString(), answerJson(m_panel.answer()));
    if (!saved) {
        m_messages.show(MessageBar::Kind::error, QString::fromStdString(saved.error().message));
        return false;
    }
    m_panel.setSaved();
    m_messages.show(
        MessageBar::Kind::note,
        tr("Saved %1: this is the file to hand in.").arg(QDir::toNativeSeparators(path)));
    return true;
}

void Exercises::end()
{
    m_panel.end();
    showPanel(false);
}

// It takes its place from the widest panel and, where the window is narrow, that of the palette;
// when it goes, all are as they were.
void Exercises::showPanel(bool isShown)
{
    if (m_panel.isHidden() == isShown) {
        auto& row = *qobject_cast<QSplitter*>(m_panel.parentWidget());
        QList<int> sizes = isShown ? row.sizes() : m_sizesBefore;
        if (isShown) {
            m_sizesBefore = sizes;
            const int width = m_panel.minimumWidth();
            *std::max_element(sizes.begin(), sizes.end()) -= width + row.handleWidth();
            sizes[row.indexOf(&m_panel)] = width;
        }
        m_panel.setVisible(isShown);
        row.widget(0)->setVisible(!isShown || row.width() >= kRoomForAll);
        row.setSizes(sizes);
    }
    Q_EMIT shown();
}

} // namespace flopsmith::ui

#include "moc_exercises.cpp"
