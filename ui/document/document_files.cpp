// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "core/io/project_file.h"
#include "core/io/reading.h"
#include "ui/document/document.h"

#include <QFile>

// Reading and writing of the document's file.
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

} // namespace

Result<QStringList> Document::open(const QString& path)
{
    Result<Loaded> loaded =
        flopsmith::loadModel(QFile::encodeName(path).toStdString(), Illegal::mend);
    if (!loaded) {
        return loaded.error();
    }
    const Project& project = loaded->project;
    const bool isProject = loaded->from == LoadedFrom::project;
    if (isProject) {
        setLens(project.lens);
    }
    restart(project.scenario, isProject ? path : QString(), project.view.dump());
    return sentences(loaded->notes);
}

Status Document::save()
{
    return saveAs(m_path);
}

Status Document::saveAs(const QString& path)
{
    Project project{.scenario = scenario(), .lens = m_lens};
    if (!m_view.empty()) {
        project.view = nlohmann::ordered_json::parse(m_view);
    }
    // Not QSaveFile: it replaces the file even if the end of the text could not be written.
    const Status written = writeFile(QFile::encodeName(path).toStdString(), projectText(project));
    if (!written) {
        return cannotWrite(written.error());
    }
    m_path = path;
    endGesture();
    m_undoStack.setClean();
    Q_EMIT fileChanged();
    return Done{};
}

} // namespace flopsmith::ui
