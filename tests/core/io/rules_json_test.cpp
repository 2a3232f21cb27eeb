// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/rules_json.h"

#include "core/io/project/project_file.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class RulesFile : public testing::Test
{
protected:
    RulesFile()
    {
        EXPECT_TRUE(addTie(project.rules, project.scenario, {1, "mixer.heads"}, "d_model/64").ok());
        EXPECT_TRUE(addLock(project.rules, project.scenario, {-1, "d_model"}).ok());
        json = ownJson(projectText(project));
    }

    Result<Project> opened() { return projectFromJson(json, "x", Illegal::repair, &notes); }

    Project project{.scenario = {.model = *presetNamed("gpt2-half-swapped")}};
    Json json;
    std::vector<std::string> notes;
};

TEST_F(RulesFile, ReadsBackWithItsTiesAndLocks)
{
    const Result<Project> read = opened();

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, project);
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(json["flopsmith"], 1); // a program that knows no rules keeps them
    EXPECT_EQ(json["rules"]["ties"]["blocks[6].mixer.heads"], "d_model/64");
}

TEST_F(RulesFile, EveryParameterIsFoundByItsKeyAndNoOtherKeyIs)
{
    project.rules = {};
    for (const Parameter& parameter : allParameters(project.scenario)) {
        project.rules.locks = {
            {placeOf(project.scenario, parameter), parameter.value(project.scenario)}};
        json = ownJson(projectText(project));
        EXPECT_EQ(json["rules"]["locked"][0], parameter.key);
        EXPECT_EQ(opened().value().rules.locks, project.rules.locks) << parameter.key;
    }
    for (const char* key : {"blocks[7].mixer.heads", // of a run, but not of its first block
                            "blocks[-1].mixer.heads",
                            "blocks[].mixer.heads",
                            "blocks[6",
                            "blocks[06].mixer.heads",
                            "blocks[6].d_model",
                            "heads"}) {
        json["rules"]["locked"] = Json::array({key});
        EXPECT_TRUE(opened().value().rules.locks.empty()) << key;
        EXPECT_THAT(notes, Contains(HasSubstr("no such parameter"))) << key;
    }
}

TEST_F(RulesFile, AProjectWithoutRulesHasNoKeyForThem)
{
    project.rules = {};
    EXPECT_EQ(projectText(project).find("rules"), std::string::npos);
}

TEST_F(RulesFile, ATieThatDoesNotHoldIsLeftOutWithANoteAndTheNumbersStay)
{
    json["rules"]["ties"]["blocks[6].mixer.heads"] = "d_model/32";
    json["rules"]["locked"].push_back("blocks[99].mixer.heads");
    const Result<Project> read = opened();

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->scenario, project.scenario);
    EXPECT_TRUE(read->rules.ties.empty());
    EXPECT_EQ(read->rules.locks, project.rules.locks);
    EXPECT_THAT(notes, ElementsAre(HasSubstr("blocks[99]"), HasSubstr("heads is not d_model/32")));
}

TEST_F(RulesFile, WhatIsNoRuleIsRefusedWithItsPlace)
{
    for (const char* rules : {"3",
                              R"({"ties": 3})",
                              R"({"ties": {"d_model": 3}})",
                              R"({"locked": {}})",
                              R"({"locked": [3]})"}) {
        json["rules"] = ownJson(rules);
        const Result<Project> read = opened();
        ASSERT_FALSE(read.ok()) << rules;
        EXPECT_THAT(read.error().message, HasSubstr("rules")) << rules;
    }
    json["rules"] = ownJson(R"({"ties": {"seq": "d_model*heads"}})");
    EXPECT_THAT(opened().error().message, HasSubstr("rules.ties.seq: \"d_model*heads\""));
}

TEST_F(RulesFile, UnknownKeysOfRulesAreKept)
{
    json["rules"]["hidden"] = true;
    const Result<Project> read = opened();

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(ownJson(projectText(*read)), json);
}

} // namespace
} // namespace flopsmith
