// SPDX-License-Identifier: MIT
#include "core/lab/results/lab_results.h"

#include "core/lab/progress/next_run.h"
#include "core/measure/samples.h"

#include <algorithm>
#include <cmath>
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

// A last update may leave weights whose evaluation is not finite.
bool endsFinite(const std::vector<LoggedPoint>& points)
{
    return !points.empty() && std::isfinite(points.back().loss)
        && std::isfinite(points.back().score);
}

template <class Part>
bool hasFinished(const Part& part)
{
    return part.end == RunEnd::finished && endsFinite(part.points);
}

template <class Part>
bool isDiverged(const Part& part)
{
    return part.end == RunEnd::diverged
        || (part.end == RunEnd::finished && !part.points.empty() && !endsFinite(part.points));
}

// Whether models of an arm cool down for a view in a branch of their runs. Which do is not known
// before all arms are timed.
bool needsBranch(const LabLog& log, const LoggedRun& run, LabView view)
{
    if (std::ranges::find(log.plan.branches, view) == log.plan.branches.end()) {
        return false;
    }
    return nextTiming(log)
        || std::ranges::any_of(coolDowns(log, run.key.arm),
                               [view](const CoolDown& each) { return each.view == view; });
}

// Where a finished run ends in a view: at the end of its branch, if the plan requests one.
std::optional<LoggedPoint> endOf(const LabLog& log, const LoggedRun& run, LabView view)
{
    if (!hasFinished(run)) {
        return std::nullopt;
    }
    if (const LoggedBranch* branch = run.branch(view)) {
        return hasFinished(*branch) ? std::optional(branch->points.back()) : std::nullopt;
    }
    return needsBranch(log, run, view) ? std::nullopt : std::optional(run.points.back());
}

bool hasDiverged(const LoggedRun& run, LabView view)
{
    const LoggedBranch* branch = run.branch(view);
    return isDiverged(run) || (branch != nullptr && isDiverged(*branch));
}

// The last step before the learning rate falls; of a cosine, which falls all along, the run's.
std::int64_t lastConstantStep(const LabLog& log, const LoggedRun& run)
{
    const Schedule schedule = settingsOf(log.plan, run.key.rate, run.steps).schedule;
    return schedule.decay == Decay::linear ? run.steps - schedule.cooldownSteps()
                                           : std::numeric_limits<std::int64_t>::max();
}

// Where a finished run counts in a view: at its end, or cut at a budget.
std::optional<LoggedPoint> countedPoint(const LabLog& log,
                                        const LoggedRun& run,
                                        LabView view,
                                        double budget)
{
    const std::optional<LoggedPoint> end = endOf(log, run, view);
    return log.plan.coolsDownFor(view) || !end ? end : pointAt(log, run, view, budget);
}

// Of a point that is a cut. The end of a run or branch has all of its steps.
double shareOfSteps(const LoggedPoint& point, const LoggedRun& run, bool isEnd)
{
    return isEnd || run.steps <= 0
        ? 1.0
        : static_cast<double>(point.step) / static_cast<double>(run.steps);
}

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// The budget that every finished run has reached.
std::optional<double> sharedBudget(const LabLog& log, LabView view)
{
    std::optional<double> minimum;
    for (const Arm& arm : log.plan.arms) {
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            if (const auto point = countedPoint(log, *run, view, kUnbounded)) {
                const double end = alongView(log, *run, view, *point);
                minimum = minimum ? std::min(*minimum, end) : end;
            }
        }
    }
    return minimum;
}

// All runs of an arm train as many.
std::optional<std::int64_t> parametersOf(const LabLog& log, std::string_view arm)
{
    const auto run = std::ranges::find_if(
        log.runs, [arm](const LoggedRun& each) { return each.key.arm == arm; });
    return run == log.runs.end() ? std::nullopt : std::optional(run->parameters);
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
    return timed == log.timings.end() || nextTiming(log)
        ? point.seconds
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
    const std::int64_t lastStep = lastConstantStep(log, run);
    for (const LoggedPoint& point : run.points) {
        if (point.step <= lastStep && alongView(log, run, view, point) <= budget) {
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
    const double budget = results.budget.value_or(kUnbounded);
    for (const Arm& arm : log.plan.arms) {
        ArmResult result{.arm = arm,
                         .rate = tunedRate(log, arm.name),
                         .gaveUp = allRatesDiverged(log, arm.name),
                         .parameters = parametersOf(log, arm.name)};
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            result.diverged += hasDiverged(*run, view) ? 1 : 0;
            if (const auto point = countedPoint(log, *run, view, budget)) {
                result.points[run->key.seed] = *point;
                result.shareOfSteps =
                    std::min(result.shareOfSteps, shareOfSteps(*point, *run, results.isEnd));
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
        if (!endOf(log, *run, view)) {
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
