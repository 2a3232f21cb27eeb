// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

// What the edits of a stack have in common.
namespace flopsmith::ui {

inline BlockRun& runAt(Scenario& scenario, int run)
{
    return scenario.model.runs.at(static_cast<std::size_t>(run));
}

inline const BlockRun& runAt(const Scenario& scenario, int run)
{
    return scenario.model.runs.at(static_cast<std::size_t>(run));
}

inline int runCount(const Scenario& scenario)
{
    return static_cast<int>(scenario.model.runs.size());
}

inline void withoutCross(Block& block)
{
    block.cross = MixerSpec();
    block.crossMuted = false;
}

} // namespace flopsmith::ui
