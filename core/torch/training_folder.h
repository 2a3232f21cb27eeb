// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/run/model_plan.h"
#include "core/train/batch.h"
#include "core/train/recipe.h"
#include "core/train/settings/training_settings.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// The progress of a run, besides its weights.
struct TrainingProgress
{
    double firstLoss = 0.0; ///< of step 1
    double smoothedLoss = 0.0; ///< by which divergence is seen
    double seconds = 0.0; ///< of the steps so far

    bool operator==(const TrainingProgress&) const = default;
};

/// A training of a whole model that train.py does, from a state to a last step.
struct Training
{
    Scenario scenario;
    ModelPlan plan; ///< of the scenario
    std::vector<TensorRecipe> recipes; ///< one per tensor of the plan
    TrainingState<double> state; ///< where it begins; at step 0 moments are not read
    TrainingProgress progress{};
    TrainingSettings settings{};
    bool isDouble = false; ///< else float
    std::int64_t until = 0; ///< the last step
    std::int64_t evaluateEvery = 50; ///< steps
    std::vector<TrainingBatch<float>> batches; ///< of the steps after the state's, all of one size
    std::vector<TrainingBatch<float>> tests{}; ///< of one size too; empty: nothing is evaluated
};

/// Writes train.py and all that it reads except the model into an existing folder: training.json,
/// batches.safetensors, test.safetensors, check.py (whose reader it uses), and for a state after
/// step 0 state.safetensors. Errors: batches of several sizes, a file that cannot be written.
Status writeTraining(const std::string& folder, const Training& training);

/// What README.md of a folder says of these files.
std::string trainingFilesText(const Training& training);

/// Writes model.py and model.safetensors, as writeDesignFolder() does.
Status writeTrainingModel(const std::string& folder, const Training& training);

/// What train.py saved in the folder of a training.
struct SavedTraining
{
    TrainingState<double> state;
    TrainingProgress progress;
};
Result<SavedTraining> savedTraining(const std::string& folder, const Training& training);

} // namespace flopsmith::torch
