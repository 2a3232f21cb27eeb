// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Reads the keys of one config.json, remembers which were read, what was assumed, and the first
/// thing that was wrong; a family reads key by key and the whole is judged once: status(). A key
/// that is null counts as missing, as it does for its Python class.
class ConfigReader
{
public:
    using Json = nlohmann::ordered_json;

    /// `json` is an object and outlives the reader.
    explicit ConfigReader(const Json& json)
        : m_json(json)
    {}

    /// A whole number above 0 under the first of the spellings that is there.
    int size(std::initializer_list<const char*> spellings);
    std::optional<int> optionalSize(std::initializer_list<const char*> spellings);

    /// A size that the family's class has a default for; using it is noted.
    int sizeOr(const char* key, int classDefault);

    /// The same for a number that may be 0.
    int countOr(const char* key, int classDefault);

    bool flag(const char* key, bool classDefault);
    std::string text(const char* key, const std::string& classDefault);

    /// Whether the key is there and not null.
    bool has(const char* key) const;

    /// Whether the key is there, be it null.
    bool named(const char* key) const { return m_json.contains(key); }

    /// The value, marked as read; null if missing.
    const Json& value(const char* key);

    /// The flag must not be set: the family with it is another model.
    void refuseFlag(const char* key, const std::string& why);

    /// Keys that do not change what a forward pass costs.
    void ignore(std::initializer_list<const char*> keys);

    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }
    void fail(const std::string& key, const std::string& what);

    Status status() const;

    /// Notes, with one at the end about keys that nobody read.
    std::vector<std::string> notes() const;

private:
    int noted(const char* key, int classDefault);
    std::optional<int> asWhole(const std::string& key, const Json& value, int low);
    std::string unreadKeys() const;

    const Json& m_json;
    std::set<std::string> m_read;
    std::vector<std::string> m_notes;
    std::optional<Error> m_error;
};

} // namespace flopsmith
