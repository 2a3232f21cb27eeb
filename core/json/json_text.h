// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/json/json.h"

#include <string>
#include <string_view>

// JSON as text: reading and writing values.
namespace flopsmith {

/// An exact JSON number below 2^53, a string of digits above.
Json exactNumber(Count count);

/// Parses text with bounds on size and nesting. `source` names it in the error, which contains line
/// and column. Refuses duplicate keys.
Result<Json> parsedJson(std::string_view text, const std::string& source);

/// The text with every `Infinity` that stands in a list, as Python writes an open limit, replaced by
/// 1e308, byte for byte.
std::string withFiniteLimits(std::string_view text);

/// Parses text of this program's own, without bounds; is_discarded() if it is not JSON.
Json ownJson(std::string_view text);

/// In one line, or a line per value with so many spaces for each level. Bytes that are not UTF-8
/// are replaced by U+FFFD.
std::string jsonText(const Json& json, int indent = -1);

} // namespace flopsmith
