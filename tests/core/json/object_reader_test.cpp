// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/object_reader.h"

#include "core/json/json_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

using Reading = std::function<void(ObjectReader&)>;

// What a file with one key "x" is refused with, or nothing.
std::string refusal(const Json& value, const Reading& reading)
{
    const Json json{{"x", value}};
    ObjectReader file(json, "a.json: ");
    reading(file);
    return file.ok() ? std::string() : file.status().error().message;
}

enum class Outline { round, square };

TEST(ObjectReader, ReadsEachKindOfValue)
{
    const Json json = ownJson(R"({"text": "a", "flag": true, "whole": -3, "real": 0.5, "count":
        "170141183460469231731687303715884105", "list": [1.5, 2], "object": {"deep": [{"id": 7}]},
        "shape": "square"})");
    ObjectReader file(json, "a.json: ");

    EXPECT_EQ(file.text("text"), "a");
    EXPECT_TRUE(file.flag("flag"));
    EXPECT_EQ(file.whole("whole", -3, 3), -3);
    EXPECT_EQ(file.real("real", 0.0, 0.5), 0.5);
    EXPECT_EQ(digits(file.count("count")), "170141183460469231731687303715884105");
    EXPECT_EQ(file.amountsOrEmpty("list"), (std::vector{1.5, 2.0}));
    EXPECT_EQ(file.oneOf<Outline>("shape", std::array{"round", "square"}), Outline::square);
    EXPECT_EQ(file.object("object").objects("deep").front().whole("id", 0, 9), 7);
    EXPECT_TRUE(file.judged(1).ok());
}

TEST(ObjectReader, MissingKeysHaveTheirDefaults)
{
    const Json json = Json::object();
    ObjectReader file(json, "a.json: ");

    EXPECT_EQ(file.textOr("x", "b"), "b");
    EXPECT_TRUE(file.flagOr("x", true));
    EXPECT_EQ(file.wholeOr("x", 1, 2, 5), 5);
    EXPECT_EQ(file.optionalWhole("x", 1, 2), std::nullopt);
    EXPECT_EQ(file.amountOr("x", 0.5), 0.5);
    EXPECT_EQ(file.optionalAmount("x"), std::nullopt);
    EXPECT_TRUE(file.objectsOrEmpty("x").empty());
    EXPECT_TRUE(file.ok());
}

// Every sentence begins with the place and says what would be right.
TEST(ObjectReader, SaysWhatWasExpectedAndWhatWasFound)
{
    const struct
    {
        Reading reading;
        Json wrong;
        std::string expected;
    } cases[]{
        {[](ObjectReader& f) { f.text("x"); }, 7, "a text in quotes, found 7"},
        {[](ObjectReader& f) { f.text("x", 3); },
         "four",
         "a text in quotes of 1 to 3 characters, found 4"},
        {[](ObjectReader& f) { f.flag("x"); }, 0, "true or false, found 0"},
        {[](ObjectReader& f) { f.whole("x", 1, 9); },
         "2",
         "a whole number from 1 to 9, found the text \"2\""},
        {[](ObjectReader& f) { f.real("x", 0.0, 0.5); }, 2, "a number from 0 to 0.5, found 2"},
        {[](ObjectReader& f) { f.amount("x"); }, -1, "a number that is not negative, found -1"},
        {[](ObjectReader& f) { f.positive("x", 10.0); },
         0,
         "a number above 0 and at most 10, found 0"},
        {[](ObjectReader& f) { f.count("x"); },
         "5e9",
         "a whole number that is not negative, or its digits in quotes, found the text \"5e9\""},
        {[](ObjectReader& f) { f.list("x"); }, Json::object(), "a list [ … ], found an object"},
        {[](ObjectReader& f) { f.list("x", 1, 2); },
         Json::array(),
         "a list [ … ] with 1 to 2 entries, found 0"},
        {[](ObjectReader& f) { f.object("x"); }, Json::array(), "an object { … }, found a list"},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(refusal(each.wrong, each.reading), "a.json: x: expected " + each.expected);
        const Json empty = Json::object();
        ObjectReader file(empty, "message");
        each.reading(file);
        ASSERT_FALSE(file.ok());
        EXPECT_EQ(file.status().error().message, "message.x: missing");
    }
}

