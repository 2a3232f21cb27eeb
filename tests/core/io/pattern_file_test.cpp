// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/project_file.h"
#include "core/json/json_text.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::patterned;
using test::unpatterned;

Json savedPatterned(int times = 3)
{
    return ownJson(projectText({.scenario = {patterned(times), {}}}));
}

Json patternAt(int first, int length, int times)
{
    Json json;
    json["first"] = first;
    json["length"] = length;
    json["times"] = times;
    return json;
}

std::string refusalOfPatterns(const Json& patterns)
{
    Json json = savedPatterned();
    json["model"]["patterns"] = patterns;
    const Result<Project> read = parsedProject(jsonText(json), "my.flopsmith");
    return read.ok() ? std::string() : read.error().message;
}

TEST(PatternFile, SurvivesSavingAndOpening)
{
    for (const int times : {1, 2, 3, 50}) {
        const Project project{.scenario = {patterned(times), {}}};
        const Result<Project> read = parsedProject(projectText(project), "x");
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, project);
    }
}

TEST(PatternFile, HasVersionTwoOnlyWithPatterns)
{
    EXPECT_EQ(savedPatterned()["flopsmith"], 2);
    const Json flat = ownJson(projectText({.scenario = {unpatterned(patterned()), {}}}));
    EXPECT_EQ(flat["flopsmith"], 1);
    EXPECT_FALSE(flat["model"].contains("patterns"));
}

TEST(PatternFile, DiffersFromOneWithoutInThePatternsAlone)
{
    Json json = savedPatterned();
    json["flopsmith"] = 1;
    json["model"].erase("patterns");
    EXPECT_EQ(json, ownJson(projectText({.scenario = {unpatterned(patterned()), {}}})));
}

TEST(PatternFile, RefusesWhatTheRunsDoNotRepeat)
{
    EXPECT_EQ(refusalOfPatterns(Json::array({patternAt(1, 2, 3)})), "");
    EXPECT_EQ(refusalOfPatterns(Json::array({patternAt(1, 2, 4)})),
              "my.flopsmith: model.patterns[0]: 4 repeats of 2 runs from run 1 on need 9 runs, and "
              "the model has 8; at most 3 repeats fit");
    EXPECT_EQ(refusalOfPatterns(Json::array({patternAt(0, 2, 2)})),
              "my.flopsmith: model.patterns[0]: run 2 differs from run 0, which it repeats; make "
              "them equal or leave the pattern out");
    Json endless = patternAt(1, 2, 3);
    endless.erase("times");
    EXPECT_EQ(refusalOfPatterns(Json::array({endless})),
              "my.flopsmith: model.patterns[0].times: missing; a pattern has first, length and "
              "times, in runs of blocks");
}

TEST(PatternFile, RefusesWhatIsNoPattern)
{
    const Json good = patternAt(1, 2, 3);
    for (const Json& bad : {Json("A B B"),
                            patternAt(1, 2, 3),
                            Json::array({1}),
                            Json::array({good, good}),
                            Json(std::vector<Json>(100'000, good))}) {
        EXPECT_FALSE(refusalOfPatterns(bad).empty());
    }
    for (const char* key : {"first", "length", "times"}) {
        for (const Json& value : {Json(-1), Json(2'147'483'647), Json(1e30), Json("two")}) {
            Json bad = good;
            bad[key] = value;
            EXPECT_FALSE(refusalOfPatterns(Json::array({bad})).empty()) << jsonText(bad);
        }
    }
}

} // namespace
} // namespace flopsmith
