// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/teach/lesson.h"

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// Reads values of a JSON file with texts by languages, and keeps the first thing that was wrong
/// with it: after that everything reads as empty. Places are as a person finds them: "step 3:
/// ask.answer". Keys called "comment" are ignored everywhere.
class FormatReader
{
public:
    static constexpr std::size_t kMaxTextBytes = 4'000;
    static constexpr std::size_t kMaxWordBytes = 200;
    static constexpr std::string_view kComment = "comment";

    explicit FormatReader(std::string source)
        : m_source(std::move(source))
    {}

    bool ok() const { return m_error.empty(); }
    Error error() const { return {m_error}; }
    const std::string& source() const { return m_source; }

    void fail(const std::string& place, const std::string& what);

    /// An error that names the source and the place already.
    void failAsIs(const Error& error);

    /// The key in `place` or, below the first level, behind a point.
    static std::string deeper(const std::string& place, const std::string& key);

    void expectKeys(const Json& json,
                    const std::string& place,
                    std::initializer_list<std::string_view> known);

    /// The version of the file's format at `key`; "this is no lesson; …" without it.
    void expectVersion(const Json& json,
                       const std::string& key,
                       const std::string& noun,
                       int version);

    bool has(const Json& json, const std::string& key) const;
    const Json* find(const Json& json, const std::string& key, const std::string& place);
    const Json* list(const Json& json,
                     const std::string& key,
                     const std::string& place,
                     std::size_t least,
                     std::size_t most);

    /// A text of one or more printable lines.
    std::string textOf(const Json& value, const std::string& place, std::size_t most);
    std::string word(const Json& json,
                     const std::string& key,
                     const std::string& place,
                     std::size_t most = kMaxWordBytes);
    std::string optionalWord(const Json& json, const std::string& key, const std::string& place);

    /// Small letters, digits and dashes.
    std::string id(const Json& json, const std::string& place);

    double number(const Json& json,
                  const std::string& key,
                  const std::string& place,
                  double low,
                  double high);

    /// "set": parameters by their keys, numbers as their text; none without it.
    std::vector<std::pair<std::string, std::string>> settings(const Json& json,
                                                              const std::string& place);

    /// "texts": by language and key.
    void readTexts(const Json& json, std::map<std::string, LessonTexts>& texts);

private:
    static std::string within(const std::string& place, const std::string& key);
    void readLanguage(const std::string& language,
                      const Json& json,
                      std::map<std::string, LessonTexts>& texts);

    std::string m_source;
    std::string m_error;
};

} // namespace flopsmith
