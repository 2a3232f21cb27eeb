// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/checks/lab_check.h"
#include "core/lab/run/lab_run.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// A lab of one run whose final score has a known bound.
struct KnownLab
{
    std::string name; ///< "attention recalls pairs"
    LabPlan plan; ///< of the dense arm, one seed, one rate
    double bound = 0.0; ///< of the score at the end
    bool atLeast = true; ///< the score reaches the bound; else it stays below
};

/// What is known of models and tasks: attention recalls pairs and a Fourier mixer does not, induction
/// needs two layers, a dense FFN memorises, regression comes near to least squares. Minutes.
const std::vector<KnownLab>& knownLabs();

/// Trains students of a random teacher by an executor: none, linear, spectral and dense ones must
/// reach their closed forms (task/closed_forms.h) within 0.01. Seconds with the CPU kernels. Fails as
/// runLab() does.
Status runStudentChecks(const RunExecutor& executor,
                        const std::function<void(const LabCheck&)>& take,
                        const std::stop_token& stop);

/// Trains these labs by an executor and reports each check when it is done. Fails as runLab() does.
Status runKnownLabs(const RunExecutor& executor,
                    const std::function<void(const LabCheck&)>& take,
                    const std::stop_token& stop);

} // namespace flopsmith
