// SPDX-License-Identifier: MIT
#include "core/json/json_fields.h"

#include "core/json/json_text.h"

#include <algorithm>
#include <limits>

namespace flopsmith::json {

Json valueJson(const FieldValue& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Error wrongType(const std::string& place, const Json& json, const std::string& wanted)
{
    return {place + ": expected " + wanted + ", found " + json.type_name()};
}

Result<FieldValue> fieldValue(const Json& json, const FieldValue& like, const std::string& place)
{
    if (std::holds_alternative<std::int64_t>(like)) {
        if (!json.is_number_integer()) {
            return wrongType(place, json, "a whole number");
        }
        const bool fits = json.is_number_unsigned()
            ? json.get<std::uint64_t>() <= std::numeric_limits<int>::max()
            : json.get<std::int64_t>() >= std::numeric_limits<int>::min();
        return fits ? Result<FieldValue>(FieldValue(json.get<std::int64_t>()))
                    : Error{place + ": " + jsonText(json) + " is too large; at most 2147483647"};
    }
    if (std::holds_alternative<double>(like)) {
        return json.is_number() ? Result<FieldValue>(FieldValue(json.get<double>()))
                                : wrongType(place, json, "a number");
    }
    if (std::holds_alternative<bool>(like)) {
        return json.is_boolean() ? Result<FieldValue>(FieldValue(json.get<bool>()))
                                 : wrongType(place, json, "true or false");
    }
    return json.is_string() ? Result<FieldValue>(FieldValue(json.get<std::string>()))
                            : wrongType(place, json, "a name in quotes");
}

Status expectObject(const Json& json, const std::string& place)
{
    return json.is_object() ? Status(Done{}) : wrongType(place, json, "an object { … }");
}

Status refuseOtherKeys(const Json& json,
                       const std::string& place,
                       const std::vector<std::string>& known,
                       UnknownKeys* unknown)
{
    if (unknown != nullptr) {
        collectUnknown(*unknown, json, place, known);
        return Done{};
    }
    std::string list;
    for (const std::string& key : known) {
        list += (list.empty() ? "" : ", ") + key;
    }
    for (const auto& item : json.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            return Error{place + "." + item.key() + ": no such key here; known are " + list};
        }
    }
    return Done{};
}

Json normJson(const Norm& norm)
{
    Json json = Json::object();
    writeFields(json, norm, Norm::fields());
    writeValues(json, norm, Norm{});
    return json;
}

Status readNorm(Norm& norm,
                const Json& json,
                const std::string& key,
                const std::string& place,
                UnknownKeys* unknown)
{
    if (!json.contains(key)) {
        return Done{};
    }
    const std::string where = place + "." + key;
    if (const Status object = expectObject(json[key], where); !object) {
        return object;
    }
    return readFieldsAndValues(norm, Norm::fields(), json[key], where, {}, unknown);
}

Json embeddingJson(const Embedding& embedding)
{
    Json json;
    writeFields(json, embedding, Embedding::fields());
    writeValues(json, embedding, Embedding{});
    json["norm"] = normJson(embedding.norm);
    return json;
}

Json headJson(const Head& head)
{
    Json json;
    writeFields(json, head, Head::fields());
    writeValues(json, head, Head{});
    if (head.transform || head.norm != Norm{}) {
        json["norm"] = normJson(head.norm);
    }
    if (!head.unreadPooler) {
        json.erase("unread_pooler"); // files and stored results from before it stay what they are
    }
    return json;
}

} // namespace flopsmith::json
