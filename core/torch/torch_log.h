// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/lab/run/run_state.h"
#include "core/lab/run/training_run.h"
#include "core/torch/lab_training.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// Writes the lines of train.py into a lab's log, and its states into files of the lab. Job, training
/// and sink outlive it.
class TorchLog
{
public:
    /// train.py saves its state in `folder`.
    TorchLog(const RunJob& job, const LabTraining& lab, std::string folder, const RunSink& sink);

    Status begin(bool resumed) const;

    /// The end of the run if the line says that. Errors: a line that train.py does not write, those
    /// of the sink, files that cannot be written.
    Result<std::optional<LabEnd>> take(const Json& line);

private:
    Status takeStep(const Json& line);
    Status takePoint(const Json& line);
    Status takeState();
    Status logSteps();
    Status saveAs(const std::string& path, const std::vector<std::string>& symbols) const;
    Status keepModel() const;
    Result<std::optional<LabEnd>> end(const std::string& why);

    const RunJob& m_job;
    const LabTraining& m_lab;
    std::string m_folder;
    const RunSink& m_sink;
    RunCost m_cost;
    std::int64_t m_step = 0;
    double m_logged = 0.0; ///< seconds of the run when its steps were logged
    LoggedSteps m_unlogged;
};

/// Writes how long the steps of train.py took as an arm's timing, unless it was stopped before it had
/// taken all of them.
class TorchTimer
{
public:
    TorchTimer(const RunJob& job, const LabTraining& lab, const RunSink& sink);

    /// As TorchLog::take().
    Result<std::optional<LabEnd>> take(const Json& line);

private:
    const RunJob& m_job;
    const LabTraining& m_lab;
    const RunSink& m_sink;
    double m_total = 0.0; ///< seconds of all steps so far
    std::vector<double> m_seconds; ///< of each
};

} // namespace flopsmith::torch
