// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/log/lab_log_file.h"
#include "core/lab/progress/time_left.h"
#include "core/measure/clock.h"
#include "core/present/lab/lab_chart.h"
#include "ui/lab/lab_training.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace flopsmith::ui {

class LabReferences;

/// The lab that the window has open: its plan, its log, and the training under way. Programs of
/// their own train, and every line that they write is applied to the log here. A log that the command
/// line writes is followed in its file. Every change of the plan begins another log, which reuses the
/// runs that it would train identically; logs that were begun stay in their folder.
class LabSession : public QObject
{
    Q_OBJECT

public:
    enum class State {
        ready, ///< nothing is trained, though something may be missing
        training,
        paused,
        complete,
    };

    explicit LabSession(QObject* parent = nullptr);
    ~LabSession() override;

    /// Where logs are begun. The default is the program's folder for data.
    void setFolder(const QString& folder) { m_folder = folder; }
    /// Commands that train a run each; the default is one flopsmith-train for each core.
    void setWorkers(std::vector<std::vector<std::string>> workers);
    /// In place of the system's clock, by which the time left is estimated.
    void setClock(Clock clock) { m_clock = std::move(clock); }
    int workers() const { return static_cast<int>(m_workers.size()); }

    const LabPlan& plan() const { return m_log.plan; }
    const LabLog& log() const { return m_log; }
    const std::vector<ReferenceScore>& references() const;
    State state() const { return m_state; }
    bool isTraining() const { return m_training != nullptr || m_state == State::training; }

    /// The log's file; empty before there is one.
    const QString& logPath() const { return m_path; }

    /// Changes a copy of the plan and of the arms that were chosen, and takes it over if it is legal.
    /// What is under way then is saved, and training resumes with the runs that fit the new plan, as
    /// soon as no other change follows.
    using Edit = std::function<void(LabPlan&, std::vector<Arm>&)>;
    Status change(const Edit& edit);

    /// A plan (`.flopsmith-lab`) or a log.
    Status open(const QString& path);
    Status savePlan(const QString& path) const;

    void play();
    void pause();
    void step(); ///< one of each run under way, and then it is paused
    void reset(); ///< the same plan from the beginning, in another log

    std::vector<RunUnderWay> runsUnderWay() const;
    /// Whether a step of some arm is timed, with no run beside it.
    bool isTiming() const;
    /// Whether a run of a seed is finished, so that an arm has a result.
    bool hasResult() const;
    LabProgressCount runs() const { return countRuns(m_log); }
    std::optional<double> secondsLeft() const { return m_left.seconds(); }

    /// Reads log and progress now; a timer does it while something is trained or read.
    void poll();

Q_SIGNALS:
    void planChanged(); ///< another plan or log
    void logChanged(); ///< it says more, or what it is compared with
    void stateChanged();
    void progressed();
    void failed(const QString& sentence);

private:
    void setState(State state);
    void showLog(LabLog log, State state = State::ready);
    void begin(bool paused);
    Status beginLog();
    Result<LabLogFile> lockedLog();
    Status readNext();
    Status catchUp();
    QString newLogPath() const;
    void finish(const LabTraining* training, const Result<LabEnd>& end);
    void leaveTraining();
    bool isComplete() const;
    void readReferences();

    std::vector<std::vector<std::string>> m_workers;
    QString m_folder;
    QString m_path;
    LabLog m_log;
    std::optional<LabTail> m_tail; ///< how much of the file is in the log; none before there is one
    State m_state = State::ready;
    Clock m_clock = steadyClock();
    TimeLeft m_left;
    QTimer m_poll;
    QTimer m_resume; ///< runs from a change of the plan until its lab is trained
    LabReferences* m_references;
    std::unique_ptr<LabTraining> m_training;
    std::vector<std::unique_ptr<LabTraining>> m_leaving; ///< that save what they had under way
};

} // namespace flopsmith::ui
