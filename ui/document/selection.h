// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace flopsmith {
struct Model;
} // namespace flopsmith

namespace flopsmith::ui {

/// What the inspector edits: runs of equal blocks, or a part of the model outside the blocks. Of
/// several runs, `run` is the current one, from which the selection is extended.
struct Selection
{
    enum class Part { run, embedding, encoderNorm, finalNorm, head };

    Part part = Part::run;
    int run = 0; ///< index into Model::runs; 0 for the other parts
    std::vector<int> others{}; ///< further selected runs: ascending, without `run`
    /// The selected operation or part of a block, by its path in the cost tree; empty: none.
    std::string operation{};

    bool isRun() const { return part == Part::run; }
    bool isSeveral() const { return !others.empty(); }
    bool operator==(const Selection&) const = default;

    static Selection ofRun(int run) { return {Part::run, run, {}, {}}; }
    static Selection of(Part part) { return {part, 0, {}, {}}; }

    /// Several runs, of which `current` must be one. The order does not matter.
    static Selection ofRuns(const std::vector<int>& runs, int current);

    /// The current run or the part alone.
    Selection current() const { return {part, run, {}, {}}; }

    /// Whether the same runs or the same part are selected, whichever operation is.
    bool isOfSameParts(const Selection& other) const;

    /// The operation at the path and the run or part that it belongs to. What belongs to none, such
    /// as the optimizer's step, leaves them as they are.
    Selection withOperation(const std::string& path, const Model& model) const;

    bool contains(int wanted) const;

    /// All selected runs, ascending; none of another part.
    std::vector<int> runs() const;

    /// With the run added as the current one, or without it; the last one stays.
    Selection withToggled(int toggled) const;

    /// From the current run to this one.
    Selection withRangeTo(int last) const;

    /// The run at which an extension by keys goes on: the end that is not the current run.
    int farEnd(int direction) const;

    /// All runs of the model; the current one stays where there is one.
    Selection all(const Model& model) const;

    /// What of it exists in the model, or the nearest run. Of a pattern only the runs of the first
    /// repeat, which stand for all; a current run of another one becomes that of the first. The
    /// operation stays one of the first block of its run.
    Selection within(const Model& model) const;
};

} // namespace flopsmith::ui
