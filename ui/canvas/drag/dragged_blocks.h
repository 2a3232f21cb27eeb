// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/block_move.h"

#include <QString>

namespace flopsmith::ui {

/// Blocks that are picked up, with where they would land, and what a drop would do to the scenario.
struct DraggedBlocks
{
    BlockMove move;
    bool byKeys = false; ///< else by the mouse
    bool isOutside = false; ///< the pointer is beside the stack

    /// Alt duplicates, Ctrl copies the FFN, Shift takes one block only.
    void takeModifiers(Qt::KeyboardModifiers modifiers);

    bool copiesFfn() const { return move.kind == MoveKind::copyFfn; }

    /// Why a drop would do nothing; empty if it would do something.
    QString refusal(const Scenario& scenario) const;

    /// Whether a drop would leave everything as it is.
    bool stays(const Scenario& scenario) const;

    /// Whether nothing can land here: a refusal other than that all stays.
    bool isForbidden(const Scenario& scenario) const;

    /// What a drop would do, and what else the keys can do.
    QString sentence(const Scenario& scenario) const;

    /// Whether the run leaves its place.
    bool takesAway(int run) const;

    /// Whether the run, or a gap beside it, is a place for the blocks.
    bool canLandAt(const Scenario& scenario, int run) const;
};

} // namespace flopsmith::ui
