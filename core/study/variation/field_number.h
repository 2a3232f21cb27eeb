// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"

#include <optional>

namespace flopsmith {

/// The parameter's value as a number; empty for flags and names.
inline std::optional<double> numberOf(const FieldValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

} // namespace flopsmith
