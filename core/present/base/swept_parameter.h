// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_lookup.h"

#include <optional>

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

} // namespace flopsmith
