// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"
#include "core/lab/results/statistics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Students of one teacher, each family at the teacher's FLOPs divided by each ratio.
struct DistilRequest
{
    LabPlan plan; ///< its task is a TeacherTask; its arms are not read
    std::vector<std::string> families; ///< of armNames()
    std::vector<double> ratios{1.0, 2.0, 4.0, 8.0};
};

/// The largest FFN of its kind whose training step costs at most this many FLOPs per token. What is
/// changed is the first of rank, frequencies, features, width that it has. Nothing if even the
/// smallest costs more.
std::optional<FfnSpec> fittedTo(FfnSpec ffn, int dModel, double flopsPerToken);

/// FLOPs of a training step of the teacher per token. Errors: a trained one that cannot be read.
Result<double> teacherFlops(const TeacherTask& teacher, int dModel);

/// The lab of all students, "low_rank/8" for each family and ratio. A student that is the same at
/// several ratios is listed once, with the first.
Result<LabPlan> distilPlan(const DistilRequest& request);

/// What a student reached.
struct StudentResult
{
    std::string family;
    std::string ratio; ///< as requested; empty for controls
    double cheaper = 0.0; ///< the teacher's FLOPs over the student's; infinite without an FFN
    std::optional<std::int64_t> parameters; ///< none before it has a run
    MeanInterval score; ///< R²
    std::optional<double> predicted; ///< by a closed form
    int diverged = 0;
};

/// Of a log of such a lab, the dearest first.
Result<std::vector<StudentResult>> studentResults(const LabLog& log);

} // namespace flopsmith
