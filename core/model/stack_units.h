// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <vector>

namespace flopsmith {

/// The unit that moves as a whole in a stack: a run of blocks outside of patterns, or a pattern
/// with the runs of one period.
struct StackUnit
{
    std::vector<BlockRun> period;
    int times = 0; ///< of a pattern; 0 for a run alone

    bool isPattern() const { return times > 0; }
    int runs() const { return static_cast<int>(period.size()) * (isPattern() ? times : 1); }
};

/// The position of a run, or of the run that represents it.
struct UnitPlace
{
    std::size_t unit = 0;
    std::size_t position = 0; ///< in its period

    bool operator==(const UnitPlace&) const = default;
};

/// The model's runs with each pattern once: an edit of a period is an edit of all repeats.
std::vector<StackUnit> stackUnits(const Model& model);

/// Gives the model these runs and patterns. Units without runs are dropped, and a pattern that is
/// left with one run becomes a longer run.
void setStackUnits(Model& model, const std::vector<StackUnit>& units);

UnitPlace placeIn(const std::vector<StackUnit>& units, int run);

/// The run at a place, in the first repeat of its pattern.
int runOfPlace(const std::vector<StackUnit>& units, const UnitPlace& place);

// Edits of a model's runs. Each returns a run of the first repeat.

/// Inserts a run after another one, in all repeats of the pattern that this one is in.
int insertRunBehind(Model& model, int run, const BlockRun& added);

/// Inserts a run before the one at `place` (or last); if the place is inside a pattern, after that
/// pattern.
int insertRunOutside(Model& model, int place, const BlockRun& added);

/// Removes runs, in all repeats of their patterns.
void eraseRuns(Model& model, const std::vector<int>& runs);

/// Splits a run after its first `blocks` blocks, in all repeats of its pattern; returns the
/// split-off run.
int splitRunBehind(Model& model, int run, int blocks);

} // namespace flopsmith
