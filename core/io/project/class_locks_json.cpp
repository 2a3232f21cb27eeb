// SPDX-License-Identifier: MIT
#include "core/io/project/class_locks_json.h"

#include "core/base/printable.h"
#include "core/json/json_fields.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace flopsmith {
namespace {

constexpr const char* kLocksForm =
    R"(expected a list like [{"key": "ffn.d_ff", "kind": "fixed"}], of at most 64 locks)";

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

std::vector<FieldValue> valuesOf(ObjectReader& read)
{
    std::vector<FieldValue> values;
    if (read.has("values")) {
        for (const Json& each : read.list("values", 0, kMaxFixedValues)) {
            const std::optional<FieldValue> value = valueOf(each);
            if (!value) {
                read.failAt("values", excerpt(jsonText(each)) + " is no value of a parameter");
                break;
            }
            values.push_back(*value);
        }
    }
    return values;
}

void readBounds(ObjectReader& read, ClassLock& lock)
{
    const bool isBounded = lock.kind == ClassLock::Kind::bounded;
    if (isBounded && !(read.has("min") && read.has("max"))) {
        read.fail("a bounded control needs min and max");
    } else if (isBounded) {
        lock.min = read.real("min");
        lock.max = read.real("max");
    } else if (read.has("min") || read.has("max")) {
        read.fail("only a bounded control has min and max");
    }
}

ClassLock lockOf(ObjectReader read)
{
    ClassLock lock;
    if (!read.has("key")) {
        read.fail("key is missing; it names the control");
    }
    lock.key = read.text("key");
    lock.kind = read.oneOf<ClassLock::Kind>("kind", classLockKinds());
    readBounds(read, lock);
    lock.values = valuesOf(read);
    lock.sentence = read.textOr("sentence", {});
    if (const Status status = checked(lock); !status) {
        read.fail(status.error().message);
    }
    return lock;
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
        return json::errorAt(place, kLocksForm);
    }
    std::vector<ClassLock> locks;
    for (const Json& each : json) {
        const std::string here = json::elementPlace(place, locks.size());
        if (!each.is_object()) {
            return json::errorAt(here, kLocksForm);
        }
        collectUnknown(unknown, each, here, {"key", "kind", "min", "max", "values", "sentence"});
        ObjectReader read(each, here);
        locks.push_back(lockOf(read));
        if (!read.ok()) {
            return read.status().error();
        }
    }
    const Status status = checked(locks);
    return status ? Result<std::vector<ClassLock>>(std::move(locks))
                  : json::errorAt(place, status.error().message);
}

} // namespace flopsmith
