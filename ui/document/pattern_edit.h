// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith::ui {

// Grouping runs of blocks and changing how often they come, as functions on plain values (see
// scenario_edit.h).

/// Makes one group of neighbouring runs: a longer run of equal blocks, else a pattern. Returns the
/// run to select.
int groupRuns(Scenario& scenario, const std::vector<int>& runs);

/// Why the runs cannot be grouped, as a sentence; empty if they can.
std::string whyNotGrouped(const Scenario& scenario, const std::vector<int>& runs);

/// The pattern that holds all of the runs, as an index, or -1.
int patternOfAll(const Scenario& scenario, const std::vector<int>& runs);

/// The pattern of which exactly the runs of one period are these, as an index, or -1.
int wholePattern(const Scenario& scenario, const std::vector<int>& runs);

/// Forgets the pattern; its blocks stay, and all of their runs are shown.
void ungroupRuns(Scenario& scenario, int pattern);

/// Changes how often the pattern comes; refused in one sentence.
Status setPatternTimes(Scenario& scenario, int pattern, int times);

} // namespace flopsmith::ui
