// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/work_share.h"
#include "core/lab/log/lab_log.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The rate that an arm's tuning found, or the base rate of a plan without tuning. Nothing while a
/// tuning run is missing, or if all of them diverged. Of two close rates that with the lower loss over
/// the whole budget, as soon as both runs of it are there.
std::optional<double> tunedRate(const LabLog& log, std::string_view arm);

/// Whether the search for an arm's rate is done and found none, so that the arm has no seeds.
bool allRatesDiverged(const LabLog& log, std::string_view arm);

/// The next run that the log lacks: first the rates of each arm, five of them and up to two more
/// beyond an edge that is the best; where the two best losses are within 1 %, a run of the whole
/// budget for both, with the tuning seed; then seed after seed, all arms of a seed together. Nothing when
/// all is done. An arm whose rates all diverged has no seeds.
///
/// `running` are left out, and what depends on them waits; seeds of arms that are tuned do not.
/// Several machines share a lab by its arms, each with its tuning; where nothing is tuned, by its runs.
std::optional<RunKey> nextRun(const LabLog& log,
                              const std::vector<RunKey>& running = {},
                              const WorkShare& share = {});

/// A branch of a run: the view that it cools down for, and the step where it ends.
struct CoolDown
{
    LabView view = LabView::flops;
    std::int64_t steps = 0;

    bool operator==(const CoolDown&) const = default;
};

/// The branches of an arm's runs, by where they end. A view's budget is the minimum over all arms of
/// what a run of the plan's budget uses, so that no branch is longer than its run. An arm whose
/// branch would end with the run has none. Empty while a timing is missing.
std::vector<CoolDown> coolDowns(const LabLog& log, std::string_view arm);

/// The next arm whose timing the log lacks.
std::optional<std::string> nextTiming(const LabLog& log);

/// Runs that are finished or diverged, and how many of a share there are as far as can be seen.
struct LabProgressCount
{
    std::size_t done = 0;
    std::size_t planned = 0;
};

LabProgressCount countRuns(const LabLog& log, const WorkShare& share = {});

/// How many steps of this cost the budget allows; for tuning, a third of it.
std::int64_t stepsWithin(const LabPlan& plan, Count stepFlops, bool tuning);

} // namespace flopsmith
