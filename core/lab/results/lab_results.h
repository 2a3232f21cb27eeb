// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/log/lab_log.h"
#include "core/lab/results/statistics.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Seconds of the steps up to a point. Where all arms were timed alone, they follow from these
/// timings; else the run measured them.
double secondsUntil(const LabLog& log, const LoggedRun& run, const LoggedPoint& point);

/// How far a point is along a view's axis.
double alongView(const LabLog& log, const LoggedRun& run, LabView view, const LoggedPoint& point);

/// The last evaluation within the budget before the learning rate falls (a cosine, which falls all
/// along, counts as a whole); never beyond what was logged.
std::optional<LoggedPoint> pointAt(const LabLog& log,
                                   const LoggedRun& run,
                                   LabView view,
                                   double budget);

/// What an arm reached.
struct ArmResult
{
    Arm arm;
    std::optional<double> rate; ///< that its tuning found
    bool gaveUp = false; ///< every rate diverged
    int diverged = 0; ///< of its seeds
    std::optional<std::int64_t> parameters; ///< none before it has a run
    std::map<int, LoggedPoint> points; ///< by seed, at the budget
    double shareOfSteps = 1.0; ///< that the points have of the steps of their runs, the least

    MeanInterval score() const;
    MeanInterval loss() const;
};

struct LabResults
{
    LabView view = LabView::steps;
    /// Whether the models of the points have cooled down, at the ends of the runs or of their
    /// branches for this view; else points are cuts through runs.
    bool isEnd = false;
    std::optional<double> budget; ///< of cuts: where the first of the runs begins to cool down
    std::vector<ArmResult> arms; ///< as in the plan

    const ArmResult* arm(std::string_view name) const;
};

/// The finished runs of a log's seeds at one budget. Tuning runs never count.
LabResults labResults(const LabLog& log, LabView view);

/// Losses of one arm over a view's axis, at the points where all of its finished seeds were
/// evaluated: median, minimum and maximum. After the step where a branch for the view begins,
/// the losses come from the branch.
struct LossPoint
{
    double x = 0.0; ///< median of the seeds
    double median = 0.0;
    double low = 0.0;
    double high = 0.0;
};

std::vector<LossPoint> lossCurve(const LabLog& log, std::string_view arm, LabView view);

/// The same of scores.
std::vector<LossPoint> scoreCurve(const LabLog& log, std::string_view arm, LabView view);

} // namespace flopsmith
