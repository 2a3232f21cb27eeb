// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_training.h"

#include "core/lab/run/worker_run.h"

#include <utility>

namespace flopsmith::ui {

LabTraining::LabTraining(LabLogFile log,
                         TrainingOrder order,
                         std::function<void(const Result<LabEnd>&)> finished)
{
    if (order.paused) {
        m_control->pause();
    }
    m_thread = std::jthread([this,
                             log = std::move(log),
                             order = std::move(order),
                             finished = std::move(finished)](const std::stop_token& stop) mutable {
        const Result<LabEnd> end = train(std::move(log), order, stop); // and the log is unlocked
        finished(end);
    });
}

LabTraining::~LabTraining()
{
    m_thread.request_stop();
}

Result<LabEnd> LabTraining::train(LabLogFile log,
                                  const TrainingOrder& order,
                                  const std::stop_token& stop)
{
    log.listen([this](const LogLine& line) {
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
    });
    LabSettings settings{.executors = {}, .saveEvery = order.saveEvery};
    settings.progress = [this](const LabProgress& progress) {
        const std::lock_guard lock(m_mutex);
        m_runs = progress.underWay;
    };
    for (const std::vector<std::string>& worker : order.workers) {
        settings.executors.push_back(executorInProcess(worker, m_control));
    }
    return runLab(log, settings, stop);
}

std::vector<LogLine> LabTraining::takeLines()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lines, {});
}

std::vector<RunUnderWay> LabTraining::runs() const
{
    const std::lock_guard lock(m_mutex);
    return m_runs;
}

} // namespace flopsmith::ui
