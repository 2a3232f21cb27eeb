// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_rules.h"

#include <optional>
#include <string>

// Resolves the names in ties: the tied parameters and their sources.

namespace flopsmith {

/// The last word of the parameter's key: "d_ff" of "ffn.d_ff".
std::string ownName(const ParameterPlace& place);

/// Whether the parameter is a number, as all that follow and are followed.
bool holdsNumber(const Scenario& scenario, const Parameter& parameter);

/// The place of a tie's source, or nothing if it is gone.
std::optional<ParameterPlace> sourcePlace(const Scenario& scenario, const TiedPlace& tied);

} // namespace flopsmith
