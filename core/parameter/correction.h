// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/differences.h"
#include "core/parameter/parameter_rules.h"
#include "core/parameter/wishes.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// Another change with which an illegal value becomes legal.
struct Alternative
{
    std::string text; ///< "heads 16"
    Scenario scenario; ///< with that change and the value

    bool operator==(const Alternative&) const = default;
};

/// A legal value that replaces an illegal one, and the reason.
struct Correction
{
    FieldValue taken;
    std::string sentence; ///< "1024 is not a multiple of 12 heads: 1020"
    std::optional<Alternative> alternative;
};

/// Nothing if the value is legal.
std::optional<Correction> correction(const Scenario& scenario,
                                     const Parameter& parameter,
                                     const FieldValue& wanted);

/// Why a value is not legal: "9999 is more than 385, the most for k_freq".
std::string reasonAgainst(const LegalValues& legal,
                          const FieldValue& wanted,
                          std::string_view label);

/// The other values that changed when a parameter was set, each with its reason: "k_freq 64 → 7 (at
/// most 7 at d_model 12)", "d_ff = 4·d_model: 3072 → 4096". Empty if none did.
std::string dependentsText(const Scenario& before,
                           const Wishes& wishesBefore,
                           const Scenario& after,
                           const Parameter& set,
                           const ParameterRules& rules = {});

/// The meaning of a 0 that is not a number: "auto (64)" for a head_dim of d_model/heads, "all" keys
/// of a window, "off" for a soft-cap. Otherwise empty.
std::string zeroText(const Scenario& scenario, const Parameter& parameter);

} // namespace flopsmith
