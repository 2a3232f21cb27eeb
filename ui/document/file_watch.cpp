// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/file_watch.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace flopsmith::ui {
namespace {

// Long enough for a program that writes the file in several steps.
constexpr int kSettleMilliseconds = 200;

} // namespace

FileWatch::FileWatch(Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(kSettleMilliseconds);
    connect(&m_settling, &QTimer::timeout, this, &FileWatch::check);
    const auto touched = [this] { m_settling.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, touched);
    connect(&m_document, &Document::fileChanged, this, touched);
}

void FileWatch::check()
{
    follow();
    const DocumentFile::OnDisk now = m_document.file().onDisk();
    if (std::exchange(m_state, now) != now) {
        Q_EMIT stateChanged();
    }
}

// Watching the folder reports a replaced file, watching the file reports one that is written in
// place. A replaced file is no longer watched, so both are added again at every check.
void FileWatch::follow()
{
    QStringList wanted;
    const QFileInfo file(m_document.file().path());
    if (!m_document.file().path().isEmpty() && file.dir().exists()) {
        wanted << file.absolutePath();
        if (file.isFile()) {
            wanted << file.absoluteFilePath();
        }
    }
    for (const QString& path : m_watcher.files() + m_watcher.directories()) {
        if (!wanted.removeOne(path)) {
            m_watcher.removePath(path);
        }
    }
    if (!wanted.isEmpty()) {
        m_watcher.addPaths(wanted);
    }
}

} // namespace flopsmith::ui

#include "moc_file_watch.cpp"
