// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/run/prepared_run.h"
#include "core/lab/run/run_state.h"
#include "core/lab/run/training_run.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// A run under way: takes steps, logs what they report, and saves its state in a file. The log is
/// written first, so that it never ends before the saved step. Errors come from executor and sink, and
/// from files that cannot be written.
template <class S>
class OngoingRun
{
public:
    /// Job, sink and clock outlive it.
    OngoingRun(const RunJob& job, const RunSink& sink, const Clock& clock, PreparedRun<S> run);

    std::int64_t step() const { return m_trainer.state().step; } ///< steps done
    std::int64_t steps() const { return m_steps; } ///< of the whole run
    std::int64_t resumedAt() const { return m_resumedAt; } ///< 0 of a run that began anew
    const Schedule& schedule() const { return m_trainer.settings().schedule; }

    /// Continues from the saved state, or begins with an evaluation of the untrained model.
    Status begin();

    /// Logs and evaluates what is due too. An evaluated step reports the norm of each tensor in any
    /// case. False if the run has diverged.
    Result<bool> takeStep(NormDetail detail);

    /// Logs the steps so far.
    Status logSteps();

    Status save();

    /// Begins a branch that cools down by `schedule`, or continues it from its saved state. The state
    /// of the run is saved before, for a run that is stopped in the branch.
    Status enterBranch(const JobBranch& branch, const Schedule& schedule);

    /// Logs how the branch ended and returns to the state of the run.
    Status leaveBranch(RunEnd end);

    /// Logs how the run ended, saves the model of a finished one if the job names a file for it, and
    /// removes the saved state.
    Status finish(RunEnd end);

private:
    /// A branch that is being trained, and the run as it was before.
    struct Branch
    {
        LabView view;
        std::int64_t steps; ///< where it ends
        TrainingState<S> start;
        RunCost spent;
        Schedule schedule; ///< of the run
    };

    const LabPlan& plan() const { return m_job.plan; }
    RunPart part() const;
    std::optional<LabView> view() const;
    std::int64_t end() const { return m_branch ? m_branch->steps : m_steps; }
    std::string stateFile() const;
    bool isEvaluated(std::int64_t step) const;

    bool resume(std::int64_t logged);
    Status beginBranch(const JobBranch& branch);
    void record(const StepReport& report);
    Result<bool> logDue();
    Status logSteps(std::int64_t last);
    Status logParts();
    Status evaluate();
    Status logEnd(RunEnd end);
    Status saveModel();
    Status saveTo(const std::string& path) const;

    const RunJob& m_job;
    const RunSink& m_sink;
    const Clock& m_clock;
    std::unique_ptr<Task> m_task;
    StepCost m_cost;
    Trainer<S> m_trainer;
    std::int64_t m_steps; ///< of the run
    std::int64_t m_parameters;
    std::vector<TrainingBatch<S>> m_tests;
    std::map<std::string, double> m_calibration;
    std::optional<Branch> m_branch;
    std::int64_t m_resumedAt = 0;
    RunCost m_spent;
    std::int64_t m_logged = 0; ///< steps that the log has
    LoggedSteps m_unlogged; ///< of the steps after them
    std::vector<PartNorm> m_parts; ///< of the last step, if it reported the norm of each tensor
    double m_lastSave = 0.0;
    double m_lastLog = 0.0;
};

extern template class OngoingRun<float>;
extern template class OngoingRun<double>;

} // namespace flopsmith
