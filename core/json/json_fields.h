// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/json_values.h"
#include "core/json/unknown_keys.h"
#include "core/json/value_fields.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/layer/norm.h"

#include <set>
#include <string>
#include <vector>

// Reads and writes specifications as JSON through their fields: the common part for models,
// variants and operations. `place` names the position in error messages.
namespace flopsmith::json {

Json valueJson(const FieldValue& value);

/// The JSON value as a field value of the same kind as `like`.
Result<FieldValue> fieldValue(const Json& json, const FieldValue& like, const std::string& place);

/// An Error for keys that are not in `known`, or collects them in `unknown` if that is given.
Status refuseOtherKeys(const Json& json,
                       const std::string& place,
                       const std::vector<std::string>& known,
                       UnknownKeys* unknown = nullptr);

Json normJson(const Norm& norm);
Json embeddingJson(const Embedding& embedding);
Json headJson(const Head& head);

/// Leaves the norm unchanged without such a key.
Status readNorm(Norm& norm,
                const Json& json,
                const std::string& key,
                const std::string& place,
                UnknownKeys* unknown = nullptr);

template <class Spec>
void writeFields(Json& json, const Spec& spec, const std::vector<Field<Spec>>& fields)
{
    for (const Field<Spec>& field : fields) {
        json[std::string(field.text.key)] = valueJson(field.value(spec));
    }
}

template <class Spec>
const Field<Spec>* fieldNamed(const std::vector<Field<Spec>>& fields, const std::string& key)
{
    for (const Field<Spec>& field : fields) {
        if (field.text.key == key) {
            return &field;
        }
    }
    return nullptr;
}

template <class Spec>
std::string keyList(const std::vector<Field<Spec>>& fields)
{
    std::string list;
    for (const Field<Spec>& field : fields) {
        list += (list.empty() ? "" : ", ") + std::string(field.text.key);
    }
    return list.empty() ? "none" : list;
}

template <class Spec>
void collectUnknownFields(UnknownKeys& unknown,
                          const std::vector<Field<Spec>>& fields,
                          const Json& json,
                          const std::string& place,
                          const std::set<std::string>& others)
{
    std::vector<std::string> known(others.begin(), others.end());
    for (const Field<Spec>& field : fields) {
        known.emplace_back(field.text.key);
    }
    collectUnknown(unknown, json, place, known);
}

// Reads the fields that the object has; keys in `others` are read elsewhere. Unknown keys are
// refused, or collected in `unknown` if that is given.
template <class Spec>
Status readFields(Spec& spec,
                  const std::vector<Field<Spec>>& fields,
                  const Json& json,
                  const std::string& place,
                  const std::set<std::string>& others,
                  UnknownKeys* unknown = nullptr)
{
    if (unknown != nullptr) {
        collectUnknownFields(*unknown, fields, json, place, others);
    }
    for (const auto& item : json.items()) {
        const std::string& key = item.key();
        if (others.contains(key)) {
            continue;
        }
        const Field<Spec>* field = fieldNamed(fields, key);
        if (field == nullptr && unknown != nullptr) {
            continue;
        }
        if (field == nullptr) {
            return unknownKey(place, key, keyList(fields));
        }
        const std::string where = place + "." + key;
        FLOPSMITH_TRY(const FieldValue value, fieldValue(item.value(), field->value(spec), where));
        field->assign(spec, value);
        if (field->value(spec) != value) { // an enumeration does not have the name
            const LegalValues legal = field->legal(spec, {});
            return unknownName(where, valueText(value), legal.text());
        }
    }
    return Done{};
}

/// Writes the value fields (value_fields.h) that differ from `usual`.
template <class Spec>
void writeValues(Json& json, const Spec& spec, const Spec& usual)
{
    for (const Field<Spec>& field : valueFields(spec)) {
        if (field.value(spec) != field.value(usual)) {
            json[std::string(field.text.key)] = valueJson(field.value(spec));
        }
    }
}

/// Reads fields and value fields. An illegal value field is an error, because later validation does
/// not check them.
template <class Spec>
Status readFieldsAndValues(Spec& spec,
                           std::vector<Field<Spec>> fields,
                           const Json& json,
                           const std::string& place,
                           const std::set<std::string>& others,
                           UnknownKeys* unknown = nullptr)
{
    const std::vector<Field<Spec>>& values = valueFields(spec);
    fields.insert(fields.end(), values.begin(), values.end());
    FLOPSMITH_RETURN_IF_ERROR(readFields(spec, fields, json, place, others, unknown));
    for (const Field<Spec>& field : values) {
        const FieldValue value = field.value(spec);
        const LegalValues legal = field.legal(spec, {});
        if (!legal.contains(value)) {
            return Error{place + "." + std::string(field.text.key) + ": " + valueText(value)
                         + " is not legal; legal is " + legal.text()};
        }
    }
    return Done{};
}

// A named member that is an object of plain fields, perhaps with a norm inside.
template <class Part>
Status readPart(Part& part,
                const Json& json,
                const std::string& key,
                const std::string& place,
                UnknownKeys* unknown = nullptr)
{
    if (!json.contains(key)) {
        return Done{};
    }
    const std::string where = place + "." + key;
    FLOPSMITH_RETURN_IF_ERROR(expectObject(json[key], where));
    std::set<std::string> others;
    if constexpr (requires { part.norm; }) {
        others.insert("norm");
        FLOPSMITH_RETURN_IF_ERROR(readNorm(part.norm, json[key], "norm", where, unknown));
    }
    return readFieldsAndValues(part, Part::fields(), json[key], where, others, unknown);
}

} // namespace flopsmith::json
