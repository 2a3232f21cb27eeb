// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/next_run.h"
#include "core/lab/run/training_run.h"
#include "core/measure/clock.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// Where a lab stands.
struct LabProgress
{
    RunKey key;
    std::int64_t step = 0;
    std::int64_t steps = 0;
    double loss = 0.0; ///< smoothed
    LabProgressCount runs{};
    double begun = 0.0; ///< runs that are under way, in runs: two half done ones are 1
};

/// Trains one run; several are called from threads of their own.
using RunExecutor =
    std::function<Result<LabEnd>(const RunJob&, const RunSink&, const std::stop_token&)>;

/// In this process.
RunExecutor executorHere(Engines engines, Clock clock = steadyClock());

struct LabSettings
{
    std::function<void(const LabProgress&)> progress = [](const LabProgress&) {}; ///< each step
    std::vector<RunExecutor> executors{executorHere(Engines{})}; ///< so many runs side by side
    double saveEvery = 10.0; ///< seconds between saved states of a run
    int timedSteps = 50; ///< of each arm, with nothing beside it
    WorkShare share{}; ///< of several machines that each write a log
    /// Is told why an executor failed and is used no more; its run is left to the others.
    std::function<void(const Error&)> lost = [](const Error&) {};
};

/// Executes what the log lacks until all is done or the token says stop; then the runs under way are
/// saved beside the log and go on next time, bit for bit. Each arm's steps are timed with nothing
/// beside them, where branches follow from that before all runs, else behind them. Errors: a task or
/// model that cannot be, a file that cannot be written, a program that ended and was the last one.
Result<LabEnd> runLab(LabLogFile& file, const LabSettings& settings, const std::stop_token& stop);

/// Where the state of a run that was stopped is, and where trained models of text are kept.
std::string statePath(const std::string& logPath, std::size_t run);
std::string modelPath(const std::string& logPath, const RunKey& key);

} // namespace flopsmith
