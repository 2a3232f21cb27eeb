// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

// Text and values of JSON. The library's own dump() and parse() are templates that every source
// compiles anew (1.5 and 3.5 s); these are compiled once.
namespace flopsmith {

/// An exact JSON number below 2^53, a string of digits above.
nlohmann::ordered_json exactNumber(Count count);

/// Parses text with bounds on size and nesting. `source` names it in the error, which gives line
/// and column. Refuses duplicate keys.
Result<nlohmann::ordered_json> parsedJson(std::string_view text, const std::string& source);

/// Parses text of this program's own, without bounds; is_discarded() if it is not JSON.
nlohmann::ordered_json ownJson(std::string_view text);

/// What the library says of a mistake, "[…] parse error at …: syntax error while parsing value -
/// unexpected …": the part that a person can use. For those who read a text without its values.
std::string jsonMistake(const std::string& what);

/// In one line, or a line per value with so many spaces for each level. Bytes that are not UTF-8
/// are replaced by U+FFFD.
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

} // namespace flopsmith
