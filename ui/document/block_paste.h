// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/project/block_clip.h"
#include "ui/document/selection.h"

#include <QString>

#include <string>
#include <vector>

namespace flopsmith::ui {

// Copying and pasting of runs, as functions on plain values like those of scenario_edit.h.

BlockClip copied(const Model& model, const std::vector<int>& runs);

/// The index behind what is selected, at which pasted runs go.
int placeBehind(const Model& model, const Selection& selection);

/// Why the blocks cannot be put into the model outside of its patterns, as a sentence; empty if they
/// can.
QString whyNotPasted(const Model& model, const BlockClip& clip);

/// Why pasteRuns() could not put them there: in a pattern they come in each of its repeats.
QString whyNotPasted(const Model& model, const BlockClip& clip, int place);

/// Why there is no one FFN to paste; empty if there is.
QString whyNoFfn(const BlockClip& clip);

/// What a paste has done.
struct Pasted
{
    std::vector<int> runs; ///< to select
    std::vector<std::string> notes; ///< of each repaired value why and what it is now, once
};

/// Inserts the runs at a place, each as near to it as its half of the model reaches. Numbers that
/// are not legal here are repaired; blocks whose share group differs here get their own parameters.
Pasted pasteRuns(Scenario& scenario, const BlockClip& clip, int place);

/// Gives the runs the clip's FFN with its numbers, repaired where they are not legal here.
Pasted pasteFfn(Scenario& scenario, const BlockClip& clip, const std::vector<int>& runs);

} // namespace flopsmith::ui
