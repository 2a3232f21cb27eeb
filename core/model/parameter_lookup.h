// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/parameter_table.h"

#include <optional>
#include <string_view>

namespace flopsmith {

/// The first of matchingParameters(), or nothing: in a sweep all of them take the same values. The
/// others, of which a deep model has one per run of blocks, are not copied.
std::optional<Parameter> firstParameter(const Scenario& scenario, std::string_view key);

} // namespace flopsmith
