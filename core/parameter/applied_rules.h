// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_rules.h"

#include <optional>
#include <string>

// What rules do to a scenario, and what they say of it.

namespace flopsmith {

/// A value that a tie asks of its parameter, which has another one.
struct AskedValue
{
    Parameter parameter;
    FieldValue value;
};

/// Nothing if the tie holds, or leads nothing here.
std::optional<AskedValue> askedBy(const TiedPlace& tied, const Scenario& scenario);

/// "d_ff is locked at 3072"
std::string lockedText(const LockedPlace& lock);

} // namespace flopsmith
