// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/folder_writing.h"

#include "core/base/threads.h"

#include <QMetaObject>

namespace flopsmith::ui {
namespace {

struct FolderTask
{
    std::string folder;
    Project project;
    FolderOptions options;
};

} // namespace

FolderWriting::FolderWriting(const ExportTarget& target, QObject* parent)
    : QObject(parent)
    , m_target(target)
{}

FolderWriting::~FolderWriting()
{
    stop();
    m_threads.clear();
}

void FolderWriting::start(const std::string& folder,
                          const Project& project,
                          const FolderOptions& options)
{
    if (isRunning()) {
        return;
    }
    const auto work = [this,
                       task = FolderTask{folder, project, options}](const std::stop_token& stop) {
        const Result<ExportedFolder> written =
            m_target.write(task.folder, task.project, task.options, stop);
        QMetaObject::invokeMethod(
            this, [this, written] { report(written); }, Qt::QueuedConnection);
    };
    if (const Status started = startThread(m_threads, work); !started) {
        Q_EMIT finished(started.error());
    }
}

void FolderWriting::stop()
{
    for (std::jthread& thread : m_threads) {
        thread.request_stop();
    }
}

void FolderWriting::report(const Result<ExportedFolder>& folder)
{
    m_threads.clear();
    Q_EMIT finished(folder);
}

} // namespace flopsmith::ui

#include "moc_folder_writing.cpp"
