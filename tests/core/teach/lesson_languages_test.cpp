// SPDX-License-Identifier: GPL-3.0-or-later
// All languages of a lesson say the same: by the expressions and the figures in their texts. Steps,
// settings and goldens are the lesson's, and not a language's.
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace flopsmith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<std::string>;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Whether exactly three digits follow.
bool beginsGroup(std::string_view text)
{
    constexpr std::size_t kGroup = 3;
    return text.size() >= kGroup && std::all_of(text.begin(), text.begin() + kGroup, isDigit)
        && (text.size() == kGroup || !isDigit(text[kGroup]));
}

// "1,84" in German and "1.84" in English are 1.84; "131.072" and "131,072" are 131072.
Words numbersIn(std::string_view words, std::string_view language)
{
    const char grouping = language == "de" ? '.' : ',';
    Words numbers;
    std::string number;
    for (std::size_t i = 0; i <= words.size(); ++i) {
        const char c = i < words.size() ? words[i] : ' ';
        const bool isMark = (c == '.' || c == ',') && !number.empty() && i + 1 < words.size()
            && isDigit(words[i + 1]);
        if (isDigit(c)) {
            number += c;
        } else if (isMark && c == grouping && beginsGroup(words.substr(i + 1))) {
            continue;
        } else if (isMark) {
            number += '.';
        } else if (!number.empty()) {
            numbers.push_back(std::exchange(number, {}));
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

// The expressions with their formats, and the numbers between them.
struct Content
{
    Words expressions{};
    Words numbers{};
};

Content contentOf(std::string_view text, std::string_view language)
{
    Content content;
    std::string words;
    const Result<std::vector<TextPiece>> pieces = textPieces(text);
    EXPECT_TRUE(pieces.ok()) << text;
    for (const TextPiece& piece : pieces ? *pieces : std::vector<TextPiece>()) {
        if (piece.isExpression) {
            content.expressions.push_back("{" + piece.words
                                          + (piece.format.empty() ? "" : ":" + piece.format) + "}");
        }
        words += piece.isExpression ? " " : piece.words;
    }
    std::sort(content.expressions.begin(), content.expressions.end());
    content.numbers = numbersIn(words, language);
    return content;
}

// What the first has and the second lacks.
std::string lacking(const Words& first, const Words& second)
{
    Words missing;
    std::set_difference(
        first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(missing));
    std::string text;
    for (const std::string& each : missing) {
        text += (text.empty() ? "" : ", ") + each;
    }
    return text.empty() ? "nothing" : text;
}

void compare(Words& differences,
             const std::string& place,
             const std::string& language,
             const Words& other,
             const Words& english)
{
    if (other != english) {
        differences.push_back(place + ": " + lacking(other, english) + " stands in " + language
                              + " alone, " + lacking(english, other) + " in en alone");
    }
}

// What another language says otherwise than English does, as sentences.
Words differencesOf(const Lesson& lesson)
{
    Words differences;
    const LessonTexts& english = lesson.texts.at("en");
    for (const auto& [language, texts] : lesson.texts) {
        for (const auto& [key, text] : texts) {
            const std::string place = lesson.id + ", text \"" + key + "\"";
            const auto same = english.find(key);
            if (same == english.end()) {
                differences.push_back(place + " stands in " + language + " alone");
                continue;
            }
            const Content other = contentOf(text, language);
            const Content reference = contentOf(same->second, "en");
            compare(differences, place, language, other.expressions, reference.expressions);
            compare(differences, place, language, other.numbers, reference.numbers);
        }
        for (const auto& [key, text] : english) {
            if (!texts.contains(key)) {
                differences.push_back(lesson.id + ", text \"" + key + "\" is missing in "
                                      + language);
            }
        }
    }
    return differences;
}

TEST(LessonLanguages, WriteTheSameNumberInTheirWays)
{
    EXPECT_THAT(numbersIn("dense 1.48, none 1.77.", "en"), ElementsAre("1.48", "1.77"));
    EXPECT_THAT(numbersIn("dicht 1,48, keines 1,77.", "de"), ElementsAre("1.48", "1.77"));
    EXPECT_THAT(numbersIn("131,072 tokens of Llama-3.1-8B", "en"),
                ElementsAre("131072", "3.1", "8"));
    EXPECT_THAT(numbersIn("131.072 Tokens von Llama-3.1-8B", "de"),
                ElementsAre("131072", "3.1", "8"));
}

TEST(LessonLanguages, AreComparedByExpressionsAndNumbers)
{
    Lesson lesson{.id = "x"};
    lesson.texts["en"] = {{"a", "{total():si}FLOPs, 1.74 nats"}, {"b", "two"}};
    lesson.texts["de"] = {{"a", "1,84 Nats, {total()} FLOPs"}};

    EXPECT_THAT(differencesOf(lesson),
                ElementsAre("x, text \"a\": {total()} stands in de alone, {total():si} in en alone",
                            "x, text \"a\": 1.84 stands in de alone, 1.74 in en alone",
                            "x, text \"b\" is missing in de"));

    lesson.texts["de"] = {{"a", "1,74 Nats, {total():si}FLOPs"}, {"b", "zwei"}};
    EXPECT_THAT(differencesOf(lesson), IsEmpty());
}

TEST(LessonLanguages, OfTheShippedLessonsSayTheSame)
{
    for (const InstalledText& installed : installedLessons()) {
        const Result<Lesson> lesson = readLesson(installed.text, std::string(installed.fileName));
        ASSERT_TRUE(lesson.ok()) << installed.fileName;
        for (const std::string& difference : differencesOf(*lesson)) {
            ADD_FAILURE() << difference;
        }
    }
}

} // namespace
} // namespace flopsmith
