// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/program_preview.h"

#include "core/base/threads.h"

#include <QMetaObject>

#include <utility>

namespace flopsmith::ui {

ProgramPreview::ProgramPreview(const ExportTarget& target, QObject* parent)
    : QObject(parent)
    , m_target(target)
{}

ProgramPreview::~ProgramPreview()
{
    m_threads.clear();
}

void ProgramPreview::write(const Scenario& scenario, const FolderOptions& options)
{
    if (m_threads.empty()) {
        start({scenario, options});
    } else {
        m_next = Task{scenario, options};
    }
}

void ProgramPreview::start(const Task& task)
{
    const auto work = [this, task] {
        const Result<std::string> source = m_target.source(task.scenario, task.options);
        const Result<ExportedFolder> folder = m_target.planned(task.scenario, task.options);
        QMetaObject::invokeMethod(
            this, [this, source, folder] { report(source, folder); }, Qt::QueuedConnection);
    };
    if (const Status started = startThread(m_threads, work); !started) {
        Q_EMIT written(started.error(), started.error());
    }
}

void ProgramPreview::report(const Result<std::string>& source, const Result<ExportedFolder>& folder)
{
    m_threads.clear();
    if (m_next) {
        const Task task = *std::exchange(m_next, std::nullopt);
        start(task);
        return;
    }
    Q_EMIT written(source, folder);
}

} // namespace flopsmith::ui

#include "moc_program_preview.cpp"
