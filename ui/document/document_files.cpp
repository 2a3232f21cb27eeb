// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project_file.h"
#include "core/io/reading.h"
#include "ui/document/document.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>

// Reading and writing of the document's file.
namespace flopsmith::ui {
namespace {

Error cannotWrite(const QString& path, const QSaveFile& file)
{
    return {Document::tr("%1 cannot be written: %2. Choose another place.")
                .arg(QDir::toNativeSeparators(path), file.errorString())
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
    QSaveFile file(path);
    const QByteArray text = QByteArray::fromStdString(projectText(project));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        return cannotWrite(path, file);
    }
    m_path = path;
    endGesture();
    m_undoStack.setClean();
    Q_EMIT fileChanged();
    return Done{};
}

} // namespace flopsmith::ui
