// SPDX-License-Identifier: MIT
#include "core/teach/format_reader.h"

#include "core/base/printable.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxTexts = 1'000;

std::string namesListed(std::initializer_list<std::string_view> names)
{
    std::string list;
    for (const std::string_view name : names) {
        list += (list.empty() ? "" : ", ") + std::string(name);
    }
    return list;
}

} // namespace

void FormatReader::fail(const std::string& place, const std::string& what)
{
    if (ok()) {
        m_error = m_source + ": " + (place.empty() ? "" : place + ": ") + what;
    }
}

void FormatReader::failAsIs(const Error& error)
{
    if (ok()) {
        m_error = error.message;
    }
}

std::string FormatReader::within(const std::string& place, const std::string& key)
{
    const std::string shownKey = excerpt(key);
    return place.empty() ? shownKey : place + ": " + shownKey;
}

// In `place` or, below a step, in "step 3: ask.answer".
std::string FormatReader::deeper(const std::string& place, const std::string& key)
{
    const bool isBelow = place.find(": ") != std::string::npos;
    return isBelow ? place + "." + key : within(place, key);
}

void FormatReader::expectKeys(const Json& json,
                              const std::string& place,
                              std::initializer_list<std::string_view> known)
{
    if (!ok()) {
        return;
    }
    if (!json.is_object()) {
        fail(place, std::string("expected an object { \xE2\x80\xA6 }, found ") + json.type_name());
        return;
    }
    for (const auto& item : json.items()) {
        if (item.key() != kComment
            && std::find(known.begin(), known.end(), item.key()) == known.end()) {
            fail(deeper(place, excerpt(item.key())),
                 "no such key here; known are " + namesListed(known));
        }
    }
}

void FormatReader::expectVersion(const Json& json,
                                 const std::string& key,
                                 const std::string& noun,
                                 int version)
{
    if (!ok()) {
        return;
    }
    const std::string known = std::to_string(version);
    const Json* found = json.find(key);
    if (found == nullptr || !found->is_number_integer()) {
        fail("", "this is no " + noun + "; one begins with \"" + key + "\": " + known);
    } else if (*found != Json(version)) {
        fail(key,
             "version " + excerpt(jsonText(*found))
                 + " is unknown to this program, which reads version " + known);
    }
}

const Json* FormatReader::find(const Json& json, const std::string& key, const std::string& place)
{
    if (!ok()) {
        return nullptr;
    }
    const Json* found = json.find(key);
    if (found == nullptr) {
        fail(deeper(place, key), "missing");
        return nullptr;
    }
    return found;
}

bool FormatReader::has(const Json& json, const std::string& key) const
{
    return ok() && json.contains(key);
}

const Json* FormatReader::list(const Json& json,
                               const std::string& key,
                               const std::string& place,
                               std::size_t least,
                               std::size_t most)
{
    const Json* value = find(json, key, place);
    if (value != nullptr && (!value->is_array() || value->size() < least || value->size() > most)) {
        fail(deeper(place, key),
             "expected a list [ \xE2\x80\xA6 ] with " + std::to_string(least) + " to "
                 + std::to_string(most) + " entries");
    }
    return ok() ? value : nullptr;
}

std::string FormatReader::textOf(const Json& value, const std::string& place, std::size_t most)
{
    if (!ok()) {
        return {};
    }
    const std::string* text = value.is_string() ? &value.text() : nullptr;
    if (text == nullptr || text->empty() || text->size() > most) {
        fail(place, "expected a text in quotes of 1 to " + std::to_string(most) + " characters");
        return {};
    }
    if (printableLines(*text) != *text) {
        fail(place, "the text has control characters");
        return {};
    }
    return *text;
}

std::string FormatReader::word(const Json& json,
                               const std::string& key,
                               const std::string& place,
                               std::size_t most)
{
    const Json* value = find(json, key, place);
    return value == nullptr ? std::string() : textOf(*value, deeper(place, key), most);
}

std::string FormatReader::optionalWord(const Json& json,
                                       const std::string& key,
                                       const std::string& place)
{
    return has(json, key) ? word(json, key, place) : std::string();
}

std::string FormatReader::id(const Json& json, const std::string& place)
{
    std::string read = word(json, "id", place);
    if (ok() && !isLessonId(read)) {
        fail(deeper(place, "id"), "expected small letters, digits and dashes");
    }
    return read;
}

double FormatReader::number(const Json& json,
                            const std::string& key,
                            const std::string& place,
                            double low,
                            double high)
{
    const Json* value = find(json, key, place);
    if (value == nullptr) {
        return low;
    }
    const double read = value->is_number() ? value->get<double>() : std::nan("");
    if (!(read >= low && read <= high)) {
        fail(deeper(place, key),
             "expected a number from " + jsonText(Json(low)) + " to " + jsonText(Json(high)));
        return low;
    }
    return read;
}

std::vector<std::pair<std::string, std::string>> FormatReader::settings(const Json& json,
                                                                        const std::string& place)
{
    std::vector<std::pair<std::string, std::string>> read;
    if (!has(json, "set")) {
        return read;
    }
    const Json& set = json["set"];
    const std::string where = deeper(place, "set");
    if (!set.is_object() || set.size() > kMaxLessonSettings) {
        fail(where, "expected an object with at most 20 parameters");
        return read;
    }
    for (const JsonMember& item : set.items()) {
        if (item.key() == kComment || !ok()) {
            continue;
        }
        const bool isPlain = item.value().is_number() || item.value().is_boolean();
        std::string value = isPlain
            ? jsonText(item.value())
            : textOf(item.value(), where + "." + excerpt(item.key()), kMaxWordBytes);
        read.emplace_back(item.key(), std::move(value));
    }
    return read;
}

void FormatReader::readTexts(const Json& json, std::map<std::string, LessonTexts>& texts)
{
    const Json* all = find(json, "texts", "");
    if (all != nullptr && (!all->is_object() || all->size() > kMaxLessonLanguages)) {
        fail("texts", "expected an object with 1 to 20 languages");
    }
    if (!ok()) {
        return;
    }
    for (const auto& language : all->items()) {
        if (language.key() != kComment) {
            readLanguage(language.key(), language.value(), texts);
        }
    }
    if (ok() && texts.empty()) {
        fail("texts", "there is no language, such as \"en\"");
    }
}

void FormatReader::readLanguage(const std::string& language,
                                const Json& json,
                                std::map<std::string, LessonTexts>& texts)
{
    const std::string place = "texts." + excerpt(language);
    if (!isLessonLanguage(language)) {
        fail(place, "no name of a language, such as \"en\" or \"de\"");
    } else if (ok() && (!json.is_object() || json.size() > kMaxTexts)) {
        fail(place, "expected an object with at most 1000 texts");
    }
    LessonTexts& read = texts[language];
    for (const JsonMember& item : json.items()) {
        if (item.key() != kComment && ok()) {
            read[item.key()] =
                textOf(item.value(), place + "." + excerpt(item.key()), kMaxTextBytes);
        }
    }
}

} // namespace flopsmith
