// SPDX-License-Identifier: MIT
#include "core/lab/progress/next_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kFirstRate = 2; ///< rates below and above the base
constexpr int kLastRate = 4; ///< the same with both extensions
constexpr std::int64_t kTuningShare = 3;

// A share of the lowest loss: a third of the budget cannot distinguish rates with losses this close.
constexpr double kClose = 0.01;

// Half powers of ten.
constexpr std::array<double, 2 * kLastRate + 1> kFactors{0.01,
                                                         0.031622776601683795,
                                                         0.1,
                                                         0.31622776601683794,
                                                         1.0,
                                                         3.1622776601683795,
                                                         10.0,
                                                         31.622776601683793,
                                                         100.0};

RunKey tuningKey(const LabPlan& plan, std::string_view arm, int place)
{
    return {.arm = std::string(arm),
            .seed = 0,
            .rate = plan.baseRate * kFactors[static_cast<std::size_t>(place + kLastRate)],
            .tuning = true};
}

// A run of the whole budget that chooses between two rates.
RunKey decidingKey(std::string_view arm, double rate)
{
    return {.arm = std::string(arm), .seed = 0, .rate = rate, .tuning = false};
}

// By the last evaluation; infinite if it has none that counts.
double finalLoss(const LoggedRun& run)
{
    const bool counts =
        run.end == RunEnd::finished && !run.points.empty() && std::isfinite(run.points.back().loss);
    return counts ? run.points.back().loss : std::numeric_limits<double>::infinity();
}

// How far the search for a rate is.
struct Tuning
{
    std::vector<RunKey> missing;
    std::optional<double> best; ///< so far

    bool failed() const { return missing.empty() && !best; } ///< all rates diverged
};

struct RateTrial
{
    double rate = 0.0;
    double loss = std::numeric_limits<double>::infinity();
};

// The better one of the two best rates, if they are close by their losses over the whole budget.
Tuning decided(const LabLog& log, std::string_view arm, std::vector<RateTrial> trials)
{
    std::ranges::stable_sort(trials, {}, &RateTrial::loss);
    Tuning tuning{.missing = {}, .best = trials[0].rate};
    if (!(trials[1].loss <= trials[0].loss * (1.0 + kClose))) {
        return tuning;
    }
    std::array<double, 2> losses{};
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const RunKey key = decidingKey(arm, trials[i].rate);
        const LoggedRun* run = log.run(key);
        if (run == nullptr || run->end == RunEnd::open) {
            tuning.missing.push_back(key);
        } else {
            losses[i] = finalLoss(*run);
        }
    }
    if (tuning.missing.empty() && losses[1] < losses[0]) {
        tuning.best = trials[1].rate;
    }
    return tuning;
}

std::optional<RunKey> firstWaiting(const std::vector<RunKey>& keys,
                                   const std::vector<RunKey>& running)
{
    for (const RunKey& key : keys) {
        if (std::ranges::find(running, key) == running.end()) {
            return key;
        }
    }
    return std::nullopt;
}

Tuning tuningOf(const LabLog& log, std::string_view arm)
{
    if (!log.plan.tunes) {
        return {.missing = {}, .best = log.plan.baseRate};
    }
    int low = -kFirstRate;
    int high = kFirstRate;
    for (int round = 0; round <= kLastRate - kFirstRate; ++round) {
        int best = 0;
        double lowest = std::numeric_limits<double>::infinity();
        std::vector<RunKey> missing;
        std::vector<RateTrial> trials;
        for (int place = low; place <= high; ++place) {
            const RunKey key = tuningKey(log.plan, arm, place);
            const LoggedRun* run = log.run(key);
            if (run == nullptr || run->end == RunEnd::open) {
                missing.push_back(key);
                continue;
            }
            trials.push_back({.rate = key.rate, .loss = finalLoss(*run)});
            if (trials.back().loss < lowest) {
                lowest = trials.back().loss;
                best = place;
            }
        }
        if (!missing.empty()) {
            return {.missing = std::move(missing), .best = std::nullopt};
        }
        if (!std::isfinite(lowest)) {
            return {};
        }
        const bool extends = (best == low || best == high) && round < kLastRate - kFirstRate;
        if (!extends) {
            return decided(log, arm, std::move(trials));
        }
        low -= best == low ? 1 : 0;
        high += best == high ? 1 : 0;
    }
    return {};
}

// What machines share: arms with their tuning, or single runs.
std::size_t unitOf(const LabPlan& plan, std::size_t arm, int seed)
{
    return plan.tunes ? arm : arm * static_cast<std::size_t>(plan.seeds) + std::size_t(seed - 1);
}

// Seeds of an arm that are a share's.
std::size_t seedsOf(const LabPlan& plan, std::size_t arm, const WorkShare& share)
{
    std::size_t seeds = 0;
    for (int seed = 1; seed <= plan.seeds; ++seed) {
        seeds += share.has(unitOf(plan, arm, seed)) ? 1 : 0;
    }
    return seeds;
}

} // namespace

std::optional<double> tunedRate(const LabLog& log, std::string_view arm)
{
    return tuningOf(log, arm).best;
}

bool allRatesDiverged(const LabLog& log, std::string_view arm)
{
    return tuningOf(log, arm).failed();
}

