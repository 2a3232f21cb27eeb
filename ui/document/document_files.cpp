// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/content_hash.h"
#include "core/base/text_file.h"
#include "core/io/journal/journal_entry.h"
#include "core/io/project/project_file.h"
#include "core/io/reading.h"
#include "ui/document/document.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <utility>

// Reading and writing the document's file.
namespace flopsmith::ui {
namespace {

Error cannotWrite(const Error& reason)
{
    return {Document::tr("%1. Choose another place.")
                .arg(QString::fromStdString(reason.message))
                .toStdString()};
}

QStringList sentences(const std::vector<std::string>& notes)
{
    QStringList all;
    for (const std::string& note : notes) {
        all << QString::fromStdString(note);
    }
    return all;
}

// Empty if the file cannot be read or is not a regular file.
std::string hashOfFile(const QString& path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.read(kLargestTextFile + 1);
    return hashText(contentHash({bytes.constData(), static_cast<std::size_t>(bytes.size())}));
}

QString absolutePath(const QString& path)
{
    return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
}

} // namespace

Result<QStringList> Document::open(const QString& path)
{
    const std::string hash =
        hashOfFile(path); // before reading, so that a change meanwhile is noticed
    FLOPSMITH_TRY(Loaded loaded,
                  flopsmith::loadModel(QFile::encodeName(path).toStdString(), Illegal::repair));
    const Project& project = loaded.project;
    const bool isProject = loaded.from == LoadedFrom::project;
    if (isProject) {
        setLens(project.lens);
    }
    m_fileHash = isProject ? hash : std::string();
    restart(project, isProject ? path : QString());
    return sentences(loaded.notes);
}

Status Document::save()
{
    return saveAs(m_path);
}

Status Document::saveAs(const QString& path)
{
    const std::string text = projectText(project());
    // Not QSaveFile, which replaces the file even if the end of the text could not be written.
    const Status written = writeFile(QFile::encodeName(path).toStdString(), text);
    if (!written) {
        return cannotWrite(written.error());
    }
    m_path = path;
    m_fileHash = hashText(contentHash(text));
    m_history.endGesture();
    m_history.undoStack().setClean();
    Q_EMIT fileChanged();
    return Done{};
}

Project Document::project() const
{
    return {.scenario = scenario(),
            .lens = m_lens,
            .view = m_view,
            .rules = m_state->rules,
            .classLocks = m_state->classLocks,
            .unlocked = m_classLocks.isUnlocked(),
            .notes = m_state->notes,
            .kept = m_state->kept};
}

Document::OnDisk Document::onDisk() const
{
    const QFileInfo file(m_path);
    if (m_path.isEmpty() || m_fileHash.empty() || (file.exists() && !file.isFile())) {
        return OnDisk::asLeft;
    }
    if (!file.exists()) {
        return OnDisk::removed;
    }
    return hashOfFile(m_path) == m_fileHash ? OnDisk::asLeft : OnDisk::changed;
}

Status Document::reload()
{
    const std::string hash = hashOfFile(m_path);
    const Result<Loaded> loaded =
        flopsmith::loadModel(QFile::encodeName(m_path).toStdString(), Illegal::repair);
    if (!loaded) {
        return loaded.error();
    }
    const Project& project = loaded->project;
    m_history.endGesture();
    DocumentState after = *m_state;
    after.scenario = project.scenario;
    after.wishes = carriedOver(after.wishes, model(), project.scenario.model);
    after.kept = project.kept;
    after.rules = project.rules;
    after.classLocks = project.classLocks;
    after.notes = project.notes;
    after.selection = after.selection.within(after.scenario.model);
    m_classLocks.setUnlocked(project.unlocked);
    if (!after.isAs(*m_state)) {
        m_history.record(tr("Reload %1").arg(QFileInfo(m_path).fileName()),
                         std::make_shared<const DocumentState>(std::move(after)));
    }
    Q_EMIT m_classLocks.changed(); // it may be unlocked now
    setNotice({});
    setLens(project.lens);
    m_view = project.view;
    m_fileHash = hash;
    m_history.undoStack().setClean();
    Q_EMIT fileChanged();
    return Done{};
}

JournalEntry Document::journalEntry() const
{
    JournalEntry entry{.at = QDateTime::currentSecsSinceEpoch(),
                       .position = m_history.undoStack().index(),
                       .step = m_history.undoStack().undoText().toStdString(),
                       .file = absolutePath(m_path).toStdString(),
                       .fileHash = m_fileHash,
                       .project = project()};
    if (m_history.undoStack().cleanIndex() >= 0) {
        entry.clean = m_history.undoStack().cleanIndex();
    }
    return entry;
}

void Document::restore(const JournalHistory& history)
{
    const JournalEntry& first = history.entries.front();
    const JournalEntry& last = history.last();
    setLens(last.project.lens);
    m_fileHash = last.fileHash;
    Project start = first.project;
    start.view = last.project.view;
    start.unlocked = last.project.unlocked;
    restart(start, QString::fromStdString(last.file));
    m_history.setUnsaved();
    for (const JournalEntry& entry : history.entries) {
        const QString text = QString::fromStdString(entry.step);
        if (entry.position != first.position) {
            DocumentState after{.scenario = entry.project.scenario,
                                .selection = selection().within(entry.project.scenario.model),
                                .kept = entry.project.kept,
                                .rules = entry.project.rules,
                                .classLocks = entry.project.classLocks,
                                .notes = entry.project.notes};
            if (!after.isAs(*m_state)) { // a lens may have been chosen
                m_history.record(text, std::make_shared<const DocumentState>(std::move(after)));
            }
        }
        if (entry.position == last.clean && entry.position != last.position) {
            m_history.undoStack().setClean();
        }
    }
    Q_EMIT fileChanged();
}

} // namespace flopsmith::ui
