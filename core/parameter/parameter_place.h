// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// A parameter independent of how blocks are numbered: its run, and its key after "blocks[N].".
struct ParameterPlace
{
    int run = -1; ///< −1: of the workload or the model
    std::string key;

    bool operator==(const ParameterPlace&) const = default;
};

ParameterPlace placeOf(const Scenario& scenario, const Parameter& parameter);

/// The place's key alone, which needs no search for the run.
std::string_view keyInRun(const Parameter& parameter);

/// Whether a key in a run belongs to a part of this block that is muted.
bool isOfMutedPart(const Block& block, std::string_view key);

/// The parameter at a place, or nothing if the scenario has none there.
std::optional<Parameter> parameterAt(const Scenario& scenario, const ParameterPlace& place);

/// Whether the number of layers and the lengths of the runs, which move together.
bool isLength(const Parameter& parameter);

} // namespace flopsmith
