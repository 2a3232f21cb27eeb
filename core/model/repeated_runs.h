// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

// Runs are given in the first repeat of their pattern, ascending.

/// Why the runs cannot be repeated, as a sentence; empty if they can: they are neighbours, and
/// either some runs of one pattern or whole patterns and other runs in one half of the model.
std::string whyNotRepeated(const Model& model, const std::vector<int>& runs);

/// Lets the blocks of the runs come so many times more, right behind themselves: a single run
/// becomes longer, a pattern comes more often, and several runs become a pattern. Returns the runs
/// to select.
std::vector<int> repeatRuns(Model& model, const std::vector<int>& runs, int more);

} // namespace flopsmith
