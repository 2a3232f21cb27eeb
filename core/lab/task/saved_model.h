// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/weights.h"
#include "core/lab/plan/lab_plan.h"
#include "core/model/operation.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A trained model of text that a lab has saved beside its log.
struct SavedModel
{
    LabPlan plan; ///< of the lab that trained it
    FfnSpec ffn;
    Scenario scenario; ///< one sequence of `sequence` tokens
    Weights<double> weights; ///< of planOf(scenario)
    std::vector<std::string> symbols; ///< one per token
    int sequence = 1; ///< tokens that it sees at most
    std::string run; ///< "dense, seed 2, learning rate 0.003"
};

/// Errors: a file that is no such model.
Result<SavedModel> savedModel(const std::string& path);

} // namespace flopsmith
