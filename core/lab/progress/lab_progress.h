// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/progress/next_run.h"

#include <cstdint>
#include <span>
#include <vector>

namespace flopsmith {

/// How far a run under way is.
struct RunUnderWay
{
    RunKey key;
    std::int64_t step = 0;
    std::int64_t steps = 0;
    double loss = 0.0; ///< smoothed
};

/// How much of runs under way is trained, in runs: two half trained ones are 1.
double trainedShare(std::span<const RunUnderWay> runs);

/// The progress of a lab that is trained.
struct LabProgress
{
    RunUnderWay run; ///< that has taken a step
    std::vector<RunUnderWay> underWay{}; ///< all, by the texts of their keys
    LabProgressCount runs{};
};

} // namespace flopsmith
