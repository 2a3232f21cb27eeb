// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/config/config_reader.h"

#include "core/json/json_text.h"
#include "core/model/model.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace flopsmith {
namespace {

constexpr int kLargest = std::numeric_limits<int>::max();

const Json kNull;

} // namespace

bool ConfigReader::has(const char* key) const
{
    return m_json.contains(key) && !m_json[key].is_null();
}

bool ConfigReader::named(const char* key) const
{
    return m_json.contains(key);
}

bool ConfigReader::hasAny(Spellings keys) const
{
    return std::any_of(keys.begin(), keys.end(), [this](const char* key) { return has(key); });
}

const Json& ConfigReader::value(const char* key)
{
    m_read.insert(key);
    return m_json.contains(key) ? m_json[key] : kNull;
}

void ConfigReader::fail(const std::string& key, const std::string& what)
{
    keep(json::errorAt(key, what));
}

void ConfigReader::keep(const Error& error)
{
    if (!m_error) {
        m_error = error;
    }
}

std::optional<std::pair<std::string, const Json*>> ConfigReader::found(Spellings spellings)
{
    std::optional<std::pair<std::string, const Json*>> first;
    for (const char* key : spellings) {
        const Json& json = value(key);
        if (!named(key)) {
            continue;
        }
        if (!first || first->second->is_null()) {
            first = {key, &json};
        } else if (!json.is_null() && json != *first->second) {
            fail(key,
                 json::shownValue(json) + " contradicts " + first->first + ": "
                     + json::shownValue(*first->second) + "; they are two names of one setting");
        }
    }
    return first;
}

int ConfigReader::asWhole(const std::string& key, const Json& value, int low, int high)
{
    return static_cast<int>(valueOr<std::int64_t>(json::wholeOf(value, key, low, high), low));
}

int ConfigReader::wholeOr(Spellings spellings, int classDefault, int low, int high)
{
    if (const auto json = found(spellings)) {
        return asWhole(json->first, *json->second, low, high);
    }
    assumed(*spellings.begin(), std::to_string(classDefault));
    return classDefault;
}

int ConfigReader::sizeOr(Spellings spellings, int classDefault)
{
    return wholeOr(spellings, classDefault, 1, kLargest);
}

int ConfigReader::countOr(Spellings spellings, int classDefault)
{
    return wholeOr(spellings, classDefault, 0, kLargest);
}

int ConfigReader::countOrNone(Spellings spellings, int classDefault)
{
    const auto json = found(spellings);
    return json && json->second->is_null() ? 0 : countOr(spellings, classDefault);
}

int ConfigReader::layersOr(Spellings spellings, int classDefault)
{
    return wholeOr(spellings, classDefault, 1, kMaxLayers);
}

std::optional<int> ConfigReader::optionalSize(Spellings spellings)
{
    const auto json = found(spellings);
    if (!json || json->second->is_null()) {
        return std::nullopt;
    }
    return asWhole(json->first, *json->second, 1, kLargest);
}

int ConfigReader::sizeOrDerived(Spellings spellings, int derived)
{
    const std::optional<int> size = optionalSize(spellings);
    const bool isNamed = std::any_of(
        spellings.begin(), spellings.end(), [this](const char* key) { return named(key); });
    if (!isNamed) {
        missing({*spellings.begin(), std::to_string(derived), true});
    }
    return size.value_or(derived);
}

double ConfigReader::realOr(Spellings spellings, double classDefault)
{
    const auto json = found(spellings);
    return json ? valueOr(json::realOf(*json->second, json->first), 0.0) : classDefault;
}

double ConfigReader::positiveOr(const char* key, double classDefault, double largest)
{
    const Json& json = value(key);
    return json.is_null() ? classDefault
                          : valueOr(json::positiveOf(json, key, largest), classDefault);
}

double ConfigReader::optionalReal(const char* key)
{
    const Json& json = value(key);
    return json.is_null() ? 0.0 : valueOr(json::realOf(json, key), 0.0);
}

bool ConfigReader::flag(const char* key, bool classDefault)
{
    const Json& json = value(key);
    return json.is_null() ? classDefault : valueOr(json::flagOf(json, key), classDefault);
}

std::string ConfigReader::text(Spellings spellings, const std::string& classDefault)
{
    const auto json = found(spellings);
    return !json || json->second->is_null()
        ? classDefault
        : valueOr(json::textOf(*json->second, json->first), classDefault);
}

std::vector<int> ConfigReader::indices(const char* key)
{
    std::vector<int> all;
    const Json& json = value(key);
    if (!json.is_null() && !json.is_array()) {
        fail(key, "expected a list of whole numbers, found " + json::shownValue(json));
        return all;
    }
    for (const Json& each : json) {
        all.push_back(asWhole(json::elementPlace(key, all.size()), each, 0, kLargest));
    }
    return all;
}

std::vector<std::string> ConfigReader::names(const char* key, int count)
{
    std::vector<std::string> all;
    const Json& json = value(key);
    if (json.is_null()) {
        return all;
    }
    if (!json.is_array() || json.size() != static_cast<std::size_t>(count)) {
        fail(key,
             "expected a list of " + std::to_string(count) + " names, one per block, found "
                 + (json.is_array() ? std::to_string(json.size()) + " entries"
                                    : json::shownValue(json)));
        return all;
    }
    for (const Json& each : json) {
        const std::string place = json::elementPlace(key, all.size());
        all.push_back(valueOr(json::textOf(each, place), std::string()));
    }
    return all;
}

void ConfigReader::requireFlag(const char* key, bool needed, const std::string& why)
{
    if (flag(key, needed) != needed) {
        fail(key, std::string(needed ? "false" : "true") + " is not supported: " + why);
    }
}

void ConfigReader::requireText(const char* key, const std::string& needed)
{
    const std::string name = text({key}, needed);
    if (name != needed) {
        fail(key, json::shownValue(name) + " is not supported; supported is \"" + needed + "\"");
    }
}

void ConfigReader::refuseContent(const char* key, const std::string& why)
{
    const Json& json = value(key);
    const bool empty = json.is_null() || ((json.is_array() || json.is_object()) && json.empty());
    if (!empty) {
        fail(key, json::shownValue(json) + " is not supported: " + why);
    }
}

void ConfigReader::ignoreInherited()
{
    for (const char* key : {"add_cross_attention",
                            "is_decoder",
                            "is_encoder_decoder",
                            "pruned_heads",
                            "tie_encoder_decoder"}) {
        if (named(key) && (m_json[key].empty() || m_json[key] == Json(false))) {
            ignore({key});
        }
    }
}

void ConfigReader::leftOut(std::string sentence)
{
    m_leftOut.push_back(sentence);
    note(std::move(sentence));
}

void ConfigReader::ignoreNoting(Spellings keys, const std::string& why)
{
    for (const char* key : keys) {
        const Json& json = value(key);
        if (!json.is_null() && json != Json(false)) {
            note(std::string(key) + ": " + why);
        }
    }
}

} // namespace flopsmith
