// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_rules.h"

#include <optional>
#include <string>

// Applies rules to a scenario, and describes what they did.

namespace flopsmith {

/// A value that a tie demands of its parameter, which has another value.
struct AskedValue
{
    Parameter parameter;
    FieldValue value;
};

/// Nothing if the tie holds, or has no effect here.
std::optional<AskedValue> askedBy(const TiedPlace& tied, const Scenario& scenario);

/// "d_ff is locked at 3072"
std::string lockedText(const LockedPlace& lock);

} // namespace flopsmith
