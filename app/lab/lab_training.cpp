// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_training.h"

#include "app/terminal/progress_line.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/lab/progress/time_left.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/process/interrupt.h"

#include <csignal>
#include <string>

namespace flopsmith::app {
namespace {

constexpr double kShownEvery = 0.1; ///< seconds

/// One line on the terminal: run, step, loss and the time left.
class LabProgressLine
{
public:
    LabProgressLine(const LabLog& log, const WorkShare& share)
        : m_clock(steadyClock())
    {
        m_left.update(m_clock(), countRuns(log, share), 0.0);
    }

    void show(const LabProgress& progress)
    {
        const double now = m_clock();
        if (!m_line.isVisible() || now - m_shown < kShownEvery) {
            return;
        }
        m_shown = now;
        m_left.update(now, progress.runs, trainedShare(progress.underWay));
        const RunUnderWay& run = progress.run;
        m_line.show("run " + std::to_string(progress.runs.done + 1) + " of "
                    + std::to_string(progress.runs.planned) + ": " + keyText(run.key) + ", step "
                    + std::to_string(run.step) + " of " + std::to_string(run.steps) + ", loss "
                    + fixedText(run.loss, 3) + ", " + durationText(m_left.seconds().value_or(0.0))
                    + " left");
    }

private:
    ProgressLine m_line;
    TimeLeft m_left{0.0};
    Clock m_clock;
    double m_shown = -1.0;
};

} // namespace

Outcome trainedLab(LabLogFile& log,
                   const std::vector<RunExecutor>& workers,
                   const WorkShare& share,
                   const std::function<Outcome(const LabLog&)>& whenComplete)
{
    if (log.lock() == LogLock::impossible) {
        noteNow(log.path()
                + ": its file system has no locks; take care that no other run writes this log");
    }
    int signal = 0;
    Result<LabEnd> end = LabEnd::complete;
    {
        const Interrupt interrupt;
        LabProgressLine line(log.log(), share);
        LabSettings settings{.executors = workers, .share = share};
        settings.failed = [](const Error& error) {
            noteNow(printable(error.message) + "; its run is left to the others");
        };
        settings.note = [](const std::string& text) { noteNow(printable(text)); };
        settings.progress = [&line](const LabProgress& progress) { line.show(progress); };
        end = runLab(log, settings, interrupt.token());
        signal = interrupt.signal();
    }
    if (!end) {
        return Outcome::badInput(end.error());
    }
    if (*end == LabEnd::complete) {
        return whenComplete(log.log());
    }
    const LabProgressCount count = countRuns(log.log(), share);
    noteNow("stopped after " + std::to_string(count.done) + " of " + std::to_string(count.planned)
            + " runs; to continue: " + continuingCommand(log.path()));
    if (signal != 0) {
        std::raise(signal); // after the cleanup the program ends by its signal
    }
    return Outcome::success({});
}

std::string continuingCommand(const std::string& log)
{
    return printable(commandText({"flopsmith", "lab", "run", "-o", log}));
}

} // namespace flopsmith::app
