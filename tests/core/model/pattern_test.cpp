// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pattern.h"

#include "core/model/model_cost.h"
#include "core/model/stack_units.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

namespace flopsmith {
namespace {

using test::patterned;
using test::unpatterned;

std::vector<int> repeatsIn(const Model& model)
{
    std::vector<int> repeats;
    for (const BlockRun& run : model.runs) {
        repeats.push_back(run.repeat);
    }
    return repeats;
}

std::string patternProblemIn(const Model& model)
{
    const std::optional<PatternProblem> problem = patternProblem(model);
    return problem ? problem->sentence : std::string();
}

TEST(Patterns, ChangeNoCount)
{
    const Scenario scenario{.model = patterned()};

    EXPECT_TRUE(validated(scenario).ok());
    EXPECT_EQ(costTree(scenario).total(),
              costTree({.model = unpatterned(patterned()), .workload = {}}).total());
}

TEST(Patterns, KnowTheRunsThatCorrespond)
{
    const Model model = patterned();

    EXPECT_EQ(repeatsOf(model, 0), std::vector<int>{0});
    EXPECT_EQ(repeatsOf(model, 4), (std::vector<int>{2, 4, 6}));
    EXPECT_EQ(shownRun(model, 5), 1);
    EXPECT_EQ(shownRuns(model), (std::vector<int>{0, 1, 2, 7}));
    EXPECT_EQ(patternOf(model, 6), 0);
    EXPECT_EQ(patternOf(model, 7), -1);
}

TEST(Patterns, HaveAsManyBlocksAsTheirRepeatsSay)
{
    for (const int times : {1, 2, 3, 7, 100}) {
        Model model = patterned();
        EXPECT_TRUE(setTimes(model, 0, times).ok());

        EXPECT_EQ(model, patterned(times));
        EXPECT_EQ(model.layers(), 3 + 3 * times);
    }
}

TEST(Patterns, CannotOutgrowTheLegalNumberOfLayers)
{
    Model model = patterned();

    EXPECT_TRUE(setTimes(model, 0, 1364).ok());
    const Model before = model;
    const Status refused = setTimes(model, 0, 1365);
    EXPECT_EQ(refused.error().message,
              "1365 repeats of 3 blocks are 4095 layers and the model has 3 more; at most 1364 "
              "repeats are possible");
    EXPECT_FALSE(setTimes(model, 0, 2'000'000'000).ok());
    EXPECT_FALSE(setTimes(model, 0, 0).ok());
    EXPECT_EQ(model, before);
}

TEST(Patterns, GroupingAndDissolvingRestores)
{
    for (const int times : {1, 2, 5}) {
        Model model = unpatterned(patterned(times));
        EXPECT_TRUE(makePattern(model, 1, 2 * times).ok());
        EXPECT_EQ(model, patterned(times));

        dissolvePattern(model, 0);
        EXPECT_EQ(model, unpatterned(patterned(times)));
    }
}

TEST(Patterns, GroupingEqualBlocksMakesOneRun)
{
    Model model = patterned();
    model.runs.insert(model.runs.begin(), 3, model.runs.front());
    shiftPatterns(model, 0, 3);

    EXPECT_TRUE(makePattern(model, 0, 3).ok());

    Model joined = patterned();
    joined.runs.front().repeat = 8;
    EXPECT_EQ(model, joined);
}

TEST(Patterns, AreNotMadeOfPatternsOrSingleRuns)
{
    Model model = patterned();
    for (const auto& [first, last] : {std::pair(0, 0), std::pair(0, 1), std::pair(2, 7)}) {
        EXPECT_FALSE(makePattern(model, first, last).ok());
    }
    EXPECT_EQ(model, patterned());

    Model halves = *presetNamed("t5-small");
    EXPECT_FALSE(makePattern(halves, 0, static_cast<int>(halves.runs.size()) - 1).ok());
}

TEST(Patterns, AreFoundInRuns)
{
    for (const int times : {2, 3, 9}) {
        const std::vector<Pattern> found = foundPatterns(patterned(times).runs);
        EXPECT_EQ(found, patterned(times).patterns);
    }
    EXPECT_TRUE(foundPatterns(patterned(1).runs).empty());
    EXPECT_TRUE(foundPatterns(presetNamed("gpt2-half-swapped")->runs).empty());
    EXPECT_EQ(foundPatterns(presetNamed("gemma-2-2b")->runs), (std::vector<Pattern>{{0, 2, 13}}));
}

TEST(Patterns, TheLongestPeriodWinsOverItsParts)
{
    const Model parts = patterned();
    const BlockRun a = parts.runs[1];
    const BlockRun b = parts.runs[2];
    const BlockRun c = parts.runs[0];
    std::vector<BlockRun> runs;
    for (int i = 0; i < 4; ++i) { // A B A B C, four times
        runs.insert(runs.end(), {a, b, a, b, c});
    }

    EXPECT_EQ(foundPatterns(runs), (std::vector<Pattern>{{0, 5, 4}}));
}

TEST(Patterns, BadOnesAreNamed)
{
    Model model = patterned();
    model.patterns = {{1, 2, 4}};
    EXPECT_EQ(patternProblemIn(model),
              "4 repeats of 2 runs from run 1 on need 9 runs, and the model has 8; at most 3 "
              "repeats fit");
    model.patterns = {{0, 2, 2}};
    EXPECT_EQ(patternProblemIn(model),
              "run 2 differs from run 0, which it repeats; make them equal or leave the pattern "
              "out");
    model.patterns = {{1, 2, 2}, {4, 2, 1}};
    EXPECT_NE(patternProblemIn(model).find("reaches to run 4"), std::string::npos);
    for (const Pattern& bad : {Pattern{-1, 2, 1},
                               Pattern{1, 1, 3},
                               Pattern{1, 2, 0},
                               Pattern{1, 2'000'000'000, 2'000'000'000}}) {
        model.patterns = {bad};
        EXPECT_FALSE(patternProblemIn(model).empty());
        EXPECT_FALSE(validated({.model = model, .workload = {}}).ok());
    }
}

TEST(Patterns, ATypedParameterOfAllBlocksKeepsThem)
{
    Scenario scenario{.model = patterned()};

    EXPECT_TRUE(setParameter(scenario, "d_ff", "512").ok());

    EXPECT_EQ(scenario.model.patterns, patterned().patterns);
    EXPECT_EQ(patternProblemIn(scenario.model), "");
}

TEST(Patterns, NamingOneBlockForgetsThem)
{
    Scenario scenario{.model = patterned()};
    Scenario flat{.model = unpatterned(patterned())};

    EXPECT_TRUE(setParameter(scenario, "blocks[4].d_ff", "512").ok());
    EXPECT_TRUE(setParameter(flat, "blocks[4].d_ff", "512").ok());

    EXPECT_EQ(scenario, flat);
}

TEST(Patterns, ARunIsSetInAllRepeats)
{
    Scenario scenario{.model = patterned()};
    const std::vector<Parameter> ofRun = blockParameters(scenario, 2);
    const auto assign = [&](std::string_view key, std::int64_t value) {
        for (const Parameter& parameter : ofRun) {
            if (parameter.text.key == key) {
                parameter.assign(scenario, value);
            }
        }
    };

    assign("repeat", 4);
    assign("d_ff", 96);

    EXPECT_EQ(patternProblemIn(scenario.model), "");
    EXPECT_EQ(repeatsIn(scenario.model), (std::vector<int>{2, 1, 4, 1, 4, 1, 4, 1}));
    EXPECT_EQ(get<GatedFfn>(scenario.model.runs[6].block.ffn).dFf, 96);
}

TEST(Patterns, LayersAreSpreadOverWholePeriods)
{
    const bool held = rc::check("any number of layers can be set", [] {
        Scenario scenario{.model = patterned(*rc::gen::inRange(1, 6))};
        const int fewest = static_cast<int>(scenario.model.runs.size());
        const std::size_t runs = scenario.model.runs.size();
        const int layers = *rc::gen::inRange(fewest, 400);
        const std::vector<Parameter> found = matchingParameters(scenario, "layers");
        found.front().assign(scenario, std::int64_t{layers});
        RC_ASSERT(scenario.model.layers() == layers);
        RC_ASSERT(scenario.model.runs.size() == runs);
        RC_ASSERT(patternProblemIn(scenario.model).empty());
    });
    EXPECT_TRUE(held);

    Scenario scenario{.model = patterned()};
    EXPECT_TRUE(setParameter(scenario, "layers", "24").ok());
    EXPECT_EQ(scenario.model.patterns, patterned().patterns);
    EXPECT_EQ(repeatsIn(scenario.model), (std::vector<int>{4, 2, 4, 2, 4, 2, 4, 2}));
}

TEST(Patterns, JoiningStopsAtTheirBorders)
{
    Model model = patterned();
    model.runs[2].block = Block(model.runs[1].block); // (A A A) × 3, then A
    alignRepeats(model, 2);
    EXPECT_TRUE(hasJoinableRuns(model));

    Model joined = model;
    joined.joinEqualRuns(); // a period of one run is no pattern

    EXPECT_TRUE(joined.patterns.empty());
    EXPECT_EQ(repeatsIn(joined), (std::vector<int>{2, 10}));
    Model apart = patterned();
    EXPECT_FALSE(hasJoinableRuns(apart));
    apart.joinEqualRuns();
    EXPECT_EQ(apart, patterned());
}

TEST(Patterns, SplittingABlockOfOneRepeatForgetsThem)
{
    Model model = patterned();
    model.splitBefore(5); // where a period ends
    EXPECT_EQ(model.patterns, patterned().patterns);

    model.splitBefore(4); // between its two B
    EXPECT_TRUE(model.patterns.empty());
    EXPECT_EQ(model.layers(), patterned().layers());

    Model before = patterned();
    before.splitBefore(1);
    EXPECT_EQ(before.patterns, (std::vector<Pattern>{{2, 2, 3}}));
}

TEST(StackUnits, MakeTheModelTheyWereMadeOf)
{
    for (const int times : {1, 2, 3}) {
        Model model = patterned(times);
        setStackUnits(model, stackUnits(model));
        EXPECT_EQ(model, patterned(times));
    }
    const std::vector<StackUnit> units = stackUnits(patterned());
    for (int run = 0; run < 8; ++run) {
        EXPECT_EQ(runOfPlace(units, placeIn(units, run)), shownRun(patterned(), run));
    }
}

TEST(StackUnits, RunsAreInsertedAndErasedInAllRepeats)
{
    const BlockRun added{test::slidingBlock(patterned().runs.front().block, 7), 3};
    Model model = patterned();

    EXPECT_EQ(insertRunBehind(model, 2, added), 3);
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{1, 3, 3}}));
    EXPECT_EQ(model.layers(), patterned().layers() + 9);
    EXPECT_EQ(patternProblemIn(model), "");

