// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"
#include "core/lab/run/run_control.h"
#include "core/measure/clock.h"
#include "core/train/engine.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// A branch of a run that cools down for a view.
struct JobBranch
{
    LabView view = LabView::flops;
    std::int64_t steps = 0; ///< where it ends
    bool done = false; ///< the log has its end
    std::int64_t logged = 0; ///< steps of it that the log has

    bool operator==(const JobBranch&) const = default;
};

/// One run of a lab, which a thread or a process trains by itself.
struct RunJob
{
    LabPlan plan;
    RunKey key;
    std::size_t number = 0; ///< in the log
    std::int64_t logged = 0; ///< steps of it that the log has
    std::string state{}; ///< the file that a stopped run is saved in; empty: nowhere
    std::string model{}; ///< the file of the trained model, if the task has symbols; empty: nowhere
    double saveEvery = 10.0; ///< seconds between saved states
    std::vector<JobBranch> branches{}; ///< by where they end
    int timedSteps = 0; ///< more than 0: this many steps are timed, and nothing is trained
    bool paused = false; ///< its program waits for the first step to be requested

    bool operator==(const RunJob&) const = default;
};

/// The progress of a run.
struct RunProgress
{
    std::int64_t step = 0;
    std::int64_t steps = 0;
    double loss = 0.0; ///< smoothed
};

/// Where a run reports.
struct RunSink
{
    std::function<Status(const LogLine&)> write;
    std::function<void(const RunProgress&)> progress = [](const RunProgress&) {}; ///< each step
    std::function<void(const std::string&)> note = [](const std::string&) {}; ///< for a person
};

/// The kernels of both precisions.
struct Engines
{
    Engine<float> float32 = referenceEngine<float>();
    Engine<double> float64 = referenceEngine<double>();
};

enum class LabEnd { complete, stopped };

/// Trains a run and its branches from its first or its saved step to its end. When a stop is requested
/// it is saved, and continues bit for bit. Losses are written every half second, before each
/// evaluation, saved state and wait. `control`, if any, pauses it and lets it take single steps.
/// Errors: an impossible task or model, a file that cannot be written, a sink that fails.
Result<LabEnd> trainRun(const RunJob& job,
                        const Engines& engines,
                        const RunSink& sink,
                        const Clock& clock,
                        const std::stop_token& stop,
                        RunControl* control = nullptr);

/// A job as one line, and back. An Error names what is wrong, or another version of it.
std::string jobLine(const RunJob& job);
Result<RunJob> jobOfLine(std::string_view line);

} // namespace flopsmith
