// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::string& text)
{
    const Result<Json> json = parsedJson(text, "file");
    EXPECT_FALSE(json.ok()) << text.substr(0, 80);
    return json.ok() ? "" : json.error().message;
}

TEST(JsonText, IsReadAndWrittenBack)
{
    for (const char* text : {"null",
                             "-7",
                             "18446744073709551615",
                             "0.25",
                             "[]",
                             "{}",
                             "[[1,{}],[],true]",
                             R"({"b":[1,2],"a":{"c":null,"":"x"}})"}) {
        EXPECT_EQ(jsonText(*parsedJson(text, "file")), text);
        EXPECT_EQ(jsonText(ownJson(text)), text);
    }
    EXPECT_EQ(jsonText(ownJson("[1, {\"a\": []}]"), 2), "[\n  1,\n  {\n    \"a\": []\n  }\n]");
}

TEST(JsonText, NamesThePlaceOfAMistakeInOneLine)
{
    for (const char* text :
         {"", "{", "[1, 2", "{\"a\": }", "{\"a\": tru", "{\"a\": \"b", "{\"a\" 1}"}) {
        EXPECT_THAT(refusal(text),
                    AllOf(HasSubstr("file: line 1, column "), testing::Not(HasSubstr("\n"))));
    }
    EXPECT_THAT(refusal("{\n \"a\": 1,\n}"), HasSubstr("line 3, column 1"));
}

TEST(JsonText, KnowsNoNumbersThatAreNone)
{
    EXPECT_THAT(refusal("{\"a\": NaN}"), HasSubstr("column 7: NaN is no value of JSON"));
    EXPECT_THAT(refusal("{\"a\": -Infinity}"), HasSubstr("Infinity is no value of JSON"));
    EXPECT_THAT(refusal("{\"a\": 1e999}"), HasSubstr("number overflow"));
}

TEST(JsonText, TakesPythonsInfinityForALimitInAList)
{
    const std::string text =
        R"({"limits": [0.0, Infinity], "open": [ Infinity,-1], "s": "[Infinity"})";
    const std::string finite = withFiniteLimits(text);
    const auto json = parsedJson(finite, "file");

    EXPECT_EQ(finite.size(), text.size());
    ASSERT_TRUE(json.ok());
    EXPECT_EQ((*json)["limits"][1], 1e308);
    EXPECT_EQ((*json)["open"][0], 1e308);
    EXPECT_EQ((*json)["s"], "[Infinity");
    EXPECT_EQ(withFiniteLimits(R"({"a": Infinity})"), R"({"a": Infinity})");
}

TEST(JsonText, RefusesAKeyThatOccursTwice)
{
    EXPECT_THAT(refusal(R"({"a": 1, "b": {"c": 1, "d": 2, "c": 3}})"),
                HasSubstr("the key \"c\" occurs twice"));
    EXPECT_TRUE(parsedJson(R"({"a": {"a": [{"a": 1}, {"a": 1}]}})", "file").ok());
}

TEST(JsonText, RefusesDeepNestingAndVeryManyValues)
{
    std::string objects;
    for (int i = 0; i < 100'000; ++i) {
        objects += "{\"a\":";
    }
    std::string values = "[0";
    for (int i = 0; i < 1'000'000; ++i) {
        values += ",0";
    }

    EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested more than"));
    EXPECT_THAT(refusal(objects), HasSubstr("nested more than"));
    EXPECT_THAT(refusal(values + "]"), HasSubstr("more than 1000000 values"));
    EXPECT_THAT(refusal(std::string(std::size_t{17} << 20U, ' ')), HasSubstr("16 MiB"));
}

// A hundred thousand keys in one object are read in a moment, not in minutes.
TEST(JsonText, OfTheProgramsOwnHasNoBoundsButMustBeJson)
{
    const std::string deep = std::string(100, '[') + std::string(100, ']');

    EXPECT_EQ(jsonText(ownJson(deep)), deep);
    for (const char* text : {"", "{", "nothing", "[1] 2"}) {
        EXPECT_TRUE(ownJson(text).is_discarded()) << text;
    }
}

TEST(JsonText, ReadsLargeObjects)
{
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i) {
        text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
    }

    const Result<Json> json = parsedJson(text + "}", "file");

    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->size(), 100'000U);
    EXPECT_EQ(json->at("k99999"), 99'999);
}

TEST(JsonText, ShowsOnlyTheStartOfALongMistake)
{
    EXPECT_LT(refusal("{\"a\": \"" + std::string(100'000, 'x')).size(), 400U);
}

} // namespace
} // namespace flopsmith
