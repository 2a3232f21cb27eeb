// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_place.h"

#include <vector>

namespace flopsmith {

/// One parameter whose value differs between two scenarios of the same structure.
struct ParameterDifference
{
    ParameterPlace place;
    Parameter parameter;
    FieldValue before;
    FieldValue after;
};

/// Those that apply in the first scenario. Runs whose blocks are equal are not looked into.
std::vector<ParameterDifference> parameterDifferences(const Scenario& before, const Scenario& after);

/// Whether two FFNs are of one variant, in all stages if they are composed: only then the
/// parameters of one exist in the other.
bool haveSameVariants(const FfnSpec& one, const FfnSpec& other);

} // namespace flopsmith
