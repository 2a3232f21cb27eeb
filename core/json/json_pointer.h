// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <string_view>

// Places in a value as JSON pointers (RFC 6901) write them: "/model/blocks/0".
namespace flopsmith {

/// Null if the pointer leads nowhere.
const Json* valueAt(const Json& json, std::string_view pointer);
Json* valueAt(Json& json, std::string_view pointer);

/// Makes the members that are missing on the way.
Json& madeAt(Json& json, std::string_view pointer);

} // namespace flopsmith
