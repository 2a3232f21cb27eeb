// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/dragged_blocks.h"

#include "ui/document/scenario_edit.h"

#include <QObject>

#include <algorithm>

namespace flopsmith::ui {

void DraggedBlocks::takeModifiers(Qt::KeyboardModifiers modifiers)
{
    const bool duplicates = (modifiers & Qt::AltModifier) != 0;
    move.kind = (modifiers & Qt::ControlModifier) != 0 ? MoveKind::copyFfn
        : duplicates                                   ? MoveKind::duplicate
                                                       : MoveKind::move;
    move.picked.oneBlock = (modifiers & Qt::ShiftModifier) != 0 && !copiesFfn();
}

QString DraggedBlocks::refusal(const Scenario& scenario) const
{
    return isOutside ? QObject::tr("Outside the stack nothing is dropped.")
                     : whyNotMoved(scenario, move);
}

bool DraggedBlocks::stays(const Scenario& scenario) const
{
    return !isOutside && staysInPlace(scenario, move);
}

bool DraggedBlocks::isForbidden(const Scenario& scenario) const
{
    return !refusal(scenario).isEmpty() && !stays(scenario);
}

QString DraggedBlocks::sentence(const Scenario& scenario) const
{
    if (byKeys && stays(scenario)) {
        const int blocks = blocksIn(scenario, move.picked.runs);
        return (blocks == 1 ? QObject::tr("1 block picked up")
                            : QObject::tr("%1 blocks picked up").arg(blocks))
            + QObject::tr(" \u00B7 Up, Down: place, with Shift block by block \u00B7 Enter: drop "
                          "\u00B7 Esc: cancel");
    }
    if (isForbidden(scenario)) {
        return refusal(scenario);
    }
    const QString what = stays(scenario) ? refusal(scenario) : moveText(scenario, move);
    if (byKeys) {
        return QObject::tr("%1 \u00B7 Enter: drop, with Alt duplicate, Ctrl copy the FFN \u00B7 "
                           "Esc: cancel")
            .arg(what);
    }
    return move.kind == MoveKind::move && !move.picked.oneBlock
        ? QObject::tr("%1 \u00B7 Alt: duplicate \u00B7 Ctrl: copy the FFN \u00B7 Shift: one block")
              .arg(what)
        : what;
}

bool DraggedBlocks::takesAway(int run) const
{
    const std::vector<int>& runs = move.picked.runs;
    return move.kind == MoveKind::move && !move.picked.oneBlock
        && std::find(runs.begin(), runs.end(), run) != runs.end();
}

bool DraggedBlocks::canLandAt(const Scenario& scenario, int run) const
{
    BlockMove here = move;
    here.target = run;
    if (copiesFfn()) {
        return whyNotMoved(scenario, here).isEmpty();
    }
    const Model& model = scenario.model;
    const int first = model.firstBlock(run);
    const int end = first + model.runs.at(static_cast<std::size_t>(run)).repeat;
    return isInOwnHalf(model, here.picked, first) && isInOwnHalf(model, here.picked, end);
}

} // namespace flopsmith::ui
