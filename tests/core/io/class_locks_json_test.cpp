// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/class_locks_json.h"

#include "core/io/project/project_file.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

class ClassLocksFile : public testing::Test
{
protected:
    ClassLocksFile()
    {
        prepared.classLocks = {
            {.key = "ffn.d_ff",
             .kind = ClassLock::Kind::fixed,
             .values = {FieldValue(std::int64_t{3072}),
                        FieldValue(0.5),
                        FieldValue(true),
                        FieldValue(std::string("rope"))},
             .sentence = "Gleich breit für alle."},
            {.key = "seq", .kind = ClassLock::Kind::bounded, .min = 128, .max = 2048},
            {.key = "temperature", .kind = ClassLock::Kind::bounded, .min = -0.25, .max = 0.5},
            {.key = "lens", .kind = ClassLock::Kind::fixed},
            {.key = "page:memory"},
        };
    }

    std::string refusalOf(const std::string& locks) const
    {
        Json json = ownJson(projectText({.scenario = prepared.scenario}));
        json["class_locks"] = ownJson(locks);
        const Result<Project> read = parsedProject(jsonText(json), "x");
        EXPECT_FALSE(read.ok()) << locks;
        return read ? std::string() : read.error().message;
    }

    Project prepared{.scenario = {.model = *presetNamed("gpt2")}};
};

TEST_F(ClassLocksFile, ReadsBackWithWhatIsLocked)
{
    for (const bool unlocked : {false, true}) {
        prepared.unlocked = unlocked;
        const Result<Project> read = parsedProject(projectText(prepared), "x");
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, prepared);
    }
}

TEST_F(ClassLocksFile, WholeBoundsAreWholeNumbers)
{
    const Json json = ownJson(projectText(prepared));
    EXPECT_EQ(jsonText(json["class_locks"][1]),
              R"({"key":"seq","kind":"bounded","min":128,"max":2048})");
    EXPECT_EQ(json["flopsmith"], 1); // a program that knows no class locks keeps them
}

TEST_F(ClassLocksFile, AProjectWithoutThemHasNoKeysForThem)
{
    const std::string text = projectText({.scenario = prepared.scenario});
    EXPECT_THAT(text, Not(HasSubstr("class_locks")));
    EXPECT_THAT(text, Not(HasSubstr("unlocked")));
}

TEST_F(ClassLocksFile, KeysOfANewerVersionAreKept)
{
    Json json = ownJson(projectText(prepared));
    json["class_locks"][1]["colour"] = "red";
    const Result<Project> read = parsedProject(jsonText(json), "x");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(ownJson(projectText(*read))["class_locks"][1]["colour"], "red");
}

TEST_F(ClassLocksFile, RefusesBrokenEntriesAndNamesThem)
{
    EXPECT_THAT(refusalOf("{}"), HasSubstr("class_locks: expected a list"));
    EXPECT_THAT(refusalOf("[3]"), HasSubstr("class_locks[0]: expected a list"));
    EXPECT_THAT(refusalOf(R"([{"kind": "fixed"}])"), HasSubstr("key is missing"));
    EXPECT_THAT(refusalOf(R"([{"key": 3, "kind": "fixed"}])"),
                HasSubstr("expected a text in quotes, found 3"));
    EXPECT_THAT(
        refusalOf(R"([{"key": "d_ff", "kind": "gone"}])"),
        HasSubstr("class_locks[0].kind: \"gone\" is unknown; known are hidden, fixed, bounded"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff"}])"),
                HasSubstr("kind: missing; it is one of hidden, fixed"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff", "kind": "bounded", "min": 1}])"),
                HasSubstr("needs min and max"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff", "kind": "bounded", "min": "1", "max": 2}])"),
                HasSubstr("class_locks[0].min: expected a number"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff", "kind": "bounded", "min": 3, "max": 2}])"),
                HasSubstr("hold no number"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff", "kind": "hidden", "min": 0}])"),
                HasSubstr("only a bounded control"));
    EXPECT_THAT(refusalOf(R"([{"key": "d_ff", "kind": "fixed", "values": [[1]]}])"),
                HasSubstr("is no value of a parameter"));
    EXPECT_THAT(
        refusalOf(R"([{"key": "d_ff", "kind": "fixed", "values": [18446744073709551615]}])"),
        HasSubstr("is no value of a parameter"));
    EXPECT_THAT(refusalOf(R"([{"key": "blocks[0].d_ff", "kind": "hidden"}])"),
                HasSubstr("class_locks[0]: blocks[0].d_ff"));
    EXPECT_THAT(
        refusalOf(R"([{"key": "d_ff", "kind": "hidden"}, {"key": "d_ff", "kind": "fixed"}])"),
        HasSubstr("locked twice"));
}

TEST_F(ClassLocksFile, RefusesMoreThanADesignHas)
{
    Json many = Json::array();
    for (std::size_t i = 0; i <= kMaxClassLocks; ++i) {
        many.push_back({{"key", "page:" + std::to_string(i)}, {"kind", "hidden"}});
    }
    EXPECT_THAT(refusalOf(jsonText(many)), HasSubstr("at most 64"));
    Json values = Json::array();
    for (std::size_t i = 0; i <= kMaxFixedValues; ++i) {
        values.push_back(i);
    }
    const Json lock{{"key", "d_ff"}, {"kind", "fixed"}, {"values", values}};
    EXPECT_THAT(refusalOf(jsonText(Json::array({lock}))), HasSubstr("at most 32 entries"));
    const Json wordy{{"key", "d_ff"}, {"kind", "hidden"}, {"sentence", std::string(60'000, 'x')}};
    EXPECT_THAT(refusalOf(jsonText(Json::array({wordy}))), HasSubstr("at most 400 bytes"));
}

TEST_F(ClassLocksFile, WhetherItWasUnlockedIsTrueOrFalse)
{
    Json json = ownJson(projectText(prepared));
    json["unlocked"] = "yes";
    const Result<Project> read = parsedProject(jsonText(json), "x");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message, "x: unlocked: expected true or false, found the text \"yes\"");
}

} // namespace
} // namespace flopsmith
