// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <vector>

namespace flopsmith::ui {

// What dragging blocks does to a model: the same rules for the mouse and for the keyboard. Places
// are gaps as in core/present/stack/landing.h.

/// Blocks that are picked up: whole runs, or one block of a run.
struct PickedBlocks
{
    std::vector<int> runs{}; ///< ascending, not empty
    int current = 0; ///< one of them: the run whose FFN is copied, or which loses one block
    bool oneBlock = false; ///< one block of the current run only

    bool operator==(const PickedBlocks&) const = default;
};

enum class MoveKind { move, duplicate, copyFfn };

/// Where picked blocks are to go, and as what.
struct BlockMove
{
    PickedBlocks picked;
    MoveKind kind = MoveKind::move;
    int gap = 0; ///< before this block, from 0; the number of layers is the end
    int target = -1; ///< the run that gets the FFN; −1 if there is none

    bool operator==(const BlockMove&) const = default;
};

/// Why it cannot be done, or that it would change nothing, as a sentence; empty if it can be done.
QString whyNotMoved(const Scenario& scenario, const BlockMove& move);

/// Whether all blocks would stand where they are: it is refused, but nothing is wrong with the place.
bool staysInPlace(const Scenario& scenario, const BlockMove& move);

/// What it does: "Move 6 blocks between block 8 and 9".
QString moveText(const Scenario& scenario, const BlockMove& move);

/// "between block 6 and 7", "before block 1", "behind block 12".
QString gapText(const Model& model, int gap);

/// Moves the picked blocks, which stay in their order, or inserts copies of them; returns their
/// runs. A run that holds the gap is split. Equal blocks that meet where others were taken away
/// become one run again.
std::vector<int> moveBlocks(Scenario& scenario, const BlockMove& move);

/// Does it as one undo step and selects the moved blocks or the changed run; false if it cannot be
/// done.
bool applyMove(Document& document, const BlockMove& move);

/// Whether the picked blocks may stand at the gap: blocks of the encoder stay before those of the
/// decoder.
bool isInOwnHalf(const Model& model, const PickedBlocks& picked, int gap);

/// Whether the gap is between blocks of one pattern, and why nothing lands there.
bool isInsidePattern(const Model& model, int gap);
QString whyNotInsidePattern();

/// The gap before the first picked block, where blocks are that were picked up by the keyboard.
int gapOf(const Model& model, const PickedBlocks& picked);

/// How far a key moves the gap: to the next run, or by one block.
enum class GapStep { run, block };

/// The next gap up (−1) or down (+1), past those that leave the picked blocks where they are, or the
/// same one at the end of the stack.
int nextGap(const Model& model, const PickedBlocks& picked, int gap, int by, GapStep step);

/// The run that a gap stands for when an FFN is copied: the one that the gap has last passed on its
/// way from the picked blocks.
int runPassed(const Model& model, const PickedBlocks& picked, int gap);

} // namespace flopsmith::ui
