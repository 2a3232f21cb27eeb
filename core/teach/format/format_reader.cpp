// SPDX-License-Identifier: MIT
#include "core/teach/format/format_reader.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"

namespace flopsmith {
namespace {

constexpr std::size_t kMaxTexts = 1'000;
constexpr std::string_view kComment = "comment";

Result<std::string> printableText(const Json& json, const std::string& place, std::size_t maxBytes)
{
    Result<std::string> text = json::textOf(json, place, maxBytes);
    if (text && printableLines(*text) != *text) {
        return json::errorAt(place, "the text has control characters");
    }
    return text;
}

// A parameter's value as text: a number, true and false are converted.
Result<std::string> settingText(const Json& json, const std::string& place)
{
    return json.is_number() || json.is_boolean()
        ? Result<std::string>(jsonText(json))
        : printableText(json, place, FormatReader::kMaxWordBytes);
}

} // namespace

void FormatReader::expectKeys(std::initializer_list<std::string_view> known)
{
    refuseOtherKeys(known, kComment);
}

void FormatReader::expectVersion(const std::string& key, const std::string& noun, int version)
{
    const std::string known = std::to_string(version);
    const Json* found = find(key);
    if (found == nullptr || !found->is_number_integer()) {
        fail("this is no " + noun + "; one begins with \"" + key + "\": " + known);
    } else if (*found != Json(version)) {
        failAt(key,
               "version " + excerpt(jsonText(*found))
                   + " is unknown to this program, which reads version " + known);
    }
}

std::string FormatReader::word(std::string_view key, std::size_t maxBytes)
{
    const Json* value = required(key);
    return value == nullptr ? std::string()
                            : valueOr(printableText(*value, placeOf(key), maxBytes));
}

std::string FormatReader::optionalWord(std::string_view key)
{
    return has(key) ? word(key) : std::string();
}

std::vector<std::string> FormatReader::words(std::string_view key,
                                             std::size_t minSize,
                                             std::size_t maxSize,
                                             std::size_t maxBytes)
{
    std::vector<std::string> read;
    for (const Json& each : list(key, minSize, maxSize)) {
        const std::string place = json::elementPlace(placeOf(key), read.size());
        read.push_back(valueOr(printableText(each, place, maxBytes)));
    }
    return read;
}

std::vector<std::pair<std::string, std::string>> FormatReader::memberWords(std::size_t maxBytes)
{
    std::vector<std::pair<std::string, std::string>> read;
    for (const JsonMember& member : members()) {
        const std::string& key = member.key();
        if (key != kComment) {
            read.emplace_back(key, valueOr(printableText(member.value(), placeOf(key), maxBytes)));
        }
    }
    return read;
}

std::string FormatReader::id()
{
    std::string read = word("id");
    if (!isLessonId(read)) {
        failAt("id", "expected small letters, digits and dashes");
    }
    return read;
}

std::vector<std::pair<std::string, std::string>> FormatReader::settings()
{
    std::vector<std::pair<std::string, std::string>> read;
    if (!has("set")) {
        return read;
    }
    ObjectReader set = object("set", kMaxLessonSettings);
    for (const JsonMember& member : set.members()) {
        const std::string& key = member.key();
        if (key != kComment) {
            read.emplace_back(key, valueOr(settingText(member.value(), set.placeOf(key))));
        }
    }
    return read;
}

std::map<std::string, LessonTexts> FormatReader::textsByLanguage()
{
    std::map<std::string, LessonTexts> read;
    ObjectReader texts = object("texts", kMaxLessonLanguages);
    for (const JsonMember& member : texts.members()) {
        const std::string& language = member.key();
        if (language == kComment) {
            continue;
        }
        if (!isLessonLanguage(language)) {
            texts.failAt(language, "no name of a language, such as \"en\" or \"de\"");
        }
        FormatReader ofLanguage = texts.object(language, kMaxTexts);
        const auto words = ofLanguage.memberWords(kMaxTextBytes);
        read[language] = LessonTexts(words.begin(), words.end());
    }
    if (read.empty()) {
        texts.fail("there is no language, such as \"en\"");
    }
    return read;
}

} // namespace flopsmith
