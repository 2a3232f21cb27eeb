// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_conflicts.h"

#include <QFile>
#include <QFileInfo>

namespace flopsmith::ui {
namespace {

const QString kFileChanged = QStringLiteral("fileChanged");

} // namespace

FileConflicts::FileConflicts(Document& document, QuestionBars& questions, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_questions(questions)
    , m_watch(document)
{
    connect(&m_watch, &FileWatch::stateChanged, this, &FileConflicts::show);
    connect(&m_document, &Document::fileChanged, this, &FileConflicts::followFile);
}

void FileConflicts::useFolder(const std::filesystem::path& folder)
{
    m_folder = folder;
    mark();
}

void FileConflicts::followFile()
{
    if (m_path != m_document.file().path()) {
        m_path = m_document.file().path();
        m_questions.withdraw(kFileChanged); // the question was about the previous file
        mark();
    }
}

bool FileConflicts::maySave()
{
    m_watch.check();
    if (m_watch.state() != DocumentFile::OnDisk::changed) {
        return true; // a removed file is written again
    }
    askAboutChange(true);
    return false;
}

QString FileConflicts::openElsewhere() const
{
    return m_mark.wasOpenElsewhere()
        ? tr("%1 is open in another window of Flopsmith too; what is saved there is never "
             "overwritten without a question.")
              .arg(QFileInfo(m_document.file().path()).fileName())
        : QString();
}

void FileConflicts::mark()
{
    m_mark = OpenFileMark(); // removed first, because the old path may be a link to the same file
    if (!m_folder.empty() && !m_path.isEmpty()) {
        m_mark = OpenFileMark(m_folder, QFile::encodeName(m_path).toStdString());
    }
}

void FileConflicts::show()
{
    const bool hasOwnChanges = m_document.isModified();
    switch (m_watch.state()) {
    case DocumentFile::OnDisk::asLeft: m_questions.withdraw(kFileChanged); return;
    case DocumentFile::OnDisk::changed: askAboutChange(hasOwnChanges); break;
    case DocumentFile::OnDisk::removed: askAboutRemoval(); break;
    }
    m_document.history().setUnsaved();
}

void FileConflicts::askAboutChange(bool hasOwnChanges)
{
    const Answer reloading{QStringLiteral("reload"), tr("&Reload"), [this] { reload(); }};
    const Answer savingAs{
        QStringLiteral("saveAs"), tr("Save &as …"), [this] { Q_EMIT saveAsChosen(); }};
    const Answer saving{
        QStringLiteral("save"), tr("&Save anyway"), [this] { Q_EMIT saveAnywayChosen(); }};
    const QString sentence =
        tr("%1 was changed on disk since it was opened or saved here. Reload can be undone, Save "
           "anyway cannot.")
            .arg(QFileInfo(m_document.file().path()).fileName());
    m_questions.ask(kFileChanged,
                    sentence,
                    hasOwnChanges ? QList<Answer>{savingAs, reloading, saving}
                                  : QList<Answer>{reloading, savingAs, saving});
}

void FileConflicts::askAboutRemoval()
{
    m_questions.ask(
        kFileChanged,
        tr("%1 is no longer on the disk: it was deleted, moved or renamed. What this window shows "
           "is in no file.")
            .arg(QFileInfo(m_document.file().path()).fileName()),
        {{QStringLiteral("save"), tr("&Save again"), [this] { Q_EMIT saveAnywayChosen(); }},
         {QStringLiteral("saveAs"), tr("Save &as …"), [this] { Q_EMIT saveAsChosen(); }}});
}

void FileConflicts::reload()
{
    if (const Status done = m_document.file().reload(); !done) {
        askAboutChange(true);
        Q_EMIT reloadFailed(QString::fromStdString(done.error().message));
    }
}

} // namespace flopsmith::ui

#include "moc_file_conflicts.cpp"
