// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// What the inspector edits: one run of equal blocks, or a part of the model outside the blocks.
struct Selection
{
    enum class Part { run, embedding, encoderNorm, finalNorm, head };

    Part part = Part::run;
    int run = 0; ///< index into Model::runs; 0 for the other parts

    bool isRun() const { return part == Part::run; }
    bool operator==(const Selection&) const = default;

    static Selection ofRun(int run) { return {Part::run, run}; }
    static Selection of(Part part) { return {part, 0}; }
};

} // namespace flopsmith::ui
