// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json_fields.h"
#include "core/model/model.h"

#include <string>

namespace flopsmith::json {

/// [{"first": 0, "length": 2, "times": 4}, …]: which runs of "blocks" come again as a whole.
Json patternsJson(const Model& model);

/// Reads the model's patterns, if it has any; the runs are read already. Refuses patterns that its
/// runs do not repeat.
Status readPatterns(Model& model, const Json& json, const std::string& place, UnknownKeys* unknown);

} // namespace flopsmith::json
