// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/object_reader.h"
#include "core/teach/format/lesson.h"

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// Reads an object of a file with texts by languages, as lessons and exercises are. Texts are
/// printable and not empty, and keys called "comment" are ignored everywhere.
class FormatReader : public ObjectReader
{
public:
    static constexpr std::size_t kMaxTextBytes = 4'000;
    static constexpr std::size_t kMaxWordBytes = 200;

    /// Wraps the reader of a part of the file.
    FormatReader(ObjectReader reader) // NOLINT(google-explicit-constructor)
        : ObjectReader(std::move(reader))
    {}

    /// The whole file; errors begin with its source.
    FormatReader(const Json& json, const std::string& source)
        : ObjectReader(json, source + ": ")
    {}

    void expectKeys(std::initializer_list<std::string_view> known);

    /// The version of the file's format at `key`; "this is no lesson; …" without it.
    void expectVersion(const std::string& key, const std::string& noun, int version);

    /// A text of one or more printable lines.
    std::string word(std::string_view key, std::size_t maxBytes = kMaxWordBytes);
    std::string optionalWord(std::string_view key);
    std::vector<std::string> words(std::string_view key,
                                   std::size_t minSize,
                                   std::size_t maxSize,
                                   std::size_t maxBytes = kMaxWordBytes);

    /// All members, which are texts, with their keys.
    std::vector<std::pair<std::string, std::string>> memberWords(std::size_t maxBytes);

    /// Small letters, digits and dashes.
    std::string id();

    /// "set": parameters by their keys, numbers as text; empty without it.
    std::vector<std::pair<std::string, std::string>> settings();

    /// "texts": by language and key.
    std::map<std::string, LessonTexts> textsByLanguage();
};

} // namespace flopsmith
