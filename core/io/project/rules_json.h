// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/parameter/parameter_rules.h"

#include <string>
#include <vector>

namespace flopsmith {

/// {"ties": {"blocks[0].ffn.d_ff": "4*d_model"}, "locked": ["d_model"]}, without empty members.
Json toJson(const ParameterRules& rules, const Scenario& scenario);

/// The rules that hold in the scenario; `reasons` gets a sentence for each rule that does not. An
/// Error for an entry that is not a rule.
Result<ParameterRules> rulesFromJson(const Json& json,
                                     const std::string& place,
                                     const Scenario& scenario,
                                     std::vector<std::string>& reasons);

} // namespace flopsmith
