// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document_file.h"

#include "core/base/content_hash.h"
#include "core/base/text_file.h"
#include "core/io/project/project_file.h"
#include "core/io/reading.h"
#include "ui/document/document.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

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

} // namespace

Result<QStringList> DocumentFile::open(const QString& path)
{
    const std::string hash =
        hashOfFile(path); // before reading, so that a change meanwhile is noticed
    FLOPSMITH_TRY(const Loaded loaded,
                  loadModel(QFile::encodeName(path).toStdString(), Illegal::repair));
    const Project& project = loaded.project;
    const bool isProject = loaded.from == LoadedFrom::project;
    if (isProject) {
        m_document.setLens(project.lens);
    }
    m_document.start(project, isProject ? FileOrigin{path, hash} : FileOrigin{});
    return sentences(loaded.notes);
}

Status DocumentFile::saveAs(const QString& path)
{
    const std::string text = projectText(project());
    // Not QSaveFile, which replaces the file even if the end of the text could not be written.
    const Status written = writeFile(QFile::encodeName(path).toStdString(), text);
    if (!written) {
        return cannotWrite(written.error());
    }
    m_origin = {path, hashText(contentHash(text))};
    m_document.history().endGesture();
    m_document.history().undoStack().setClean();
    Q_EMIT m_document.fileChanged();
    return Done{};
}

Project DocumentFile::project() const
{
    return {.scenario = m_document.scenario(),
            .lens = m_document.lens(),
            .view = m_view,
            .rules = m_document.rules(),
            .classLocks = m_document.state().classLocks,
            .unlocked = m_document.classLocks().isUnlocked(),
            .notes = m_document.notes(),
            .kept = m_document.state().kept};
}

DocumentFile::OnDisk DocumentFile::onDisk() const
{
    const QFileInfo file(m_origin.path);
    if (m_origin.path.isEmpty() || m_origin.hash.empty() || (file.exists() && !file.isFile())) {
        return OnDisk::asLeft;
    }
    if (!file.exists()) {
        return OnDisk::removed;
    }
    return hashOfFile(m_origin.path) == m_origin.hash ? OnDisk::asLeft : OnDisk::changed;
}

Status DocumentFile::reload()
{
    const std::string hash = hashOfFile(m_origin.path);
    FLOPSMITH_TRY(const Loaded loaded,
                  loadModel(QFile::encodeName(m_origin.path).toStdString(), Illegal::repair));
    const Project& project = loaded.project;
    m_document.history().endGesture();
    DocumentState after = m_document.state();
    after.scenario = project.scenario;
    after.wishes = carriedOver(after.wishes, m_document.model(), project.scenario.model);
    after.kept = project.kept;
    after.rules = project.rules;
    after.classLocks = project.classLocks;
    after.notes = project.notes;
    after.selection = after.selection.within(after.scenario.model);
    m_document.classLocks().setUnlocked(project.unlocked);
    if (!after.isAs(m_document.state())) {
        m_document.history().record(
            Document::tr("Reload %1").arg(QFileInfo(m_origin.path).fileName()),
            std::make_shared<const DocumentState>(std::move(after)));
    }
    Q_EMIT m_document.classLocks().changed(); // it may be unlocked now
    m_document.setNotice({});
    m_document.setLens(project.lens);
    m_view = project.view;
    m_origin.hash = hash;
    m_document.history().undoStack().setClean();
    Q_EMIT m_document.fileChanged();
    return Done{};
}

void DocumentFile::restart(FileOrigin origin, std::string view)
{
    m_origin = std::move(origin);
    m_view = std::move(view);
}

} // namespace flopsmith::ui
