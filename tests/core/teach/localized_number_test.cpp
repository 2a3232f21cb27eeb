// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teach/play/localized_number.h"

#include "core/base/text.h"
#include "core/teach/format/lesson_lookup.h"
#include "core/teach/play/lesson_printing.h"
#include "core/teach/play/lesson_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string typedAs(std::string_view text, std::string_view language)
{
    const Result<double> number = typedNumber(text, language);
    return number ? numberText(*number) : number.error().message;
}

TEST(SpokenNumber, HasTheSignsOfTheLanguage)
{
    constexpr Count kTotal = 291'648'307'200;

    EXPECT_EQ(localizedDigits(kTotal, "en"), "291,648,307,200");
    EXPECT_EQ(localizedDigits(kTotal, "de"), "291.648.307.200");
    EXPECT_EQ(localizedDigits(kTotal, "de_CH"), "291.648.307.200");
    EXPECT_EQ(localizedDigits(kTotal, "fr"), groupedDigits(kTotal));
    EXPECT_EQ(localizedDigits(kTotal, "xx"), "291,648,307,200");
    EXPECT_EQ(localizedDigits(-1'234, "de"), "-1.234");
    EXPECT_EQ(localizedDigits(999, "de"), "999");
}

TEST(SpokenNumber, LeavesAllButTheSignsAsTheyAre)
{
    EXPECT_EQ(localizedNumber("39.8 %", "en"), "39.8 %");
    EXPECT_EQ(localizedNumber("39.8 %", "de"), "39,8 %");
    EXPECT_EQ(localizedNumber("< 0.01 %", "de"), "< 0,01 %");
    EXPECT_EQ(localizedNumber("497.8 MB", "de"), "497,8 MB");
    EXPECT_EQ(localizedNumber("1. Teil", "de"), "1. Teil");
    EXPECT_EQ(localizedNumber("", "de"), "");
}

TEST(TypedNumber, TakesPointAndCommaInBothLanguages)
{
    for (const char* language : {"en", "de"}) {
        EXPECT_EQ(typedAs("1.5", language), "1.5");
        EXPECT_EQ(typedAs("1,5", language), "1.5");
        EXPECT_EQ(typedAs("0.123", language), "0.123");
        EXPECT_EQ(typedAs("0,123", language), "0.123");
        EXPECT_EQ(typedAs(".5", language), "0.5");
        EXPECT_EQ(typedAs("8.5 B", language), "8.5e+09");
        EXPECT_EQ(typedAs("1,234.5", language), "1234.5");
        EXPECT_EQ(typedAs("1.234,5", language), "1234.5");
        EXPECT_EQ(typedAs("1.234.567", language), "1234567");
        EXPECT_EQ(typedAs("1,234,567", language), "1234567");
        EXPECT_EQ(typedAs("1234.567", language), "1234.567");
    }
}

TEST(TypedNumber, OfTwoReadingsTheLanguageTakesItsOwn)
{
    EXPECT_EQ(typedAs("1.234", "en"), "1.234");
    EXPECT_EQ(typedAs("1.234", "de"), "1234");
    EXPECT_EQ(typedAs("1,234", "en"), "1234");
    EXPECT_EQ(typedAs("1,234", "de"), "1.234");
}

TEST(TypedNumber, TakesBlanksPrefixesAndPowers)
{
    EXPECT_EQ(typedAs(" 4 700 000 ", "de"), "4700000");
    EXPECT_EQ(typedAs("4'700'000", "de"), "4700000");
    EXPECT_EQ(typedAs(groupedDigits(4'700'000), "en"), "4700000");
    EXPECT_EQ(typedAs("4,7 M", "de"), "4700000");
    EXPECT_EQ(typedAs("4.7M", "de"), "4700000");
    EXPECT_EQ(typedAs("2k", "en"), "2000");
    EXPECT_EQ(typedAs("2.5e+3", "en"), "2500");
    EXPECT_EQ(typedAs("2,5E3", "de"), "2500");
}

TEST(TypedNumber, RefusesTheRestWithAnExampleOfTheLanguage)
{
    static constexpr std::array<std::string_view, 16> kNone{"",
                                                            " ",
                                                            "abc",
                                                            "-5",
                                                            "1.23.4",
                                                            "1,23,456",
                                                            "12 34",
                                                            "1 2",
                                                            "1.",
                                                            "1.2.,",
                                                            "1,2,3",
                                                            "1.234,5.",
                                                            "M",
                                                            "1e9999999",
                                                            "nan",
                                                            "0x10"};
    for (const std::string_view text : kNone) {
        EXPECT_THAT(typedAs(text, "en"), HasSubstr("is no number; write it as 4,700,000 or 4.7 M"));
        EXPECT_THAT(typedAs(text, "de"), HasSubstr("is no number; write it as 4.700.000 or 4,7 M"));
    }
    EXPECT_LT(typedAs(std::string(1'000'000, '1'), "en").size(), 1'000U);
}

TEST(TypedNumber, ReadsWhatIsSpoken)
{
    for (const char* language : {"en", "de", "fr"}) {
        for (const Count count : {Count{7}, Count{1'234}, Count{291'648'307'200}}) {
            EXPECT_EQ(typedNumber(localizedDigits(count, language), language).value(),
                      toDouble(count));
        }
        EXPECT_EQ(typedNumber(localizedNumber("39.85", language), language).value(), 39.85);
    }
}

TEST(LessonText, InsertsNumbersInTheFormOfItsLanguage)
{
    const auto shown = [](const Value& value, std::string_view format, std::string_view language) {
        return formattedValue(value, format, language).value();
    };

    EXPECT_EQ(shown(Count{291'648'307'200}, "", "en"), "291,648,307,200");
    EXPECT_EQ(shown(Count{291'648'307'200}, "exact", "de"), "291.648.307.200");
    EXPECT_EQ(shown(291'648'307'200.0, "si", "de"), "291,6 G");
    EXPECT_EQ(shown(0.5, "", "de"), "0,500");
    EXPECT_EQ(shown(0.5, "exact", "de"), "0,5");
    EXPECT_EQ(shown(4'096.0, "exact", "en"), "4,096");
    EXPECT_EQ(shown(std::string("v1.5"), "", "de"), "v1.5");
}

TEST(LessonText, OfAGermanLessonHasGermanNumbersAndNeutralGoldens)
{
    const Lesson lesson = lessonNamed("where-flops-go").value();
    const std::string english = printedLesson(lesson, "en").value();
    const std::string german = printedLesson(lesson, "de").value();

    EXPECT_THAT(english, HasSubstr("291,648,307,200 FLOPs"));
    EXPECT_THAT(english, HasSubstr("FFN 39.8 %"));
    EXPECT_THAT(german, HasSubstr("291.648.307.200 FLOPs"));
    EXPECT_THAT(german, HasSubstr("FFN 39,8 %"));
    EXPECT_THAT(german, Not(HasSubstr("39.8")));
    EXPECT_THAT(german, HasSubstr("answer: 3 4 1 2"));
    EXPECT_THAT(printedLesson(lessonNamed("one-token-more").value(), "de").value(),
                HasSubstr("answer: 284812800"));
}

} // namespace
} // namespace flopsmith
