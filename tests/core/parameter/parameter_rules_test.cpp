// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/parameter_rules.h"

#include "core/parameter/validation.h"
#include "tests/core/parameter/lookup.h"
#include "tests/support/patterned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::named;
using test::number;
using test::preset;
using testing::HasSubstr;

class ParameterRulesTest : public testing::Test
{
protected:
    ParameterPlace place(std::string_view key) const
    {
        return placeOf(scenario, named(scenario, key));
    }

    Status tie(std::string_view key, std::string_view expression)
    {
        return addTie(rules, scenario, place(key), expression);
    }

    void set(std::string_view key, std::int64_t value)
    {
        setWithRules(scenario, wishes, rules, named(scenario, key), value);
    }

    Scenario scenario = preset("gpt2");
    ParameterRules rules;
    Wishes wishes;
};

TEST_F(ParameterRulesTest, ATiedValueIsItsExpressionAtEveryValueOfTheSource)
{
    ASSERT_TRUE(tie("d_ff", "8*d_model/3 + 64").ok());
    for (const std::int64_t width : {48, 768, 1536, 12'288}) {
        set("d_model", width);
        EXPECT_EQ(number(scenario, "d_model"), width);
        EXPECT_EQ(number(scenario, "d_ff"), 8 * width / 3 + 64);
    }
}

TEST_F(ParameterRulesTest, ATiedRunThatJoinsAGroupOfAnotherVariantStaysWhole)
{
    scenario.model.splitBefore(6);
    ASSERT_EQ(scenario.model.runs.size(), 2U);
    scenario.model.runs[0].block.ffn = GatedFfn{.dFf = 2048};
    scenario.model.runs[0].block.shareGroup = 1;
    const auto at = [this](std::string_view key) {
        return *parameterAt(scenario, {1, std::string(key)});
    };
    ASSERT_TRUE(addTie(rules, scenario, {1, "ffn.d_ff"}, "4*d_model").ok());

    setWithRules(scenario, wishes, rules, at("share_group"), std::int64_t{1});

    EXPECT_TRUE(validated(scenario).ok());
}

TEST_F(ParameterRulesTest, FurtherRepeatsOfAPatternHaveNoRules)
{
    scenario.model = test::patterned();
    Scenario before = scenario;
    before.model.patterns.clear();
    ASSERT_TRUE(addLock(rules, before, {3, "mixer.heads"}).ok());
    ASSERT_TRUE(addLock(rules, before, {1, "mixer.heads"}).ok());

    const ParameterRules grouped = carriedOver(rules, before, scenario);

    EXPECT_NE(grouped.lockOf({1, "mixer.heads"}), nullptr);
    EXPECT_EQ(grouped.lockOf({3, "mixer.heads"}), nullptr);
    std::vector<std::string> reasons;
    EXPECT_EQ(holdingRules(rules, scenario, reasons).locks.size(), 1U);
    EXPECT_EQ(reasons.size(), 1U);
}

TEST_F(ParameterRulesTest, UntyingLeavesTheValue)
{
    ASSERT_TRUE(tie("d_ff", "2*d_model").ok());
    set("d_model", 1536);
    rules.removeTie(place("d_ff"));
    set("d_model", 768);

    EXPECT_EQ(number(scenario, "d_ff"), 3072);
}

TEST_F(ParameterRulesTest, ATieMakesAWidthPossibleThatTheOldHeadsDoNotDivide)
{
    ASSERT_TRUE(tie("heads", "d_model/64").ok());
    set("d_model", 1024);

    EXPECT_EQ(number(scenario, "d_model"), 1024);
    EXPECT_EQ(number(scenario, "heads"), 16);
    EXPECT_TRUE(validated(scenario).ok());
}

TEST_F(ParameterRulesTest, TiesFollowEachOtherInAnyOrder)
{
    ASSERT_TRUE(tie("d_ff", "192*heads").ok());
    ASSERT_TRUE(tie("heads", "d_model/64").ok());
    set("d_model", 1024);

    EXPECT_EQ(number(scenario, "d_ff"), 192 * 16);
}

TEST_F(ParameterRulesTest, RefusesCyclesAndUnknownNamesAndChangesNothing)
{
    ASSERT_TRUE(tie("d_ff", "192*heads").ok());
    const ParameterRules before = rules;

    EXPECT_THAT(tie("heads", "d_ff/192").error().message, HasSubstr("one parameter must lead"));
    EXPECT_THAT(tie("heads", "heads").error().message, HasSubstr("tied to itself"));
    EXPECT_THAT(tie("heads", "2*nonsense").error().message, HasSubstr("nonsense"));
    EXPECT_THAT(tie("causal", "d_model").error().message, HasSubstr("only numbers"));
    EXPECT_THAT(tie("heads", "2*causal").error().message, HasSubstr("no number"));
    EXPECT_THAT(tie("d_model", "64*heads").error().message, HasSubstr("belongs to the blocks"));
    EXPECT_EQ(rules, before);
}

TEST_F(ParameterRulesTest, EveryPossibleSourceCanBeFollowedOrSaysThatItFollowsBack)
{
    const ParameterPlace at = place("d_ff");
    const std::vector<std::string> names = possibleSources(scenario, at);
    EXPECT_THAT(names, testing::Contains("d_model"));
    EXPECT_THAT(names, testing::Not(testing::Contains("d_ff")));
    for (const std::string& name : names) {
        EXPECT_TRUE(addTie(rules, scenario, at, name).ok()) << name;
    }
}

TEST_F(ParameterRulesTest, ALockedParameterKeepsItsValueOrTheEditIsRefused)
{
    scenario = preset("gpt2-half-swapped");
    ASSERT_TRUE(addLock(rules, scenario, place("k_freq")).ok());
    set("d_model", 1536);
    EXPECT_TRUE(keepLocks(scenario, rules).ok());
    EXPECT_EQ(number(scenario, "k_freq"), 64);

    set("d_model", 12);
    EXPECT_THAT(keepLocks(scenario, rules).error().message, HasSubstr("k_freq is locked at 64"));
}

TEST_F(ParameterRulesTest, ARuleSaysHowToSetItsParameterByHand)
{
    EXPECT_TRUE(settable(rules, scenario, place("d_ff")).ok());
    ASSERT_TRUE(tie("d_ff", "4*d_model").ok());
    ASSERT_TRUE(addLock(rules, scenario, place("heads")).ok());

    EXPECT_THAT(settable(rules, scenario, place("d_ff")).error().message, HasSubstr("untie d_ff"));
    EXPECT_THAT(settable(rules, scenario, place("heads")).error().message, HasSubstr("unlock it"));
    EXPECT_FALSE(tie("heads", "d_model/64").ok());
    EXPECT_FALSE(addLock(rules, scenario, place("d_ff")).ok());
}

TEST_F(ParameterRulesTest, RulesGoWithTheirRun)
{
    scenario = preset("gpt2-half-swapped");
    const auto heads = [](int run) { return ParameterPlace{run, "mixer.heads"}; };
    ASSERT_TRUE(parameterAt(scenario, heads(1)).has_value());
    ASSERT_TRUE(addTie(rules, scenario, heads(1), "d_model/64").ok());
    const auto after = [this](auto edit) {
        Scenario edited = scenario;
        edit(edited.model.runs);
        return carriedOver(rules, scenario, edited);
    };

    const auto swapped = after([](auto& runs) { std::swap(runs[0], runs[1]); });
    const auto removed = after([](auto& runs) { runs.erase(runs.begin() + 1); });
    const auto shifted = after([](auto& runs) { runs.erase(runs.begin()); });
    const auto copied = after([](auto& runs) { runs.push_back(BlockRun(runs[1])); });

    EXPECT_NE(swapped.tieOf(heads(0)), nullptr);
    EXPECT_EQ(swapped.ties.size(), 1U);
    EXPECT_EQ(removed, ParameterRules{});
    EXPECT_NE(shifted.tieOf(heads(0)), nullptr);
    EXPECT_EQ(copied.ties.size(), 2U);
}

TEST_F(ParameterRulesTest, OnlyRulesThatHoldAreTakenFromAFile)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model").ok());
    ASSERT_TRUE(tie("heads", "d_model/64").ok());
    std::vector<std::string> reasons;
    EXPECT_EQ(holdingRules(rules, scenario, reasons), rules);
    EXPECT_TRUE(reasons.empty());

    named(scenario, "d_ff").assign(scenario, std::int64_t{1000});
    const ParameterRules held = holdingRules(rules, scenario, reasons);

    EXPECT_EQ(held.tieOf(place("d_ff")), nullptr);
    EXPECT_NE(held.tieOf(place("heads")), nullptr);
    EXPECT_THAT(reasons, testing::ElementsAre(HasSubstr("d_ff is not 4")));
}

} // namespace
} // namespace flopsmith