namespace {

// Nothing before the search is done.
std::optional<double> chosenRate(const LabLog& log, std::string_view arm)
{
    const Tuning tuning = tuningOf(log, arm);
    return tuning.missing.empty() ? tuning.best : std::nullopt;
}

// Runs of the whole budget that choose between two rates: those there are, and those that are missing.
std::size_t decidingRuns(const LabLog& log, const Tuning& tuning, std::string_view arm)
{
    std::size_t runs = tuning.best ? tuning.missing.size() : 0;
    for (const LoggedRun& run : log.runs) {
        const bool decides = !run.key.tuning && run.key.seed == 0 && run.key.arm == arm;
        runs += decides && run.end != RunEnd::open ? 1 : 0;
    }
    return runs;
}

} // namespace

std::optional<RunKey> nextRun(const LabLog& log,
                              const std::vector<RunKey>& running,
                              const WorkShare& share)
{
    const std::vector<Arm>& arms = log.plan.arms;
    for (std::size_t i = 0; log.plan.tunes && i < arms.size(); ++i) {
        const Tuning tuning = share.has(i) ? tuningOf(log, arms[i].name) : Tuning{};
        if (const auto key = firstWaiting(tuning.missing, running)) {
            return key;
        }
    }
    for (int seed = 1; seed <= log.plan.seeds; ++seed) {
        for (std::size_t i = 0; i < arms.size(); ++i) {
            const Arm& arm = arms[i];
            const std::optional<double> rate = chosenRate(log, arm.name);
            if (!rate || !share.has(unitOf(log.plan, i, seed))) {
                continue;
            }
            const RunKey key{.arm = arm.name, .seed = seed, .rate = *rate, .tuning = false};
            const LoggedRun* run = log.run(key);
            const bool isMissing = run == nullptr || run->end == RunEnd::open;
            if (isMissing && firstWaiting({key}, running)) {
                return key;
            }
        }
    }
    return std::nullopt;
}

namespace {

// What a step of an arm costs in a view.
double stepCost(LabView view, const ArmTiming& timing)
{
    switch (view) {
    case LabView::steps: return 1.0;
    case LabView::flops: return timing.stepFlops;
    case LabView::seconds: return timing.stepSeconds;
    }
    return 1.0;
}

double stepsOfRun(const LabPlan& plan, const ArmTiming& timing)
{
    return static_cast<double>(stepsWithin(plan, static_cast<Count>(timing.stepFlops), false));
}

} // namespace

std::vector<CoolDown> coolDowns(const LabLog& log, std::string_view arm)
{
    const auto own = log.timings.find(std::string(arm));
    if (own == log.timings.end() || nextTiming(log)) {
        return {};
    }
    std::vector<CoolDown> branches;
    for (const LabView view : log.plan.branches) {
        double budget = std::numeric_limits<double>::infinity();
        for (const Arm& each : log.plan.arms) {
            const ArmTiming& timing = log.timings.at(each.name);
            budget = std::min(budget, stepsOfRun(log.plan, timing) * stepCost(view, timing));
        }
        constexpr double kRounding = 1e-9; // the arm that sets the budget has all of its steps
        const double steps = budget / stepCost(view, own->second) * (1.0 + kRounding);
        if (steps >= 1.0 && std::floor(steps) < stepsOfRun(log.plan, own->second)) {
            branches.push_back({.view = view, .steps = static_cast<std::int64_t>(steps)});
        }
    }
    std::ranges::stable_sort(branches, {}, &CoolDown::steps);
    return branches;
}

std::optional<std::string> nextTiming(const LabLog& log)
{
    for (const Arm& arm : log.plan.arms) {
        if (!log.timings.contains(arm.name)) {
            return arm.name;
        }
    }
    return std::nullopt;
}

LabProgressCount countRuns(const LabLog& log, const WorkShare& share)
{
    LabProgressCount count;
    for (const LoggedRun& run : log.runs) {
        count.done += run.end == RunEnd::open ? 0 : 1;
    }
    for (std::size_t i = 0; i < log.plan.arms.size(); ++i) {
        const Arm& arm = log.plan.arms[i];
        std::size_t tuned = 0;
        for (const LoggedRun& run : log.runs) {
            tuned += run.key.tuning && run.key.arm == arm.name ? 1 : 0;
        }
        const Tuning tuning = tuningOf(log, arm.name);
        const bool isTuned = log.plan.tunes && share.has(i);
        const std::size_t minimum = isTuned ? std::size_t{2 * kFirstRate + 1} : 0;
        count.planned += std::max(tuned, minimum);
        count.planned += isTuned ? decidingRuns(log, tuning, arm.name) : 0;
        count.planned += tuning.failed() ? 0 : seedsOf(log.plan, i, share);
    }
    count.planned = std::max(count.planned, count.done);
    return count;
}

std::int64_t stepsWithin(const LabPlan& plan, Count stepFlops, bool tuning)
{
    std::int64_t steps = plan.budget.steps;
    if (plan.budget.kind == BudgetKind::flops) {
        const Count within = plan.budget.flops / std::max<Count>(stepFlops, 1);
        steps = static_cast<std::int64_t>(std::min<Count>(within, 10'000'000));
    }
    return std::max<std::int64_t>(1, tuning ? steps / kTuningShare : steps);
}

} // namespace flopsmith
