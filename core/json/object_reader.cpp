// SPDX-License-Identifier: MIT
#include "core/json/object_reader.h"

#include <algorithm>

namespace flopsmith {
namespace {

const Json& emptyObject()
{
    static const Json kEmpty = Json::object();
    return kEmpty;
}

const Json& emptyList()
{
    static const Json kEmpty = Json::array();
    return kEmpty;
}

} // namespace

ObjectReader::ObjectReader(const Json& json, std::string place)
    : ObjectReader(json, std::move(place), std::make_shared<std::optional<Error>>())
{}

ObjectReader::ObjectReader(const Json& json,
                           std::string place,
                           std::shared_ptr<std::optional<Error>> error)
    : m_json(&json)
    , m_place(std::move(place))
    , m_error(std::move(error))
{
    note(json::expectObject(json, m_place));
}

Status ObjectReader::status() const
{
    return ok() ? Status(Done{}) : Status(**m_error);
}

void ObjectReader::fail(const std::string& what)
{
    note(json::errorAt(m_place, what));
}

void ObjectReader::failAt(std::string_view key, const std::string& what)
{
    note(json::errorAt(placeOf(key), what));
}

void ObjectReader::note(const Status& status)
{
    if (ok() && !status) {
        *m_error = status.error();
    }
}

void ObjectReader::refuseOtherKeys(std::initializer_list<std::string_view> known,
                                   std::string_view comment)
{
    for (const JsonMember& member : members()) {
        const std::string& key = member.key();
        if (std::find(known.begin(), known.end(), key) == known.end() && key != comment) {
            note(json::unknownKey(m_place, key, json::listed(known)));
            return;
        }
    }
}

const Json* ObjectReader::find(std::string_view key) const
{
    return ok() ? m_json->find(key) : nullptr;
}

const Json* ObjectReader::required(std::string_view key)
{
    const Json* value = find(key);
    if (value == nullptr) {
        failAt(key, "missing");
    }
    return value;
}

const std::vector<JsonMember>& ObjectReader::members() const
{
    return ok() ? m_json->items() : emptyObject().items();
}

std::string ObjectReader::text(std::string_view key)
{
    const Json* value = required(key);
    return value == nullptr ? std::string() : valueOr(json::textOf(*value, placeOf(key)));
}

std::string ObjectReader::text(std::string_view key, std::size_t maxBytes)
{
    const Json* value = required(key);
    return value == nullptr ? std::string() : valueOr(json::textOf(*value, placeOf(key), maxBytes));
}

std::string ObjectReader::textOr(std::string_view key, std::string otherwise)
{
    return has(key) ? text(key) : std::move(otherwise);
}

std::vector<std::string> ObjectReader::texts(std::string_view key)
{
    std::vector<std::string> texts;
    for (const Json& each : list(key)) {
        const std::string place = json::elementPlace(placeOf(key), texts.size());
        texts.push_back(valueOr(json::textOf(each, place)));
    }
    return texts;
}

bool ObjectReader::flag(std::string_view key)
{
    const Json* value = required(key);
    return value != nullptr && valueOr(json::flagOf(*value, placeOf(key)));
}

bool ObjectReader::flagOr(std::string_view key, bool otherwise)
{
    return has(key) ? flag(key) : otherwise;
}

std::int64_t ObjectReader::whole(std::string_view key, std::int64_t low, std::int64_t high)
{
    const Json* value = required(key);
    return value == nullptr ? low : valueOr(json::wholeOf(*value, placeOf(key), low, high), low);
}

std::int64_t ObjectReader::wholeOr(std::string_view key,
                                   std::int64_t low,
                                   std::int64_t high,
                                   std::int64_t otherwise)
{
    return has(key) ? whole(key, low, high) : otherwise;
}

std::optional<std::int64_t> ObjectReader::optionalWhole(std::string_view key,
                                                        std::int64_t low,
                                                        std::int64_t high)
{
    return has(key) ? std::optional(whole(key, low, high)) : std::nullopt;
}

double ObjectReader::real(std::string_view key)
{
    const Json* value = required(key);
    return value == nullptr ? 0.0 : valueOr(json::realOf(*value, placeOf(key)));
}

double ObjectReader::real(std::string_view key, double low, double high)
{
    const Json* value = required(key);
    return value == nullptr ? low : valueOr(json::realOf(*value, placeOf(key), low, high), low);
}

double ObjectReader::positive(std::string_view key, double high)
{
    const Json* value = required(key);
    return value == nullptr ? 0.0 : valueOr(json::positiveOf(*value, placeOf(key), high));
}

double ObjectReader::amount(std::string_view key)
{
    const Json* value = required(key);
    return value == nullptr ? 0.0 : valueOr(json::amountOf(*value, placeOf(key)));
}

double ObjectReader::amountOr(std::string_view key, double otherwise)
{
    return has(key) ? amount(key) : otherwise;
}

std::optional<double> ObjectReader::optionalAmount(std::string_view key)
{
    return has(key) ? std::optional(amount(key)) : std::nullopt;
}

std::vector<double> ObjectReader::amountsOrEmpty(std::string_view key)
{
    std::vector<double> amounts;
    for (const Json& each : listOrEmpty(key)) {
        const std::string place = json::elementPlace(placeOf(key), amounts.size());
        amounts.push_back(valueOr(json::amountOf(each, place)));
    }
    return amounts;
}

Count ObjectReader::count(std::string_view key, std::size_t maxDigits)
{
    const Json* value = required(key);
    return value == nullptr ? Count(0) : valueOr(json::countOf(*value, placeOf(key), maxDigits));
}

const Json& ObjectReader::list(std::string_view key)
{
    const Json* value = required(key);
    if (value != nullptr && !value->is_array()) {
        note(json::wrongType(placeOf(key), *value, "a list [ … ]"));
    }
    return ok() ? *value : emptyList();
}

const Json& ObjectReader::list(std::string_view key, std::size_t minSize, std::size_t maxSize)
{
    const Json& value = list(key);
    if (ok() && (value.size() < minSize || value.size() > maxSize)) {
        const std::string range = minSize == 0 ? "at most " : std::to_string(minSize) + " to ";
        failAt(key,
               "expected a list [ … ] with " + range + std::to_string(maxSize) + " entries, found "
                   + std::to_string(value.size()));
    }
    return ok() ? value : emptyList();
}

const Json& ObjectReader::listOrEmpty(std::string_view key)
{
    return has(key) ? list(key) : emptyList();
}

ObjectReader ObjectReader::object(std::string_view key)
{
    const Json* value = required(key);
    return part(value == nullptr ? emptyObject() : *value, placeOf(key));
}

ObjectReader ObjectReader::object(std::string_view key, std::size_t maxSize)
{
    ObjectReader read = object(key);
    if (const std::size_t size = read.members().size(); size > maxSize) {
        read.fail("expected an object { … } with at most " + std::to_string(maxSize)
                  + " entries, found " + std::to_string(size));
    }
    return read;
}

std::vector<ObjectReader> ObjectReader::elements(std::string_view key, const Json& list) const
{
    std::vector<ObjectReader> readers;
    for (const Json& each : list) {
        readers.push_back(part(each, json::elementPlace(placeOf(key), readers.size())));
    }
    return readers;
}

ObjectReader ObjectReader::part(const Json& json, std::string place) const
{
    return {json, std::move(place), m_error};
}

} // namespace flopsmith
