// SPDX-License-Identifier: MIT
#include "core/json/json_values.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::json {
namespace {

bool isLead(const std::string& place)
{
    return place.empty() || place.ends_with(": ");
}

bool fitsInt64(const Json& json)
{
    return json.is_number_integer()
        && !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX);
}

// NaN for anything but a number: it is in no range.
double realIn(const Json& json)
{
    return json.is_number() ? json.get<double>() : std::nan("");
}

bool isDigits(const std::string& text, std::size_t maxDigits)
{
    return !text.empty() && text.size() <= maxDigits
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Count fromDigits(const std::string& text)
{
    Count value = 0;
    for (const char digit : text) {
        value = value * 10 + (digit - '0');
    }
    return value;
}

} // namespace

std::string memberPlace(const std::string& place, std::string_view key)
{
    return place + (isLead(place) ? "" : ".") + excerpt(key);
}

std::string elementPlace(const std::string& place, std::size_t index)
{
    return place + "[" + std::to_string(index) + "]";
}

std::string shownValue(const Json& value)
{
    constexpr std::size_t kLongestShown = 40;
    if (value.is_string()) {
        return "the text \"" + elided(printable(value.text()), kLongestShown) + "\"";
    }
    if (value.is_array()) {
        return "a list";
    }
    return value.is_object() ? "an object" : jsonText(value);
}

Error errorAt(const std::string& place, const std::string& what)
{
    return {place + (isLead(place) ? "" : ": ") + what};
}

Error wrongType(const std::string& place, const Json& json, const std::string& wanted)
{
    return errorAt(place, "expected " + wanted + ", found " + shownValue(json));
}

Error unknownName(const std::string& place, std::string_view name, const std::string& known)
{
    return errorAt(place, "\"" + excerpt(name) + "\" is unknown; known are " + known);
}

Error unknownKey(const std::string& place, std::string_view key, const std::string& known)
{
    return errorAt(memberPlace(place, key), "no such key here; known are " + known);
}

Status expectObject(const Json& json, const std::string& place)
{
    return json.is_object() ? Status(Done{}) : wrongType(place, json, "an object { … }");
}

Result<bool> flagOf(const Json& json, const std::string& place)
{
    return json.is_boolean() ? Result<bool>(json.get<bool>())
                             : wrongType(place, json, "true or false");
}

Result<std::string> textOf(const Json& json, const std::string& place)
{
    if (!json.is_string()) {
        return wrongType(place, json, "a text in quotes");
    }
    return json.text().size() > kLongestText ? tooLong(place, json, kLongestText)
                                             : Result<std::string>(json.text());
}

Error tooLong(const std::string& place, const Json& text, std::size_t maxBytes)
{
    return errorAt(place,
                   "expected a text of at most " + std::to_string(maxBytes) + " bytes, found "
                       + std::to_string(text.text().size()));
}

Result<std::string> textOf(const Json& json, const std::string& place, std::size_t maxBytes)
{
    const std::string wanted =
        "a text in quotes of 1 to " + std::to_string(maxBytes) + " characters";
    if (!json.is_string()) {
        return wrongType(place, json, wanted);
    }
    const std::size_t size = json.text().size();
    if (size == 0 || size > maxBytes) {
        return errorAt(place, "expected " + wanted + ", found " + std::to_string(size));
    }
    return json.text();
}

// The limits of int do not help someone who has not written a number at all.
Result<std::int64_t> wholeOf(const Json& json,
                             const std::string& place,
                             std::int64_t low,
                             std::int64_t high)
{
    if (fitsInt64(json)) {
        const auto number = json.get<std::int64_t>();
        if (number >= low && number <= high) {
            return number;
        }
    }
    const bool isAnyInt =
        low <= std::numeric_limits<int>::min() && high >= std::numeric_limits<int>::max();
    const std::string range = isAnyInt && !json.is_number_integer()
        ? ""
        : " from " + std::to_string(low) + " to " + std::to_string(high);
    return wrongType(place, json, "a whole number" + range);
}

Result<double> realOf(const Json& json, const std::string& place)
{
    const double number = realIn(json);
    return std::isfinite(number) ? Result<double>(number) : wrongType(place, json, "a number");
}

Result<double> realOf(const Json& json, const std::string& place, double low, double high)
{
    const double number = realIn(json);
    return number >= low && number <= high
        ? Result<double>(number)
        : wrongType(place, json, "a number from " + numberText(low) + " to " + numberText(high));
}

Result<double> amountOf(const Json& json, const std::string& place)
{
    const double number = realIn(json);
    return std::isfinite(number) && number >= 0.0
        ? Result<double>(number)
        : wrongType(place, json, "a number that is not negative");
}

Result<double> positiveOf(const Json& json, const std::string& place, double high)
{
    const double number = realIn(json);
    return number > 0.0 && number <= high
        ? Result<double>(number)
        : wrongType(place, json, "a number above 0 and at most " + numberText(high));
}

Result<Count> countOf(const Json& json, const std::string& place, std::size_t maxDigits)
{
    if (json.is_string() && isDigits(json.text(), maxDigits)) {
        return fromDigits(json.text());
    }
    if (json.is_number_unsigned()) {
        return static_cast<Count>(json.get<std::uint64_t>());
    }
    if (json.is_number_integer() && json.get<std::int64_t>() >= 0) {
        return Count(json.get<std::int64_t>());
    }
    return wrongType(place, json, "a whole number that is not negative, or its digits in quotes");
}

} // namespace flopsmith::json