    eraseRuns(model, {6}); // the same run in the second repeat
    EXPECT_EQ(model, patterned());
}

TEST(StackUnits, RunsAreInsertedOutsideOfPatterns)
{
    const BlockRun added{test::slidingBlock(patterned().runs.front().block, 7), 3};
    for (const auto& [place, at] :
         {std::pair(0, 0), std::pair(1, 1), std::pair(2, 7), std::pair(6, 7), std::pair(8, 8)}) {
        Model model = patterned();
        EXPECT_EQ(insertRunOutside(model, place, added), at);
        EXPECT_EQ(model.layers(), patterned().layers() + 3);
        EXPECT_EQ(patternProblemIn(model), "");
        EXPECT_EQ(model.patterns.size(), 1U);
    }
}

TEST(StackUnits, ALastRunOfAPeriodIsALongerRun)
{
    Model model = patterned();
    eraseRuns(model, {1});

    EXPECT_TRUE(model.patterns.empty());
    EXPECT_EQ(repeatsIn(model), (std::vector<int>{2, 6, 1}));

    model = patterned();
    eraseRuns(model, {1, 2});
    EXPECT_TRUE(model.patterns.empty());
    EXPECT_EQ(repeatsIn(model), (std::vector<int>{2, 1}));
}

TEST(StackUnits, ARunIsSplitInAllRepeats)
{
    Model model = patterned();

    EXPECT_EQ(splitRunBehind(model, 2, 1), 3);

    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{1, 3, 3}}));
    EXPECT_EQ(model.layers(), patterned().layers());
    EXPECT_EQ(patternProblemIn(model), "");
}

} // namespace
} // namespace flopsmith
