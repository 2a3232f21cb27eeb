// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/measure/environment.h"

#include <string>

namespace flopsmith {

/// {"cpu_model": "…", "usable_cores": 2, …}; unknown members are left out.
Json toJson(const Environment& environment);

Result<Environment> environmentFromJson(const Json& json, const std::string& place);

} // namespace flopsmith
