// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <vector>

namespace flopsmith::ui {

// Edits of a stack as functions on plain values, so that they can be tested without a window. Runs
// are indices into Model::runs and must exist; lists of them are ascending and not empty. Functions
// that add, split or move runs return the runs to select afterwards. Numbers that became illegal are
// repaired. What is done to a run of a pattern is done in all of its repeats.

/// The FFN sized for the model: d_ff is taken from the FFN it replaces, or is 4·d_model.
FfnSpec fitted(FfnSpec ffn, const FfnSpec& replaced, int dModel);

void replaceFfn(Scenario& scenario, int run, const FfnSpec& ffn);
/// Sets the mixer of a run. A mixer that reads an encoder's output goes to the block's cross slot,
/// which the run must have.
void replaceMixer(Scenario& scenario, int run, const MixerSpec& mixer);
bool hasPlaceFor(const Scenario& scenario, int run, const MixerSpec& mixer);

/// Mutes the mixer, cross-attention or FFN of those runs that have one, and of all blocks that share
/// their parameters. Lets it be executed again if it is muted in all of them. Replacing a part
/// unmutes it.
void toggleMuted(Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part);

/// Whether some of the runs have such a part, and it is muted in all of those.
bool isMuted(const Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part);

/// Whether some of the runs have such a part, muted or not.
bool canMute(const Scenario& scenario, const std::vector<int>& runs, BlockPart::Kind part);

/// The same for several runs. Runs that share parameters change together, and only once.
void replaceFfn(Scenario& scenario, const std::vector<int>& runs, const FfnSpec& ffn);
void replaceMixer(Scenario& scenario, const std::vector<int>& runs, const MixerSpec& mixer);
void addStage(Scenario& scenario, const std::vector<int>& runs, const FfnSpec& stage);

void removeCross(Scenario& scenario, int run);
bool canRemoveCross(const Scenario& scenario, int run);

/// Appends a stage; an FFN that is not composed becomes the first stage of a composed one.
void addStage(Scenario& scenario, int run, const FfnSpec& stage);

/// Removes a stage of a composed FFN. A single remaining stage stays composed, with its gate.
void removeStage(Scenario& scenario, int run, int stage);
bool canRemoveStage(const Scenario& scenario, int run);

/// The blocks of a run that a replacement applies to.
enum class Extent { wholeRun, firstBlock };

/// Splits the extent off as a separate run and returns it.
int isolated(Scenario& scenario, int run, Extent extent);

/// Splits the run into two halves and returns the second.
int splitRun(Scenario& scenario, int run);
bool canSplitRun(const Scenario& scenario, int run);

/// Inserts a copy of the run behind it and returns the copy.
int duplicateRun(Scenario& scenario, int run);

/// Inserts copies of the runs behind the last of them, in each half of the model, and returns them.
std::vector<int> duplicateRuns(Scenario& scenario, const std::vector<int>& runs);

/// Removes the runs; with the last encoder block, cross-attention is removed too.
void removeRuns(Scenario& scenario, const std::vector<int>& runs);
bool canRemoveRuns(const Scenario& scenario, const std::vector<int>& runs);

/// Moves neighbouring runs as a whole by one place up (−1) or down (+1) within their half of the
/// model; returns their new indices. Runs of a pattern move within the period, others step over a
/// pattern as a whole.
std::vector<int> moveRuns(Scenario& scenario, const std::vector<int>& runs, int by);
bool canMoveRuns(const Scenario& scenario, const std::vector<int>& runs, int by);

/// How many blocks the runs have, in all repeats of their patterns.
int blocksIn(const Scenario& scenario, const std::vector<int>& runs);

/// Whether no other run stands between them. With the scenario, further repeats of a pattern do not
/// count.
bool areNeighbours(const std::vector<int>& runs);
bool areNeighbours(const Scenario& scenario, const std::vector<int>& runs);

/// Moves the run so that it stands before the run that is at `place` now (or last), or as near to
/// that as its pattern or its half of the model reaches; into another pattern it does not go.
int moveRunTo(Scenario& scenario, int run, int place);

void setRepeat(Scenario& scenario, int run, int repeat);

/// Adds one block like the last, with its FFN or mixer replaced; returns its run.
int appendBlock(Scenario& scenario, const FfnSpec& ffn);
int appendBlock(Scenario& scenario, const MixerSpec& mixer);

/// Inserts one block behind a run: like the run's, with its FFN or mixer replaced; returns its run.
/// An equal block makes the run longer. The run must have a place for the mixer.
int insertBlock(Scenario& scenario, int afterRun, const FfnSpec& ffn);
int insertBlock(Scenario& scenario, int afterRun, const MixerSpec& mixer);

/// Joins neighbouring runs of equal blocks; returns the run that now holds `run`.
int joinEqualRuns(Scenario& scenario, int run);
bool hasEqualNeighbours(const Scenario& scenario);

} // namespace flopsmith::ui
