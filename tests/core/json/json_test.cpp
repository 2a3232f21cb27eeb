// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json.h"

#include "core/json/json_text.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace flopsmith {
namespace {

TEST(Json, AListOfPairsThatBeginWithATextIsAnObject)
{
    const Json object{{"b", 1}, {"a", {{"deep", {1, 2}}}}};

    EXPECT_EQ(jsonText(object), R"({"b":1,"a":{"deep":[1,2]}})");
    EXPECT_EQ(jsonText(Json{{"a", 1}, {2, 3}}), R"([["a",1],[2,3]])");
    EXPECT_EQ(jsonText(Json{"a", "b"}), R"(["a","b"])");
    EXPECT_EQ(jsonText(Json{{"a", "b"}}), R"({"a":"b"})");
    EXPECT_EQ(jsonText(Json::array({{"a", "b"}})), R"([["a","b"]])");
    EXPECT_EQ(jsonText(Json{object}), "[" + jsonText(object) + "]");
    EXPECT_TRUE(Json().is_null());
    EXPECT_EQ(jsonText(Json::array()) + jsonText(Json::object()), "[]{}");
}

TEST(Json, IsMadeOfContainers)
{
    EXPECT_EQ(jsonText(std::vector<double>{1, 0.5}), "[1.0,0.5]");
    EXPECT_EQ(jsonText(std::set<std::string>{"b", "a"}), R"(["a","b"])");
    EXPECT_EQ(jsonText(std::map<std::string, int>{{"b", 1}, {"a", 2}}), R"({"a":2,"b":1})");
    EXPECT_EQ(jsonText(std::vector<std::vector<int>>{{1}, {}}), "[[1],[]]");
}

TEST(Json, AnObjectKeepsTheOrderOfItsKeys)
{
    Json json;
    json["z"] = 1;
    json["a"]["inner"] = true;
    json["z"] = nullptr;
    json.update({{"a", 2}, {"m", 3}});

    EXPECT_EQ(jsonText(json), R"({"z":null,"a":2,"m":3})");
    json.erase("a");
    EXPECT_EQ(json.items().front().key(), "z");
    EXPECT_EQ(json.items().back().value(), 3);
    EXPECT_EQ(json, (Json{{"z", nullptr}, {"m", 3}}));
    EXPECT_NE(json, (Json{{"m", 3}, {"z", nullptr}}));
}

TEST(Json, IsAssignedAPartOfItself)
{
    Json json{{"a", {{"b", {1, 2}}}}};
    for (int i = 0; i < 20; ++i) {
        json["copy" + std::to_string(i)] = json["a"];
    }

    EXPECT_EQ(json["copy19"], json["a"]);
    json = json["a"];
    EXPECT_EQ(jsonText(json), R"({"b":[1,2]})");
    json = json["b"][1];
    EXPECT_EQ(json, 2);
}

TEST(Json, WhatIsNotThereIsNotFound)
{
    const Json json{{"a", 1}, {"list", {1, 2, 3}}};

    EXPECT_FALSE(json.contains("b"));
    EXPECT_EQ(json["list"].find("a"), nullptr);
    EXPECT_EQ(json["a"].size(), 1U);
    EXPECT_EQ(json["a"].begin(), json["a"].end());
    EXPECT_TRUE(json["list"].items().empty());
    EXPECT_TRUE(Json().empty());
    EXPECT_EQ(json.value("a", 7) + json.value("b", 7), 8);
}

TEST(Json, NumbersAreEqualByValue)
{
    EXPECT_EQ(Json(1), Json(1U));
    EXPECT_EQ(Json(1), Json(1.0));
    EXPECT_NE(Json(-1), Json(UINT64_MAX));
    EXPECT_NE(Json(UINT64_MAX), Json(UINT64_MAX - 1));
    EXPECT_NE(Json(1), Json(true));
    EXPECT_NE(Json(1), Json("1"));
    EXPECT_NE(Json(), Json(false));
    EXPECT_NE(Json::discarded(), Json::discarded());
}

TEST(Json, WholeNumbersStayExact)
{
    EXPECT_EQ(ownJson("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
    EXPECT_EQ(ownJson("-9223372036854775808").get<std::int64_t>(), INT64_MIN);
    EXPECT_TRUE(ownJson("7").is_number_unsigned());
    EXPECT_FALSE(ownJson("-7").is_number_unsigned());
    EXPECT_TRUE(ownJson("7.0").is_number_float());
    EXPECT_EQ(ownJson("7.9").get<int>(), 7);
}

TEST(Json, OfAnotherKindStopsTheProgram)
{
    const Json json{{"a", 1}};

    EXPECT_DEATH(json["a"].get<std::string>(), "is_string");
    EXPECT_DEATH(json.get<double>(), "integer");
    EXPECT_DEATH(json["b"], "found");
    EXPECT_DEATH(json.at(0), "is_array");
}

// A worker may answer anything; destroying what was read needs no stack for each level.
TEST(Json, IsDestroyedHoweverDeepItIs)
{
    constexpr std::size_t kDepth = 1'000'000;
    Json json = ownJson(std::string(kDepth, '[') + std::string(kDepth, ']'));

    ASSERT_TRUE(json.is_array());
    json = nullptr;
    EXPECT_TRUE(json.is_null());
}

} // namespace
} // namespace flopsmith
