// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_place.h"

#include <vector>

namespace flopsmith {

/// A value that a person set and that a later change of another parameter made illegal.
struct Wish
{
    ParameterPlace place;
    FieldValue value;

    bool operator==(const Wish&) const = default;
};

/// Values that come back when they become legal again: k_freq 64 after d_model went from 768 to 12
/// and back, and the lengths of the runs after the number of layers did.
struct Wishes
{
    std::vector<Wish> values;
    std::vector<int> repeats; ///< of all runs before the number of layers was set; empty: as it is

    bool operator==(const Wishes&) const = default;
};

/// Sets a parameter, moves values that became illegal to the nearest legal ones and grants wishes
/// that are legal now. `copy` may change the scenario further before wishes are granted (equal
/// blocks that follow). Saves the wishes that this change made, and drops granted ones.
void setWithWishes(Scenario& scenario,
                   Wishes& wishes,
                   const Parameter& parameter,
                   const FieldValue& value,
                   const std::function<void(Scenario&)>& copy = {});

/// The wishes of runs that an edit left as they were, counted from either end of the stack.
Wishes carriedOver(const Wishes& wishes, const Model& before, const Model& after);

} // namespace flopsmith
