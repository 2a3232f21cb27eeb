// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/json/json_values.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// Reads one object of a JSON file key by key, and saves the first mistake in the file, so that it
/// is checked once: status(). After a mistake every key reads as missing, and values are defaults.
/// The readers of an object's parts share the mistake. The JSON must outlive the readers.
class ObjectReader
{
public:
    /// `place` names the object in errors: "message" gives "message.id: missing". The place of a
    /// file ends in ": " and gives "my.json: id: missing".
    ObjectReader(const Json& json, std::string place);

    bool ok() const { return !*m_error; }
    Status status() const;

    /// The value that was read, or the first mistake.
    template <class T>
    Result<T> judged(T read) const
    {
        return ok() ? Result<T>(std::move(read)) : Result<T>(**m_error);
    }

    const Json& value() const { return *m_json; }
    const std::string& place() const { return m_place; }
    std::string placeOf(std::string_view key) const { return json::memberPlace(m_place, key); }

    void fail(const std::string& what);
    void failAt(std::string_view key, const std::string& what);

    /// Takes over an error that names its place.
    void note(const Status& status);

    /// The value, or `otherwise` and the error.
    template <class T>
    T valueOr(Result<T> read, T otherwise = {})
    {
        if (!read) {
            note(read.error());
            return otherwise;
        }
        return std::move(*read);
    }

    /// `comment` is a key that is allowed too.
    void refuseOtherKeys(std::initializer_list<std::string_view> known,
                         std::string_view comment = {});

    bool has(std::string_view key) const { return find(key) != nullptr; }
    const Json* find(std::string_view key) const; ///< null if there is no such key
    const Json* required(std::string_view key); ///< null with an error
    const std::vector<JsonMember>& members() const;

    std::string text(std::string_view key);
    std::string text(std::string_view key, std::size_t maxBytes); ///< of 1 to so many bytes
    std::string textOr(std::string_view key, std::string otherwise);
    std::vector<std::string> texts(std::string_view key);

    bool flag(std::string_view key);
    bool flagOr(std::string_view key, bool otherwise);

    /// A whole number in [low, high].
    std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high);
    std::int64_t wholeOr(std::string_view key,
                         std::int64_t low,
                         std::int64_t high,
                         std::int64_t otherwise);
    std::optional<std::int64_t> optionalWhole(std::string_view key,
                                              std::int64_t low,
                                              std::int64_t high);

    /// A number, or one in [low, high].
    double real(std::string_view key);
    double real(std::string_view key, double low, double high);

    double positive(std::string_view key, double high); ///< a number above 0

    /// A finite number ≥ 0.
    double amount(std::string_view key);
    double amountOr(std::string_view key, double otherwise);
    std::optional<double> optionalAmount(std::string_view key);
    std::vector<double> amountsOrEmpty(std::string_view key); ///< a list of amounts

    /// ≥ 0: a whole number, or a string of decimal digits, of which a Count holds 38.
    Count count(std::string_view key, std::size_t maxDigits = 38);

    /// One of the names, as its number in the list.
    template <class Enum, class Names>
    Enum oneOf(std::string_view key, const Names& names)
    {
        const Json* value = find(key);
        if (value == nullptr) {
            failAt(key, "missing; it is one of " + json::listed(names));
            return Enum{};
        }
        return valueOr(json::namedValue<Enum>(*value, placeOf(key), names));
    }

    template <class Enum>
    Enum oneOf(std::string_view key)
    {
        return oneOf<Enum>(key, enumNames<Enum>());
    }

    template <class Enum, class Names>
    Enum oneOfOr(std::string_view key, const Names& names, Enum otherwise)
    {
        return has(key) ? oneOf<Enum>(key, names) : otherwise;
    }

    template <class Enum>
    Enum oneOfOr(std::string_view key, Enum otherwise)
    {
        return oneOfOr(key, enumNames<Enum>(), otherwise);
    }

    /// An empty list after a mistake.
    const Json& list(std::string_view key);
    const Json& list(std::string_view key, std::size_t minSize, std::size_t maxSize);
    const Json& listOrEmpty(std::string_view key);

    ObjectReader object(std::string_view key);
    ObjectReader object(std::string_view key,
                        std::size_t maxSize); ///< with at most so many members

    /// The objects in a list: "results[3]".
    std::vector<ObjectReader> objects(std::string_view key) { return elements(key, list(key)); }
    std::vector<ObjectReader> objects(std::string_view key,
                                      std::size_t minSize,
                                      std::size_t maxSize)
    {
        return elements(key, list(key, minSize, maxSize));
    }
    std::vector<ObjectReader> objectsOrEmpty(std::string_view key)
    {
        return elements(key, listOrEmpty(key));
    }

    /// A part of the same file at a place of its own.
    ObjectReader part(const Json& json, std::string place) const;

private:
    ObjectReader(const Json& json, std::string place, std::shared_ptr<std::optional<Error>> error);
    std::vector<ObjectReader> elements(std::string_view key, const Json& list) const;

    const Json* m_json;
    std::string m_place;
    std::shared_ptr<std::optional<Error>> m_error; ///< of the file
};

} // namespace flopsmith
