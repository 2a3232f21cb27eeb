// SPDX-License-Identifier: MIT
#include "core/protocol/wire/json_reader.h"

#include "core/json/json_text.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxDigits = 38; // of a Count: 2^127 has 39

const Json& nothing()
{
    static const Json kNull;
    return kNull;
}

bool isDigits(const std::string& text)
{
    return !text.empty() && text.size() <= kMaxDigits
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

JsonReader::JsonReader(const Json& json, std::string place)
    : m_json(&json)
    , m_place(std::move(place))
{
    if (!json.is_object()) {
        m_error = Error{m_place + ": expected an object { … }, found " + json.type_name()};
    }
}

const Json* JsonReader::find(const std::string& key) const
{
    return m_json->find(key);
}

const Json& JsonReader::required(const std::string& key)
{
    const Json* value = find(key);
    if (value == nullptr) {
        fail(key, "missing");
        return nothing();
    }
    return *value;
}

void JsonReader::fail(const std::string& key, const std::string& what)
{
    if (!m_error) {
        m_error = Error{m_place + "." + key + ": " + what};
    }
}

void JsonReader::note(const Status& status)
{
    if (!m_error && !status) {
        m_error = status.error();
    }
}

Status JsonReader::status() const
{
    return m_error ? Status(*m_error) : Status(Done{});
}

std::string JsonReader::text(const std::string& key)
{
    const Json& value = required(key);
    if (!value.is_string()) {
        fail(key, std::string("expected a text in quotes, found ") + value.type_name());
        return {};
    }
    return value.get<std::string>();
}

std::string JsonReader::textOr(const std::string& key, std::string otherwise)
{
    return find(key) == nullptr ? std::move(otherwise) : text(key);
}

std::vector<std::string> JsonReader::texts(const std::string& key)
{
    std::vector<std::string> list;
    for (const Json& item : array(key)) {
        if (!item.is_string()) {
            fail(key, std::string("expected texts in quotes, found ") + item.type_name());
            return {};
        }
        list.push_back(item.get<std::string>());
    }
    return list;
}

bool JsonReader::flag(const std::string& key)
{
    const Json& value = required(key);
    if (!value.is_boolean()) {
        fail(key, std::string("expected true or false, found ") + value.type_name());
        return false;
    }
    return value.get<bool>();
}

std::int64_t JsonReader::asInteger(const Json& value,
                                   const std::string& key,
                                   std::int64_t low,
                                   std::int64_t high)
{
    const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
    if (value.is_number_integer() && !huge) {
        const auto number = value.get<std::int64_t>();
        if (number >= low && number <= high) {
            return number;
        }
    }
    fail(key,
         "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high)
             + ", found " + (value.is_number() ? jsonText(value) : value.type_name()));
    return low;
}

std::int64_t JsonReader::integer(const std::string& key, std::int64_t low, std::int64_t high)
{
    return asInteger(required(key), key, low, high);
}

std::int64_t JsonReader::integerOr(const std::string& key,
                                   std::int64_t low,
                                   std::int64_t high,
                                   std::int64_t otherwise)
{
    const Json* value = find(key);
    return value == nullptr ? otherwise : asInteger(*value, key, low, high);
}

std::optional<std::int64_t> JsonReader::optionalInteger(const std::string& key,
                                                        std::int64_t low,
                                                        std::int64_t high)
{
    const Json* value = find(key);
    return value == nullptr ? std::nullopt : std::optional(asInteger(*value, key, low, high));
}

double JsonReader::asAmount(const Json& value, const std::string& key)
{
    if (value.is_number()) {
        const auto number = value.get<double>();
        if (std::isfinite(number) && number >= 0.0) {
            return number;
        }
    }
    fail(key,
         std::string("expected a number that is not negative, found ")
             + (value.is_number() ? jsonText(value) : value.type_name()));
    return 0.0;
}

double JsonReader::amount(const std::string& key)
{
    return asAmount(required(key), key);
}

double JsonReader::amountOr(const std::string& key, double otherwise)
{
    const Json* value = find(key);
    return value == nullptr ? otherwise : asAmount(*value, key);
}

std::optional<double> JsonReader::optionalAmount(const std::string& key)
{
    const Json* value = find(key);
    return value == nullptr ? std::nullopt : std::optional(asAmount(*value, key));
}

std::vector<double> JsonReader::amountsOrEmpty(const std::string& key)
{
    std::vector<double> amounts;
    for (const Json& item : arrayOrEmpty(key)) {
        amounts.push_back(asAmount(item, key));
    }
    return amounts;
}

Count JsonReader::count(const std::string& key)
{
    const Json& value = required(key);
    if (value.is_string() && isDigits(value.get<std::string>())) {
        return fromDigits(value.get<std::string>());
    }
    if (value.is_number_unsigned()) {
        return static_cast<Count>(value.get<std::uint64_t>());
    }
    if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
        return value.get<std::int64_t>();
    }
    fail(key,
         std::string("expected a whole number that is not negative, found ") + value.type_name());
    return 0;
}

const Json& JsonReader::object(const std::string& key)
{
    static const Json kEmpty = Json::object();
    const Json& value = required(key);
    if (!value.is_object()) {
        fail(key, std::string("expected an object { … }, found ") + value.type_name());
        return kEmpty;
    }
    return value;
}

const Json& JsonReader::array(const std::string& key)
{
    static const Json kEmpty = Json::array();
    const Json& value = required(key);
    if (!value.is_array()) {
        fail(key, std::string("expected a list [ … ], found ") + value.type_name());
        return kEmpty;
    }
    return value;
}

const Json& JsonReader::arrayOrEmpty(const std::string& key)
{
    static const Json kEmpty = Json::array();
    return find(key) == nullptr ? kEmpty : array(key);
}

} // namespace flopsmith
