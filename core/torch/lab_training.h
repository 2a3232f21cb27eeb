// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"
#include "core/lab/run/run_state.h"
#include "core/lab/task/task.h"
#include "core/torch/training_folder.h"
#include "core/train/step_cost.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// A run of a lab as PyTorch trains it.
struct LabTraining
{
    LabPlan plan;
    RunKey key;
    std::unique_ptr<Task> task;
    Training training; ///< without batches, see fillBatches()
    RunCost cost{}; ///< by the state's step
    StepCost stepCost;
    std::int64_t steps = 0; ///< that the budget allows
    std::int64_t parameters = 0; ///< numbers that are trained
    std::map<std::string, double> calibration{}; ///< factors of FFNs, by their paths
};

/// From its first step. Errors: those of preparedRun(); a task that trains an FFN alone, for which
/// there is no program.
Result<LabTraining> labTraining(const LabPlan& plan, const RunKey& key);

/// Adds the batches of all remaining steps and those of the evaluations.
void fillBatches(LabTraining& lab);

/// Continues from a state that a lab saved. False, and nothing changes, if the file is not of this
/// run, or of a step later than `latest`.
bool continueFrom(LabTraining& lab, const std::string& path, std::int64_t latest);

/// Saves a state as a lab does, so that CPU kernels and PyTorch alike continue from it.
Status saveLabState(const LabTraining& lab,
                    const std::string& path,
                    const TrainingState<double>& state,
                    const RunCost& cost,
                    const std::vector<std::string>& symbols = {});

/// The run of a saved state or a kept model, at its step. Errors: a file that is neither, or the state
/// of a branch, whose schedule is another one.
Result<LabTraining> savedLabTraining(const std::string& path);

} // namespace flopsmith::torch
