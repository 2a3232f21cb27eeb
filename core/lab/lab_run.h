// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/lab_log_file.h"
#include "core/lab/next_run.h"
#include "core/measure/clock.h"

#include <functional>
#include <stop_token>
#include <string>

namespace flopsmith {

/// Where a lab stands.
struct LabProgress
{
    RunKey key;
    std::int64_t step = 0;
    std::int64_t steps = 0;
    double loss = 0.0; ///< smoothed
    LabProgressCount runs{};
};

struct LabSettings
{
    std::function<void(const LabProgress&)> progress = [](const LabProgress&) {}; ///< each step
    Clock clock = steadyClock();
    double saveEvery = 10.0; ///< seconds between saved states of a run
};

enum class LabEnd { complete, stopped };

/// Executes what the log lacks until all is done or the token says stop; then the current run is
/// saved beside the log ("….state") and goes on next time, bit for bit. What is logged is on the disk
/// when a step begins. Errors: a task or model that cannot be, a file that cannot be written.
Result<LabEnd> runLab(LabLogFile& file, const LabSettings& settings, std::stop_token stop);

/// Where the state of a run that was stopped is, and where trained models of text are kept.
std::string statePath(const std::string& logPath);
std::string modelPath(const std::string& logPath, const RunKey& key);

/// A loss and its score over test batches.
struct TestScore
{
    double loss = 0.0;
    double score = 0.0;
};

template <class S>
class Trainer;

/// How well a trainer does on the task's test batches.
template <class S>
Result<TestScore> testScore(Trainer<S>& trainer,
                            const std::vector<TrainingBatch<S>>& batches,
                            Score score);

} // namespace flopsmith
