// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// Something illegal in a scenario, or a note on it.
struct Problem
{
    enum class Severity { error, note };

    Severity severity = Severity::error;
    std::string key; ///< the parameter: "blocks[0].mixer.heads"
    std::string message; ///< what is wrong and what would be right

    bool operator==(const Problem&) const = default;
};

/// Every problem of the scenario, each with its parameter and the legal values.
std::vector<Problem> problems(const Scenario& scenario);

/// Done, or all errors in one line (notes are left out).
Status validated(const Scenario& scenario);

/// Moves every illegal number to the nearest legal one, if that makes the scenario legal, and says
/// for each what it was, what is legal and what it is now. The Error names problems that cannot be
/// repaired this way: a composition without stages, blocks of one share group that differ.
Result<std::vector<std::string>> repairedWithNotes(Scenario& scenario);

} // namespace flopsmith
