// SPDX-License-Identifier: MIT
#include "core/lab/lab_results.h"

#include "core/lab/next_run.h"
#include "core/measure/samples.h"

#include <algorithm>
#include <limits>

namespace flopsmith {
namespace {

std::vector<const LoggedRun*> seedRuns(const LabLog& log, std::string_view arm)
{
    std::vector<const LoggedRun*> runs;
    const std::optional<double> rate = tunedRate(log, arm);
    for (int seed = 1; rate && seed <= log.plan.seeds; ++seed) {
        const LoggedRun* run =
            log.run({.arm = std::string(arm), .seed = seed, .rate = *rate, .tuning = false});
        if (run != nullptr && run->end != RunEnd::open) {
            runs.push_back(run);
        }
    }
    return runs;
}

bool hasFinished(const LoggedRun& run)
{
    return run.end == RunEnd::finished && !run.points.empty();
}

// Where a finished run ends in a view: at the end of its branch, if it has one.
std::optional<LoggedPoint> endOf(const LoggedRun& run, LabView view)
{
    if (!hasFinished(run)) {
        return std::nullopt;
    }
    const LoggedBranch* branch = run.branch(view);
    if (branch == nullptr) {
        return run.points.back();
    }
    const bool counts = branch->end == RunEnd::finished && !branch->points.empty();
    return counts ? std::optional(branch->points.back()) : std::nullopt;
}

bool hasDiverged(const LoggedRun& run, LabView view)
{
    const LoggedBranch* branch = run.branch(view);
    return run.end == RunEnd::diverged || (branch != nullptr && branch->end == RunEnd::diverged);
}

// The budget that every finished run has reached.
std::optional<double> sharedBudget(const LabLog& log, LabView view)
{
    std::optional<double> minimum;
    for (const Arm& arm : log.plan.arms) {
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            if (const auto point = endOf(*run, view)) {
                const double end = alongView(log, *run, view, *point);
                minimum = minimum ? std::min(*minimum, end) : end;
            }
        }
    }
    return minimum;
}

bool hasGivenUp(const LabLog& log, const Arm& arm)
{
    if (!log.plan.tunes || tunedRate(log, arm.name)) {
        return false;
    }
    // Without a rate, either a tuning run is missing or all of them diverged.
    int ended = 0;
    for (const LoggedRun& run : log.runs) {
        const bool isTuning = run.key.tuning && run.key.arm == arm.name;
        if (isTuning && run.end != RunEnd::diverged) {
            return false;
        }
        ended += isTuning ? 1 : 0;
    }
    return ended >= 5;
}

MeanInterval intervalOf(const std::map<int, LoggedPoint>& points, double LoggedPoint::*number)
{
    std::vector<double> values;
    for (const auto& each : points) {
        values.push_back(each.second.*number);
    }
    return meanInterval(values);
}

} // namespace

double secondsUntil(const LabLog& log, const LoggedRun& run, const LoggedPoint& point)
{
    const auto timed = log.timings.find(run.key.arm);
    return timed == log.timings.end() ? point.seconds
                                      : static_cast<double>(point.step) * timed->second.stepSeconds;
}

double alongView(const LabLog& log, const LoggedRun& run, LabView view, const LoggedPoint& point)
{
    switch (view) {
    case LabView::steps: return static_cast<double>(point.step);
    case LabView::flops: return point.flops;
    case LabView::seconds: return secondsUntil(log, run, point);
    }
    return 0.0;
}

std::optional<LoggedPoint> pointAt(const LabLog& log,
                                   const LoggedRun& run,
                                   LabView view,
                                   double budget)
{
    std::optional<LoggedPoint> last;
    for (const LoggedPoint& point : run.points) {
        if (alongView(log, run, view, point) <= budget) {
            last = point;
        }
    }
    return last;
}

MeanInterval ArmResult::score() const
{
    return intervalOf(points, &LoggedPoint::score);
}

MeanInterval ArmResult::loss() const
{
    return intervalOf(points, &LoggedPoint::loss);
}

const ArmResult* LabResults::arm(std::string_view name) const
{
    const auto found = std::find_if(
        arms.begin(), arms.end(), [&](const ArmResult& each) { return each.arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

LabResults labResults(const LabLog& log, LabView view)
{
    LabResults results{
        .view = view, .isEnd = log.plan.coolsDownFor(view), .budget = sharedBudget(log, view)};
    const double budget = results.budget.value_or(std::numeric_limits<double>::infinity());
    for (const Arm& arm : log.plan.arms) {
        ArmResult result{
            .arm = arm, .rate = tunedRate(log, arm.name), .gaveUp = hasGivenUp(log, arm)};
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            result.diverged += hasDiverged(*run, view) ? 1 : 0;
            result.parameters = run->parameters;
            const std::optional<LoggedPoint> end = endOf(*run, view);
            const std::optional<LoggedPoint> point =
                results.isEnd || !end ? end : pointAt(log, *run, view, budget);
            if (point) {
                result.points[run->key.seed] = *point;
            }
        }
        results.arms.push_back(std::move(result));
    }
    return results;
}

namespace {

// Along the run until its branch for the view begins, and along the branch.
std::vector<LoggedPoint> pointsOf(const LoggedRun& run, LabView view)
{
    const LoggedBranch* branch = run.branch(view);
    if (branch == nullptr) {
        return run.points;
    }
    std::vector<LoggedPoint> points;
    for (const LoggedPoint& point : run.points) {
        if (point.step <= branch->from) {
            points.push_back(point);
        }
    }
    points.insert(points.end(), branch->points.begin(), branch->points.end());
    return points;
}

std::vector<LossPoint> curveOf(const LabLog& log,
                               std::string_view arm,
                               LabView view,
                               double LoggedPoint::*value)
{
    struct Place
    {
        std::vector<double> xs;
        std::vector<double> values;
    };
    std::map<std::int64_t, Place> bySteps;
    std::size_t runs = 0;
    for (const LoggedRun* run : seedRuns(log, arm)) {
        if (!endOf(*run, view)) {
            continue;
        }
        ++runs;
        for (const LoggedPoint& point : pointsOf(*run, view)) {
            Place& place = bySteps[point.step];
            place.xs.push_back(alongView(log, *run, view, point));
            place.values.push_back(point.*value);
        }
    }
    std::vector<LossPoint> curve;
    for (const auto& each : bySteps) {
        const Place& place = each.second;
        if (place.values.size() == runs) {
            curve.push_back({.x = medianOf(place.xs),
                             .median = medianOf(place.values),
                             .low = *std::ranges::min_element(place.values),
                             .high = *std::ranges::max_element(place.values)});
        }
    }
    return curve;
}

} // namespace

std::vector<LossPoint> lossCurve(const LabLog& log, std::string_view arm, LabView view)
{
    return curveOf(log, arm, view, &LoggedPoint::loss);
}

std::vector<LossPoint> scoreCurve(const LabLog& log, std::string_view arm, LabView view)
{
    return curveOf(log, arm, view, &LoggedPoint::score);
}

} // namespace flopsmith
