// SPDX-License-Identifier: MIT
#include "core/io/class_locks_json.h"

#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace flopsmith {
namespace {

constexpr const char* kLocksForm =
    R"(expected a list like [{"key": "ffn.d_ff", "kind": "fixed"}], of at most 64 locks)";

Error badEntry(const std::string& place, const std::string& reason)
{
    return {place + ": " + reason};
}

Status readText(const Json& entry, const char* key, const std::string& place, std::string& text)
{
    if (!entry.contains(key)) {
        return Done{};
    }
    if (!entry[key].is_string()) {
        return badEntry(place + "." + key, "expected a text");
    }
    text = entry[key].get<std::string>();
    return Done{};
}

Status readBound(const Json& entry, const char* key, const std::string& place, double& bound)
{
    if (!entry.contains(key)) {
        return Done{};
    }
    if (!entry[key].is_number()) {
        return badEntry(place + "." + key, "expected a number");
    }
    bound = entry[key].get<double>();
    return Done{};
}

Status readKind(const Json& entry, const std::string& place, ClassLock::Kind& kind)
{
    const std::vector<std::string_view> names = classLockKinds();
    const auto found = entry.contains("kind") && entry["kind"].is_string()
        ? std::find(names.begin(), names.end(), entry["kind"].text())
        : names.end();
    if (found == names.end()) {
        return badEntry(place + ".kind", "expected hidden, fixed or bounded");
    }
    kind = static_cast<ClassLock::Kind>(found - names.begin());
    return Done{};
}

// A whole number, a real one, a flag or the name of a choice.
std::optional<FieldValue> valueOf(const Json& json)
{
    constexpr std::size_t kLongestChoice = 64;
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) {
        return std::nullopt;
    }
    if (json.is_number_integer()) {
        return FieldValue(json.get<std::int64_t>());
    }
    if (json.is_number_float()) {
        return FieldValue(json.get<double>());
    }
    if (json.is_boolean()) {
        return FieldValue(json.get<bool>());
    }
    const bool isChoice = json.is_string() && json.text().size() <= kLongestChoice;
    return isChoice ? std::optional(FieldValue(json.get<std::string>())) : std::nullopt;
}

Status readValues(const Json& entry, const std::string& place, std::vector<FieldValue>& values)
{
    if (!entry.contains("values")) {
        return Done{};
    }
    const Json& list = entry["values"];
    if (!list.is_array() || list.size() > kMaxFixedValues) {
        return badEntry(place + ".values",
                        "expected a list of at most " + std::to_string(kMaxFixedValues)
                            + " values");
    }
    for (const Json& each : list) {
        const std::optional<FieldValue> value = valueOf(each);
        if (!value) {
            return badEntry(place + ".values",
                            excerpt(jsonText(each)) + " is no value of a parameter");
        }
        values.push_back(*value);
    }
    return Done{};
}

Status checkBounds(const Json& entry, const std::string& place, const ClassLock& lock)
{
    const bool isBounded = lock.kind == ClassLock::Kind::bounded;
    if (isBounded && !(entry.contains("min") && entry.contains("max"))) {
        return badEntry(place, "a bounded control needs min and max");
    }
    if (!isBounded && (entry.contains("min") || entry.contains("max"))) {
        return badEntry(place, "only a bounded control has min and max");
    }
    return Done{};
}

Result<ClassLock> lockFromJson(const Json& entry, const std::string& place)
{
    ClassLock lock;
    if (!entry.contains("key")) {
        return badEntry(place, "key is missing; it names the control");
    }
    Status read = readText(entry, "key", place, lock.key);
    if (read) {
        read = readKind(entry, place, lock.kind);
    }
    if (read) {
        read = readBound(entry, "min", place, lock.min);
    }
    if (read) {
        read = readBound(entry, "max", place, lock.max);
    }
    if (read) {
        read = checkBounds(entry, place, lock);
    }
    if (read) {
        read = readValues(entry, place, lock.values);
    }
    if (read) {
        read = readText(entry, "sentence", place, lock.sentence);
    }
    return read ? Result<ClassLock>(std::move(lock)) : read.error();
}

// 128, not 128.0, which would read as a bound of real numbers.
Json boundJson(double bound)
{
    constexpr double kExact = 9007199254740992.0; // 2^53
    const bool isWhole = std::abs(bound) < kExact && std::floor(bound) == bound;
    return isWhole ? Json(static_cast<std::int64_t>(bound)) : Json(bound);
}

Json lockJson(const ClassLock& lock)
{
    Json json;
    json["key"] = lock.key;
    json["kind"] = std::string(nameOf(lock.kind));
    if (lock.kind == ClassLock::Kind::bounded) {
        json["min"] = boundJson(lock.min);
        json["max"] = boundJson(lock.max);
    }
    for (const FieldValue& value : lock.values) {
        json["values"].push_back(json::valueJson(value));
    }
    if (!lock.sentence.empty()) {
        json["sentence"] = lock.sentence;
    }
    return json;
}

} // namespace

Json toJson(std::span<const ClassLock> locks)
{
    Json list = Json::array();
    for (const ClassLock& lock : locks) {
        list.push_back(lockJson(lock));
    }
    return list;
}

Result<std::vector<ClassLock>> classLocksFromJson(const Json& json,
                                                  const std::string& place,
                                                  UnknownKeys& unknown)
{
    if (!json.is_array() || json.size() > kMaxClassLocks) {
        return badEntry(place, kLocksForm);
    }
    std::vector<ClassLock> locks;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string here = place + "[" + std::to_string(i) + "]";
        if (!json[i].is_object()) {
            return badEntry(here, kLocksForm);
        }
        collectUnknown(unknown, json[i], here, {"key", "kind", "min", "max", "values", "sentence"});
        Result<ClassLock> lock = lockFromJson(json[i], here);
        if (!lock) {
            return lock.error();
        }
        locks.push_back(std::move(*lock));
        if (const Status status = checked(locks.back()); !status) {
            return badEntry(here, status.error().message);
        }
    }
    const Status status = checked(locks);
    return status ? Result<std::vector<ClassLock>>(std::move(locks))
                  : badEntry(place, status.error().message);
}

} // namespace flopsmith
