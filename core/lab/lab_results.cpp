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

// The budget that every finished run has reached.
std::optional<double> sharedBudget(const LabLog& log, LabView view)
{
    std::optional<double> least;
    for (const Arm& arm : log.plan.arms) {
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            if (hasFinished(*run)) {
                const double end = alongView(view, run->points.back());
                least = least ? std::min(*least, end) : end;
            }
        }
    }
    return least;
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

template <>
std::vector<std::string_view> enumNames<LabView>()
{
    return {"steps", "flops", "seconds"};
}

double alongView(LabView view, const LoggedPoint& point)
{
    switch (view) {
    case LabView::steps: return static_cast<double>(point.step);
    case LabView::flops: return point.flops;
    case LabView::seconds: return point.seconds;
    }
    return 0.0;
}

std::optional<LoggedPoint> pointAt(const LoggedRun& run, LabView view, double budget)
{
    std::optional<LoggedPoint> last;
    for (const LoggedPoint& point : run.points) {
        if (alongView(view, point) <= budget) {
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

LabView budgetView(const LabPlan& plan)
{
    return plan.budget.kind == BudgetKind::steps ? LabView::steps : LabView::flops;
}

LabResults labResults(const LabLog& log, LabView view)
{
    LabResults results{
        .view = view, .isEnd = view == budgetView(log.plan), .budget = sharedBudget(log, view)};
    const double budget = results.isEnd || !results.budget ? std::numeric_limits<double>::infinity()
                                                           : *results.budget;
    for (const Arm& arm : log.plan.arms) {
        ArmResult result{
            .arm = arm, .rate = tunedRate(log, arm.name), .gaveUp = hasGivenUp(log, arm)};
        for (const LoggedRun* run : seedRuns(log, arm.name)) {
            result.diverged += run->end == RunEnd::diverged ? 1 : 0;
            result.parameters = run->parameters;
            const std::optional<LoggedPoint> point =
                hasFinished(*run) ? pointAt(*run, view, budget) : std::nullopt;
            if (point) {
                result.points[run->key.seed] = *point;
            }
        }
        results.arms.push_back(std::move(result));
    }
    return results;
}

namespace {

std::vector<LossPoint> curveOf(const LabLog& log,
                               std::string_view arm,
                               LabView view,
                               double LoggedPoint::*value)
{
    std::map<std::int64_t, std::vector<const LoggedPoint*>> bySteps;
    std::size_t runs = 0;
    for (const LoggedRun* run : seedRuns(log, arm)) {
        if (hasFinished(*run)) {
            ++runs;
            for (const LoggedPoint& point : run->points) {
                bySteps[point.step].push_back(&point);
            }
        }
    }
    std::vector<LossPoint> curve;
    for (const auto& each : bySteps) {
        if (each.second.size() != runs) {
            continue;
        }
        std::vector<double> xs;
        std::vector<double> losses;
        for (const LoggedPoint* point : each.second) {
            xs.push_back(alongView(view, *point));
            losses.push_back(point->*value);
        }
        curve.push_back({.x = medianOf(xs),
                         .median = medianOf(losses),
                         .low = *std::min_element(losses.begin(), losses.end()),
                         .high = *std::max_element(losses.begin(), losses.end())});
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
