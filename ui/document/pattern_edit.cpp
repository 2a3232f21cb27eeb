// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/pattern_edit.h"

#include "core/base/check.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/scenario_edit.h"

#include <algorithm>

namespace flopsmith::ui {

int groupRuns(Scenario& scenario, const std::vector<int>& runs)
{
    FLOPSMITH_CHECK(whyNotGrouped(scenario, runs).empty());
    const Status made = makePattern(scenario.model, runs.front(), runs.back());
    FLOPSMITH_CHECK(made.ok());
    return runs.front();
}

std::string whyNotGrouped(const Scenario& scenario, const std::vector<int>& runs)
{
    if (runs.empty()) {
        return "Only blocks can be grouped: select some first.";
    }
    if (!areNeighbours(scenario, runs)) {
        return "Other blocks stand between the selected ones: only neighbours are grouped.";
    }
    return whyNoPattern(scenario.model, runs.front(), runs.back());
}

int patternOfAll(const Scenario& scenario, const std::vector<int>& runs)
{
    const int pattern = runs.empty() ? -1 : patternOf(scenario.model, runs.front());
    const bool all = std::all_of(runs.begin(), runs.end(), [&](int run) {
        return patternOf(scenario.model, run) == pattern;
    });
    return all ? pattern : -1;
}

int wholePattern(const Scenario& scenario, const std::vector<int>& runs)
{
    const int pattern = patternOfAll(scenario, runs);
    const bool isWhole = pattern >= 0
        && static_cast<int>(runs.size())
            == scenario.model.patterns.at(static_cast<std::size_t>(pattern)).length;
    return isWhole ? pattern : -1;
}

void ungroupRuns(Scenario& scenario, int pattern)
{
    dissolvePattern(scenario.model, pattern);
}

Status setPatternTimes(Scenario& scenario, int pattern, int times)
{
    Status set = setTimes(scenario.model, pattern, times);
    if (set) {
        repair(scenario);
    }
    return set;
}

} // namespace flopsmith::ui
