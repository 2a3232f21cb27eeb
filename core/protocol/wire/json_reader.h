// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/result.h"
#include "core/json/json.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// Reads the values of one JSON object and remembers the first thing that was wrong, so that a
/// message is read key by key and judged once: status(). After a mistake values are defaults.
class JsonReader
{
public:
    /// `place` names the object in errors; the object outlives the reader.
    JsonReader(const Json& json, std::string place);

    std::string text(const std::string& key);
    std::string textOr(const std::string& key, std::string otherwise);
    std::vector<std::string> texts(const std::string& key);
    bool flag(const std::string& key);

    /// A whole number in [low, high].
    std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high);
    std::int64_t integerOr(const std::string& key,
                           std::int64_t low,
                           std::int64_t high,
                           std::int64_t otherwise);
    std::optional<std::int64_t> optionalInteger(const std::string& key,
                                                std::int64_t low,
                                                std::int64_t high);

    /// A finite number ≥ 0.
    double amount(const std::string& key);
    double amountOr(const std::string& key, double otherwise);
    std::optional<double> optionalAmount(const std::string& key);
    std::vector<double> amountsOrEmpty(const std::string& key); ///< a list of such numbers

    /// ≥ 0: a whole number, or a string of decimal digits above 2^53.
    Count count(const std::string& key);

    /// Must be there; an empty object if it is not.
    const Json& object(const std::string& key);
    const Json& array(const std::string& key);

    /// One of the names, as its number in the list.
    template <class Enum, std::size_t size>
    Enum oneOf(const std::string& key, const std::array<std::string_view, size>& names)
    {
        const std::string name = text(key);
        for (std::size_t i = 0; i < size; ++i) {
            if (names[i] == name) {
                return static_cast<Enum>(i);
            }
        }
        std::string known;
        for (const std::string_view candidate : names) {
            known += (known.empty() ? "\"" : ", \"") + std::string(candidate) + "\"";
        }
        fail(key, "\"" + name + "\" is unknown; known: " + known);
        return Enum{};
    }

    /// The same for a key that may be left out.
    template <class Enum, std::size_t size>
    Enum oneOfOr(const std::string& key,
                 const std::array<std::string_view, size>& names,
                 Enum otherwise)
    {
        return find(key) != nullptr ? oneOf<Enum>(key, names) : otherwise;
    }

    /// An array, empty if it was left out.
    const Json& arrayOrEmpty(const std::string& key);

    /// Takes over what went wrong in a part of the object.
    void note(const Status& status);

    Status status() const;

private:
    const Json* find(const std::string& key) const;
    const Json& required(const std::string& key);
    void fail(const std::string& key, const std::string& what);
    std::int64_t asInteger(const Json& value,
                           const std::string& key,
                           std::int64_t low,
                           std::int64_t high);
    double asAmount(const Json& value, const std::string& key);

    const Json* m_json;
    std::string m_place;
    std::optional<Error> m_error;
};

} // namespace flopsmith
