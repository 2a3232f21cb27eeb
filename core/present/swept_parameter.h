// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/parameter_table.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// The value as a place on an axis; nothing for flags and choices.
inline std::optional<double> number(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

/// The first of the parameters that a key means: all of them take the same values in a sweep.
inline std::optional<Parameter> firstParameter(const Scenario& scenario, std::string_view key)
{
    std::vector<Parameter> found = matchingParameters(scenario, key);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

} // namespace flopsmith
