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
    LabSettings settings{.progress = [this](const LabProgress& progress) { note(progress); },
                         .executors = {},
                         .saveEvery = order.saveEvery};
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

void LabTraining::note(const LabProgress& progress)
{
    const std::lock_guard lock(m_mutex);
    m_begun = progress.begun;
    m_runs[keyText(progress.key)] = {
        .key = progress.key, .step = progress.step, .steps = progress.steps, .loss = progress.loss};
}

std::vector<RunUnderWay> LabTraining::runs() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<RunUnderWay> runs;
    for (const auto& [text, run] : m_runs) {
        runs.push_back(run);
    }
    return runs;
}

void LabTraining::forgetEnded(const LabLog& log)
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_runs, [&log](const auto& each) {
        const LoggedRun* run = log.run(each.second.key);
        return run != nullptr && run->end != RunEnd::open;
    });
}

double LabTraining::begun() const
{
    const std::lock_guard lock(m_mutex);
    return m_begun;
}

} // namespace flopsmith::ui
