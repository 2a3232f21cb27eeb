// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_opening.h"

#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_reading.h"
#include "core/io/reading.h"
#include "core/model/presets.h"
#include "core/share/open_model.h"
#include "core/share/share_code.h"
#include "core/share/shared_page.h"
#include "ui/document/recent_files.h"
#include "ui/lab/lab_path.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/theme/utf8.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace flopsmith::ui {
namespace {

// Where a document comes from that a share code opened.
QString originOf(const SharedDesign& design)
{
    for (const Preset& preset : presets()) {
        if (preset.id == design.preset) {
            return FileOpening::tr(
                       "Opened from a share code, made from the preset %1. The design is "
                       "in no file yet.")
                .arg(fromUtf8(preset.title));
        }
    }
    return FileOpening::tr("Opened from a share code. The design is in no file yet.");
}

bool isOfExercise(const QString& path)
{
    return path.endsWith(fromUtf8(kExerciseSuffix)) || path.endsWith(fromUtf8(kAnswerSuffix));
}

} // namespace

FileOpening::FileOpening(Document& document,
                         FileSaving& saving,
                         MessageBar& messages,
                         QWidget& window)
    : QObject(&window)
    , m_document(document)
    , m_saving(saving)
    , m_messages(messages)
    , m_window(window)
{}

void FileOpening::showError(const QString& sentence)
{
    m_messages.show(MessageBar::Kind::error, sentence);
}

bool FileOpening::openCode(const QString& code)
{
    const Result<SharedDesign> design = parsedShareCode(code.toStdString(), Illegal::repair);
    if (!design) {
        showError(QString::fromStdString(design.error().message));
        return false;
    }
    start(*design);
    return true;
}

void FileOpening::start(const SharedDesign& design)
{
    m_document.setLens(design.project.lens);
    m_document.start(design.project);
    showOpened();
    if (const std::string_view page = pageOfView(design.page); !page.empty()) {
        Q_EMIT pageRequested(fromUtf8(page));
    }
    QStringList notes{originOf(design)};
    for (const std::string& note : design.notes) {
        notes << QString::fromStdString(note);
    }
    m_saving.tell(notes);
}

bool FileOpening::replacesDesign(const QString& path)
{
    return !isLessonPath(path) && !isLabPath(path);
}

bool FileOpening::isReadable(const QString& path)
{
    if (!replacesDesign(path) || isOfExercise(path)) {
        return true;
    }
    const Result<Loaded> read = openedModel(QFile::encodeName(path).toStdString(), Illegal::repair);
    if (!read) {
        showError(QString::fromStdString(read.error().message));
    }
    return read.ok();
}

bool FileOpening::open(const QString& path)
{
    if (namesShareCode(path.toStdString())) {
        return openCode(path);
    }
    if (m_openExercise && isOfExercise(path)) {
        return openExercise(path);
    }
    if (isLessonPath(path)) {
        Q_EMIT lessonRequested(path);
        return true;
    }
    if (isLabPath(path)) {
        Q_EMIT labRequested(path);
        return true;
    }
    const Result<QStringList> opened = m_document.file().open(path);
    if (!opened) {
        showError(QString::fromStdString(opened.error().message));
        return false;
    }
    showOpened();
    if (QFileInfo::exists(path)) {
        addRecentFile(path);
    }
    m_saving.tell(*opened);
    return true;
}

void FileOpening::showOpened()
{
    m_messages.clear();
    Q_EMIT designOpened();
}

bool FileOpening::openExercise(const QString& path)
{
    const bool opened = m_openExercise(path);
    if (opened) {
        addRecentFile(path);
    }
    return opened;
}

void FileOpening::openLast()
{
    QStringList files = recentFiles();
    files.erase(std::remove_if(files.begin(), files.end(), isLessonPath), files.end());
    if (files.isEmpty()) {
        m_messages.show(MessageBar::Kind::note, tr("No file was opened or saved yet."));
    } else {
        open(files.front());
    }
}

bool FileOpening::startWith(const Scenario& scenario)
{
    if (!m_saving.mayLeave()) {
        return false;
    }
    m_document.start(scenario);
    showOpened();
    return true;
}

Result<bool> FileOpening::openText(const QString& text)
{
    if (text.trimmed().isEmpty()) {
        return Error{tr("The clipboard holds no text.").toStdString()};
    }
    if (isShareCode(text.toStdString())) {
        FLOPSMITH_TRY(const SharedDesign design,
                      parsedShareCode(text.toStdString(), Illegal::repair));
        if (!m_saving.mayLeave()) {
            return false;
        }
        start(design);
        return true;
    }
    FLOPSMITH_TRY(
        const Loaded loaded,
        modelOfText(text.toStdString(), tr("the clipboard").toStdString(), Illegal::repair));
    if (!m_saving.mayLeave()) {
        return false;
    }
    if (loaded.from == LoadedFrom::project) {
        m_document.setLens(loaded.project.lens);
    }
    m_document.start(loaded.project);
    showOpened();
    QStringList notes;
    for (const std::string& note : loaded.notes) {
        notes << QString::fromStdString(note);
    }
    m_saving.tell(notes);
    return true;
}

bool FileOpening::askAndOpen()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window,
                                     tr("Open a model"),
                                     QFileInfo(m_document.file().path()).absolutePath(),
                                     tr("Models and exercises (*.flopsmith *.flopsmith-exercise "
                                        "*.flopsmith-answer config.json);;Labs (*.flopsmith-lab "
                                        "*.jsonl);;JSON files (*.json);;All files (*)"));
    return !path.isEmpty() && openRecent(path);
}

bool FileOpening::openRecent(const QString& path)
{
    const bool isThere = isReadable(path); // what is not is no reason to ask about changes
    if (isThere && replacesDesign(path) && !m_saving.mayLeave()) {
        return false;
    }
    if (!isThere || !open(path)) {
        removeRecentFile(path);
    }
    return true;
}

} // namespace flopsmith::ui

#include "moc_file_opening.cpp"
