// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/run/lab_run.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// By which programs a lab is trained.
struct TrainingOrder
{
    std::vector<std::vector<std::string>> workers; ///< a command each: so many runs side by side
    double saveEvery = 10.0; ///< seconds between saved states of a run
    bool paused = false; ///< until a step is asked for, or resume
};

/// A thread that executes what a log lacks, by training programs. The destructor stops them, which
/// saves the runs under way, and waits for that.
class LabTraining
{
public:
    /// `finished` is called on the thread, as its last deed.
    LabTraining(LabLogFile log,
                TrainingOrder order,
                std::function<void(const Result<LabEnd>&)> finished);
    ~LabTraining();
    LabTraining(const LabTraining&) = delete;
    LabTraining& operator=(const LabTraining&) = delete;

    RunControl& control() { return *m_control; }
    void stop() { m_thread.request_stop(); }

    /// The lines that were appended to the log since the last call.
    std::vector<LogLine> takeLines();

    /// The runs under way when one of them took a step last.
    std::vector<RunUnderWay> runs() const;

private:
    Result<LabEnd> train(LabLogFile log, const TrainingOrder& order, const std::stop_token& stop);

    std::shared_ptr<RunControl> m_control = std::make_shared<RunControl>();
    mutable std::mutex m_mutex; ///< of the next two
    std::vector<LogLine> m_lines; ///< that were not taken yet
    std::vector<RunUnderWay> m_runs;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace flopsmith::ui
