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

/// Reads the keys of one config.json, remembers which were read, what was assumed, and the first
/// thing that was wrong; a family reads key by key and the whole is judged once: status().
///
/// A number can have several spellings, as its Python class accepts them; spellings that contradict
/// each other are refused. A key that is missing has the default of the class, and the sizes
/// assumed so are noted. A key that is null means "none" where the class can do without
/// (optionalSize), and is refused elsewhere.
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

    /// A whole number that may be 0, for which null stands too.
    int countOrNone(Spellings spellings, int classDefault);

    /// A number of blocks: no more than a model can have.
    int layersOr(Spellings spellings, int classDefault);

    /// A whole number above 0, or none if it is missing or null.
    std::optional<int> optionalSize(Spellings spellings);

    /// A whole number above 0; missing or null, `derived`, which follows from other keys.
    int sizeOrDerived(Spellings spellings, int derived);

    /// Any number.
    double realOr(Spellings spellings, double classDefault);

    /// A number above 0 and at most `largest`; missing or null, the default.
    double positiveOr(const char* key, double classDefault, double largest = kLargestFactor);

    /// Any number; 0 stands for missing and null.
    double optionalReal(const char* key);

    bool flag(const char* key, bool classDefault);
    std::string text(Spellings spellings, const std::string& classDefault);

    /// Whether the key is there and not null.
    bool has(const char* key) const;
    bool hasAny(Spellings keys) const;

    /// Whether the key is there, be it null.
    bool named(const char* key) const;

    /// The value, marked as read; null if missing.
    const Json& value(const char* key);

    /// A list of whole numbers from 0 up; empty if missing or null.
    std::vector<int> indices(const char* key);

    /// A list of names, one for each of `count` blocks; empty if missing or null.
    std::vector<std::string> names(const char* key, int count);

    /// The flag must have this value: the family without it is another model.
    void requireFlag(const char* key, bool needed, const std::string& why);

    /// The choice must be this one.
    void requireText(const char* key, const std::string& needed);

    /// The key must be missing, null, or an empty list or object.
    void refuseContent(const char* key, const std::string& why);

    /// Keys that do not change what a forward pass costs.
    void ignore(Spellings keys) { m_read.insert(keys.begin(), keys.end()); }

    /// Keys that every class of the library inherits and files of its version 4 write out: null,
    /// false or empty they change nothing.
    void ignoreInherited();

    /// Keys that change numbers but no counts; `why` is noted if one of them is there.
    void ignoreNoting(Spellings keys, const std::string& why);

    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    /// Notes what the model computes and its import does not: weights would give other outputs.
    void leftOut(std::string sentence);
    const std::vector<std::string>& leftOut() const { return m_leftOut; }

    void assumed(const std::string& key, const std::string& value);
    void fail(const std::string& key, const std::string& what);

    Status status() const;

    /// Whether every size that is missing is missing without doubt: refused is a file with a number
    /// that nobody read under a key that may mean it, and that differs from what is assumed.
    Status undoubted() const;

    /// Notes, with one about what was assumed and one about the keys that nobody read.
    std::vector<std::string> notes() const;

private:
    /// The first spelling that is there, and its value.
    std::optional<std::pair<std::string, const Json*>> found(Spellings spellings);
    int wholeOr(Spellings spellings, int classDefault, int low, int high);
    int asWhole(const std::string& key, const Json& value, int low, int high);

    void keep(const Error& error);

    /// The value, or `otherwise` and the error.
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
        std::string value; ///< taken in its place
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
