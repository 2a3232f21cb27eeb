// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_place.h"

#include <vector>

namespace flopsmith {

/// A value that somebody set and that a later change of another parameter made illegal.
struct Wish
{
    ParameterPlace place;
    FieldValue value;

    bool operator==(const Wish&) const = default;
};

/// What comes back when it becomes legal again: k_freq 64 after d_model went from 768 to 12 and
/// back, and the lengths of the runs after the number of layers did.
struct Wishes
{
    std::vector<Wish> values;
    std::vector<int> repeats; ///< of all runs before the number of layers was set; empty: as it is

    bool operator==(const Wishes&) const = default;
};

/// Sets a parameter, moves what became illegal to its nearest legal value and grants wishes as far
/// as they are legal now. `copy` may change the scenario further before wishes are granted (equal
/// blocks that follow). Wishes that this change made are remembered, and granted ones forgotten.
void setWithWishes(Scenario& scenario,
                   Wishes& wishes,
                   const Parameter& parameter,
                   const FieldValue& value,
                   const std::function<void(Scenario&)>& copy = {});

/// The wishes of runs that an edit left as they were, counted from either end of the stack.
Wishes carriedOver(const Wishes& wishes, const Model& before, const Model& after);

} // namespace flopsmith
