// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_place.h"

#include <vector>

namespace flopsmith {

/// A parameter that two scenarios have and whose value differs.
struct ParameterDifference
{
    ParameterPlace place; ///< in the first scenario, as the parameter
    Parameter parameter;
    FieldValue before;
    FieldValue after;
};

/// Of two scenarios of as many runs: those that apply in the first, run by run. A run whose variants
/// are others has none; equal runs are not looked into.
std::vector<ParameterDifference> parameterDifferences(const Scenario& before,
                                                      const Scenario& after);

/// Of the blocks of two runs, whatever their variants: those that apply in the first and that the
/// second has under the same key.
std::vector<ParameterDifference> runDifferences(const Scenario& before,
                                                int runBefore,
                                                const Scenario& after,
                                                int runAfter);

/// Whether two FFNs are of one variant, in all stages if they are composed: only then the
/// parameters of one exist in the other.
bool haveSameVariants(const FfnSpec& one, const FfnSpec& other);

} // namespace flopsmith
