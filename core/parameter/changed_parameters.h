// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A parameter independent of how blocks are numbered: the run it belongs to, and its key behind
/// "blocks[N].".
struct ParameterPlace
{
    int run = -1; ///< −1: of the workload or the model
    std::string key;

    bool operator==(const ParameterPlace&) const = default;
};

ParameterPlace placeOf(const Scenario& scenario, const Parameter& parameter);

/// The place's key alone, which needs no search for the run.
std::string_view keyInRun(const Parameter& parameter);

/// Whether the key in a run is that of a part of this block that is muted.
bool isOfMutedPart(const Block& block, std::string_view key);

/// The parameter at a place, or nothing if the scenario has none there.
std::optional<Parameter> parameterAt(const Scenario& scenario, const ParameterPlace& place);

/// One parameter whose value differs between two scenarios of the same structure.
struct ParameterChange
{
    ParameterPlace place;
    Parameter parameter;
    FieldValue before;
    FieldValue after;
};

/// Those that apply in the first scenario. Runs whose blocks are equal are not looked into.
std::vector<ParameterChange> changedParameters(const Scenario& before, const Scenario& after);

/// Whether the number of layers and the lengths of the runs, which move together.
bool isLength(const Parameter& parameter);

/// Whether two FFNs are of one variant, in all stages if they are composed: only then the
/// parameters of one exist in the other.
bool haveSameVariants(const FfnSpec& one, const FfnSpec& other);

} // namespace flopsmith
