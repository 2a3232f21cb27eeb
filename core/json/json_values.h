// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/json/json.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Reads single values of a JSON file, or returns one sentence that names the place, the expected
// value and the one found. All readers of files use this wording; object_reader.h reads whole
// objects.
namespace flopsmith::json {

/// "model.heads"; without a point where the place is empty or ends in ": ", as a file's place does.
std::string memberPlace(const std::string& place, std::string_view key);
std::string elementPlace(const std::string& place, std::size_t index); ///< "blocks[3]"

/// A value as a sentence shows it: `the text "768"`, `true`, `1e+30`, `a list`.
std::string shownValue(const Json& value);

Error errorAt(const std::string& place, const std::string& what);
Error wrongType(const std::string& place, const Json& json, const std::string& wanted);
Error unknownName(const std::string& place, std::string_view name, const std::string& known);
Error unknownKey(const std::string& place, std::string_view key, const std::string& known);

/// "a, b, c"
template <class Names>
std::string listed(const Names& names)
{
    std::string list;
    for (const auto& name : names) {
        list += (list.empty() ? "" : ", ") + std::string(name);
    }
    return list;
}

Status expectObject(const Json& json, const std::string& place);

Result<bool> flagOf(const Json& json, const std::string& place);

/// Longer texts would take seconds to lay out, and no file has them.
inline constexpr std::size_t kLongestText = 65'536; ///< in bytes

Result<std::string> textOf(const Json& json, const std::string& place);

Error tooLong(const std::string& place, const Json& text, std::size_t maxBytes);

/// One of the names, as its number in the list.
template <class Enum, class Names>
Result<Enum> namedValue(const Json& json, const std::string& place, const Names& names)
{
    if (!json.is_string()) {
        return wrongType(place, json, "one of " + listed(names));
    }
    std::size_t index = 0;
    for (const std::string_view each : names) {
        if (each == json.text()) {
            return static_cast<Enum>(index);
        }
        ++index;
    }
    return unknownName(place, json.text(), listed(names));
}

/// A text of 1 to `maxBytes` bytes.
Result<std::string> textOf(const Json& json, const std::string& place, std::size_t maxBytes);

Result<std::int64_t> wholeOf(const Json& json,
                             const std::string& place,
                             std::int64_t low,
                             std::int64_t high);

/// A finite number.
Result<double> realOf(const Json& json, const std::string& place);
Result<double> realOf(const Json& json, const std::string& place, double low, double high);

/// A finite number ≥ 0.
Result<double> amountOf(const Json& json, const std::string& place);

/// A number above 0.
Result<double> positiveOf(const Json& json, const std::string& place, double high);

/// ≥ 0: a whole number, or a text of at most so many decimal digits where JSON would not hold it.
Result<Count> countOf(const Json& json, const std::string& place, std::size_t maxDigits);

} // namespace flopsmith::json
