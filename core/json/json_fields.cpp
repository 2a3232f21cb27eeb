// SPDX-License-Identifier: MIT
#include "core/json/json_fields.h"

#include <algorithm>
#include <limits>

namespace flopsmith::json {

Json valueJson(const FieldValue& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Result<FieldValue> fieldValue(const Json& json, const FieldValue& like, const std::string& place)
{
    const auto asField = [](const auto& read) {
        return read ? Result<FieldValue>(FieldValue(*read)) : read.error();
    };
    if (std::holds_alternative<std::int64_t>(like)) {
        constexpr std::int64_t kMin = std::numeric_limits<int>::min();
        return asField(wholeOf(json, place, kMin, std::numeric_limits<int>::max()));
    }
    if (std::holds_alternative<double>(like)) {
        return asField(realOf(json, place));
    }
    if (std::holds_alternative<bool>(like)) {
        return asField(flagOf(json, place));
    }
    return asField(textOf(json, place));
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
    for (const auto& item : json.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            return unknownKey(place, item.key(), listed(known));
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
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json[key], where));
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
        json.erase("unread_pooler"); // so that older files and stored results keep their text
    }
    return json;
}

} // namespace flopsmith::json