TEST(ObjectReader, TakesTheEndsOfARangeAndNothingBeyond)
{
    const auto whole = [](const Json& value) {
        return refusal(value, [](ObjectReader& file) { file.whole("x", -2, 5); });
    };
    const auto real = [](const Json& value) {
        return refusal(value, [](ObjectReader& file) { file.real("x", -2.0, 5.0); });
    };
    for (const int inside : {-2, 0, 5}) {
        EXPECT_EQ(whole(inside), "");
        EXPECT_EQ(real(inside), "");
    }
    for (const Json& outside :
         {Json(-3), Json(6), Json(UINT64_MAX), Json(INT64_MIN), Json(1e300)}) {
        EXPECT_NE(whole(outside), "") << outside;
        EXPECT_NE(real(outside), "") << outside;
    }
    EXPECT_NE(whole(1.0), ""); // a whole number is written as one
    const auto positive = [](const Json& value) {
        return refusal(value, [](ObjectReader& file) { file.positive("x", 5.0); });
    };
    EXPECT_EQ(positive(5), "");
    EXPECT_NE(positive(0), "");
    EXPECT_NE(positive(5.5), "");
}

TEST(ObjectReader, NamesThePlacesOfParts)
{
    const auto in = [](ObjectReader& file) {
        for (ObjectReader each : file.objects("x")) {
            each.object("deep").flag("y");
        }
    };
    const Json right{{"deep", {{"y", true}}}};
    const Json wrong{{"deep", {{"y", 3}}}};

    EXPECT_EQ(refusal(Json::array({right, right}), in), "");
    EXPECT_EQ(refusal(Json::array({right, wrong}), in),
              "a.json: x[1].deep.y: expected true or false, found 3");
    EXPECT_EQ(refusal(Json::array({right, 3}), in),
              "a.json: x[1]: expected an object { … }, found 3");
}

TEST(ObjectReader, RefusesUnknownKeysAndListsTheKnownOnes)
{
    const auto keys = [](ObjectReader& file) { file.refuseOtherKeys({"y", "z"}); };
    const auto comment = [](ObjectReader& file) { file.refuseOtherKeys({"y"}, "x"); };

    EXPECT_EQ(refusal(1, keys), "a.json: x: no such key here; known are y, z");
    EXPECT_EQ(refusal(1, comment), "");
}

TEST(ObjectReader, ListsTheNamesThatItKnows)
{
    const auto shape = [](ObjectReader& file) {
        file.oneOf<Outline>("x", std::array{"round", "square"});
    };
    EXPECT_EQ(refusal("flat", shape), "a.json: x: \"flat\" is unknown; known are round, square");
    EXPECT_EQ(refusal(3, shape), "a.json: x: expected one of round, square, found 3");

    const Json empty = Json::object();
    ObjectReader file(empty, "a.json: ");
    shape(file);
    EXPECT_EQ(file.status().error().message, "a.json: x: missing; it is one of round, square");
}

// After a mistake everything reads as missing, without further errors.
TEST(ObjectReader, KeepsTheFirstMistake)
{
    const Json json = ownJson(R"({"a": 1, "b": {"c": 2}, "d": ["e"]})");
    ObjectReader file(json, "f");
    file.text("a");
    const std::string first = file.status().error().message;
    ObjectReader part = file.object("b");

    EXPECT_FALSE(part.ok());
    EXPECT_FALSE(part.has("c"));
    EXPECT_EQ(part.whole("c", 0, 9), 0);
    EXPECT_TRUE(file.texts("d").empty());
    file.fail("later");
    EXPECT_EQ(file.status().error().message, first);
    EXPECT_EQ(file.judged(1).error().message, first);
}

TEST(ObjectReader, ShowsOfLongAndOddTextsWhatALineHolds)
{
    const std::string told =
        refusal("\x1B[2J" + std::string(10'000, 'x'), [](ObjectReader& file) { file.flag("x"); });

    EXPECT_LT(told.size(), 150U);
    EXPECT_EQ(told.find('\x1B'), std::string::npos);
}

} // namespace
} // namespace flopsmith
