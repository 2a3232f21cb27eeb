// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/measure/environment.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace flopsmith {

/// {"cpu_model": "…", "usable_cores": 2, …}; what the system did not tell is left out.
nlohmann::ordered_json toJson(const Environment& environment);

Result<Environment> environmentFromJson(const nlohmann::ordered_json& json,
                                        const std::string& place);

} // namespace flopsmith
