// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/progress/lab_progress.h"
#include "core/lab/run/training_run.h"
#include "core/measure/clock.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// Trains one run; several are called from threads of their own.
using RunExecutor =
    std::function<Result<LabEnd>(const RunJob&, const RunSink&, const std::stop_token&)>;

/// In this process.
RunExecutor executorHere(Engines engines, Clock clock = steadyClock());

struct LabSettings
{
    std::function<void(const LabProgress&)> progress = [](const LabProgress&) {}; ///< each step
    std::vector<RunExecutor> executors{executorHere(Engines{})}; ///< one run at a time each
    double saveEvery = 10.0; ///< seconds between saved states of a run
    int timedSteps = 50; ///< of each arm, with nothing beside it
    WorkShare share{}; ///< of several machines that each write a log
    /// Gets the error of an executor that failed. It is not used again; others train its run.
    std::function<void(const Error&)> failed = [](const Error&) {};
    /// Gets a sentence about a run under way: that its program is silent.
    std::function<void(const std::string&)> note = [](const std::string&) {};
};

/// Executes what the log lacks until all is done or a stop is requested. Runs under way are then saved
/// beside the log and continue bit for bit next time. Each arm's steps are timed with nothing beside
/// them: before all runs if branches depend on it, else after them. Errors: a task or model that
/// cannot be, a file that cannot be written, the failure of the last executor.
Result<LabEnd> runLab(LabLogFile& file, const LabSettings& settings, const std::stop_token& stop);

/// Where a stopped run saves its state, and where trained models of text are saved.
std::string statePath(const std::string& logPath, std::size_t run);
std::string modelPath(const std::string& logPath, const RunKey& key);

} // namespace flopsmith
