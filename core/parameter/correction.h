// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/differences.h"
#include "core/parameter/parameter_rules.h"
#include "core/parameter/wishes.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// Another change with which a value becomes legal that is not legal now.
struct Alternative
{
    std::string text; ///< "heads 16"
    Scenario scenario; ///< with that change and the value

    bool operator==(const Alternative&) const = default;
};

/// What is taken instead of a value that is not legal, and why.
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

/// Why a value is not among legal ones: "9999 is more than 385, the most for k_freq".
std::string reasonAgainst(const LegalValues& legal,
                          const FieldValue& wanted,
                          std::string_view label);

/// What else changed when a parameter was set, with the reason for each:
/// "k_freq 64 → 7 (at most 7 at d_model 12)", "d_ff = 4·d_model: 3072 → 4096". Empty if nothing did.
std::string dependentsText(const Scenario& before,
                           const Wishes& wishesBefore,
                           const Scenario& after,
                           const Parameter& set,
                           const ParameterRules& rules = {});

/// What a 0 means where it stands for something else: "auto (64)" for a head_dim of d_model/heads,
/// "all" keys of a window, "off" of a soft-cap. Empty where 0 is a number like others.
std::string zeroText(const Scenario& scenario, const Parameter& parameter);

} // namespace flopsmith
