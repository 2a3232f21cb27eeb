// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json_values.h"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {

/// Reads the keys of one config.json, and records which were read, which sizes were assumed, and
/// the first mistake; a family reads key by key and the whole is checked once: status().
///
/// A number can have several spellings, as its Python class accepts them; contradictory spellings
/// are an error. A missing key has the class's default, and assumed sizes are noted. A key that is
/// null means "none" where the class allows that (optionalSize), and is an error elsewhere.
class ConfigReader
{
public:
    using Spellings = std::initializer_list<const char*>;
    static constexpr double kLargestFactor = 1e12;

    /// `json` is an object and outlives the reader.
    explicit ConfigReader(const Json& json)
        : m_json(json)
    {}

    /// A whole number above 0.
    int sizeOr(Spellings spellings, int classDefault);

    /// A whole number that may be 0.
    int countOr(Spellings spellings, int classDefault);

    /// A whole number that may be 0 or null, which means 0.
    int countOrNone(Spellings spellings, int classDefault);

    /// A number of blocks: at most as many as a model can have.
    int layersOr(Spellings spellings, int classDefault);

    /// A whole number above 0, or none if it is missing or null.
    std::optional<int> optionalSize(Spellings spellings);

    /// A whole number above 0; `derived`, which follows from other keys, if missing or null.
    int sizeOrDerived(Spellings spellings, int derived);

    /// Any number.
    double realOr(Spellings spellings, double classDefault);

    /// A number above 0 and at most `largest`; the default if missing or null.
    double positiveOr(const char* key, double classDefault, double largest = kLargestFactor);

    /// Any number; 0 if missing or null.
    double optionalReal(const char* key);

    bool flag(const char* key, bool classDefault);
    std::string text(Spellings spellings, const std::string& classDefault);

    /// Whether the key exists and is not null.
    bool has(const char* key) const;
    bool hasAny(Spellings keys) const;

    /// Whether the key exists, even with the value null.
    bool named(const char* key) const;

    /// The value, marked as read; null if missing.
    const Json& value(const char* key);

    /// A list of whole numbers from 0 up; empty if missing or null.
    std::vector<int> indices(const char* key);

    /// A list of names, one for each of `count` blocks; empty if missing or null.
    std::vector<std::string> names(const char* key, int count);

    /// The flag must have this value: otherwise the family is a different model.
    void requireFlag(const char* key, bool needed, const std::string& why);

    /// The choice must be this one.
    void requireText(const char* key, const std::string& needed);

    /// The key must be missing, null, or an empty list or object.
    void refuseContent(const char* key, const std::string& why);

    /// Keys that do not change what a forward pass costs.
    void ignore(Spellings keys) { m_read.insert(keys.begin(), keys.end()); }

    /// Keys that every class of the library inherits and files of its version 4 contain: null,
    /// false or empty they change nothing.
    void ignoreInherited();

    /// Keys that change numbers but no counts; `why` is noted if one of them exists.
    void ignoreNoting(Spellings keys, const std::string& why);

    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    /// Notes a part of the model that the import omits: with it, weights would give other outputs.
    void leftOut(std::string sentence);
    const std::vector<std::string>& leftOut() const { return m_leftOut; }

    void assumed(const std::string& key, const std::string& value);
    void fail(const std::string& key, const std::string& what);

    Status status() const;

    /// Whether every missing size is really missing. An Error if a key that was not read may mean
    /// it and its number differs from the assumed one.
    Status undoubted() const;

    /// All notes, including one about assumed sizes and one about keys that were not read.
    std::vector<std::string> notes() const;

private:
    /// The first spelling that exists, and its value.
    std::optional<std::pair<std::string, const Json*>> found(Spellings spellings);
    int wholeOr(Spellings spellings, int classDefault, int low, int high);
    int asWhole(const std::string& key, const Json& value, int low, int high);

    void keep(const Error& error);

    /// The value, or `otherwise` and an error.
    template <class T>
    T valueOr(Result<T> read, T otherwise)
    {
        if (read) {
            return std::move(*read);
        }
        keep(read.error());
        return otherwise;
    }
    bool isUnread(const std::string& key) const;
    std::string unreadKeys() const;
    std::string assumedSizes() const;

    /// A size that the file does not name.
    struct MissingSize
    {
        std::string key;
        std::string value; ///< assumed instead
        bool derived = false; ///< from other keys, as most files leave it
    };

    struct UnreadNumber
    {
        std::string key;
        std::string value;
    };

    void missing(MissingSize size);
    std::vector<UnreadNumber> unreadNumbers() const;

    const Json& m_json;
    std::set<std::string> m_read;
    std::vector<std::string> m_notes;
    std::vector<std::string> m_leftOut;
    std::vector<MissingSize> m_missing;
    std::optional<Error> m_error;
};

/// Keys of every family that leave the operations as they are: names, training, generation,
/// dropout, epsilons.
bool isHarmlessKey(const std::string& key);

} // namespace flopsmith
