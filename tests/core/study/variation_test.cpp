// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/variation/variation.h"

#include "core/model/presets.h"
#include "core/parameter/parameter_rules.h"
#include "tests/support/patterned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Scenario named(std::string_view id)
{
    return {*presetNamed(id), {}};
}

TEST(Tie, IsReadWithAFactorADivisorOrNeither)
{
    EXPECT_EQ(*parsedTie("d_ff=4*d_model"), (Tie{"d_ff", 4, "d_model"}));
    EXPECT_EQ(*parsedTie("heads = d_model / 64"), (Tie{"heads", 1.0 / 64, "d_model"}));
    EXPECT_EQ(*parsedTie("d_ff=d_model"), (Tie{"d_ff", 1, "d_model"}));
}

TEST(Tie, ThatIsMalformedSaysWhatATieIs)
{
    for (const char* text : {"",
                             "d_ff",
                             "d_ff=",
                             "=d_model",
                             "d_ff=4",
                             "d_ff=x*d_model",
                             "d_ff=0*d_model",
                             "d_ff=d_model/0",
                             "d_ff=d_model/nan"}) {
        const Result<Tie> tie = parsedTie(text);
        ASSERT_FALSE(tie.ok()) << text;
        EXPECT_THAT(tie.error().message, testing::HasSubstr("d_ff=4*d_model"));
    }
}

TEST(Variation, TiedParametersFollow)
{
    const auto variation = Variation::create(
        named("gpt2"), {"d_model"}, {{"d_ff", 4, "d_model"}, {"heads", 1.0 / 64, "d_model"}});
    ASSERT_TRUE(variation.ok()) << variation.error().message;

    const Scenario wide = variation->at({std::int64_t{1600}});

    EXPECT_EQ(wide.model.dModel, 1600);
    const Block& block = wide.model.runs.front().block;
    EXPECT_EQ(get<DenseFfn>(block.ffn).dFf, 6400);
    EXPECT_EQ(get<Attention>(block.mixer).heads, 25);
    EXPECT_EQ(variation->problem(wide), "");
}

TEST(Variation, ATieTakesTheNearestLegalValue)
{
    const auto variation =
        Variation::create(named("gpt2"), {"d_model"}, {{"heads", 1.0 / 100, "d_model"}});

    const Scenario odd = variation->at({std::int64_t{770}}); // divisors 1 2 5 7 10 11 14 …

    EXPECT_EQ(get<Attention>(odd.model.runs.front().block.mixer).heads, 7);
}

TEST(Variation, RefusesWhatCannotBeTied)
{
    const auto both = Variation::create(named("gpt2"), {"d_ff"}, {{"d_ff", 4, "d_model"}});
    const auto unknown = Variation::create(named("gpt2"), {"d_model"}, {{"k_freq", 1, "d_model"}});
    const auto flag = Variation::create(named("gpt2"), {"d_model"}, {{"causal", 1, "d_model"}});

    EXPECT_THAT(both.error().message, testing::HasSubstr("varied and tied at once"));
    EXPECT_THAT(unknown.error().message, testing::HasSubstr("k_freq"));
    EXPECT_THAT(flag.error().message, testing::HasSubstr("only numbers"));
}

TEST(Variation, ABlockThatJoinsAGroupOfOtherPartsIsJudgedAsWhatItBecomes)
{
    Scenario base = named("gpt2-half-swapped");
    const auto variation = Variation::create(base, {"share_group"});
    ASSERT_TRUE(variation.ok());

    EXPECT_EQ(variation->problem(variation->at({std::int64_t{1}})), "");
}

TEST(Variation, WhatHasNoEffectIsRefused)
{
    const auto refusal = [](const std::vector<std::string>& keys, const std::vector<Tie>& ties) {
        const auto variation = Variation::create(named("gpt2"), keys, ties);
        return variation.ok() ? std::string() : variation.error().message;
    };

    EXPECT_THAT(refusal({"seq", "seq"}, {}), testing::HasSubstr("seq: varied twice"));
    EXPECT_THAT(refusal({"blocks[0].d_ff", "d_ff"}, {}),
                testing::HasSubstr("blocks[0].d_ff: varied twice, also as d_ff"));
    EXPECT_EQ(refusal({"d_ff", "blocks[0].d_ff"}, {}), ""); // all of them, and then one
    EXPECT_THAT(refusal({"d_model"}, {{"d_ff", 4, "d_model"}, {"d_ff", 2, "d_model"}}),
                testing::HasSubstr("d_ff: tied twice"));
    EXPECT_THAT(refusal({"d_model"}, {{"d_ff", 2, "d_ff"}}),
                testing::HasSubstr("d_ff: tied to itself"));
    EXPECT_THAT(refusal({"d_model"}, {{"d_ff", 2, "vocab"}, {"vocab", 2, "d_ff"}}),
                testing::HasSubstr("tied to itself by way of other ties"));
}

TEST(Variation, ATieFollowsWhatALaterTieSets)
{
    const auto variation =
        Variation::create(named("gpt2"), {"seq"}, {{"d_ff", 2, "vocab"}, {"vocab", 3, "seq"}});
    ASSERT_TRUE(variation.ok()) << variation.error().message;

    const Scenario scenario = variation->at({std::int64_t{100}});

    EXPECT_EQ(scenario.model.embedding.vocab, 300);
    EXPECT_EQ(get<DenseFfn>(scenario.model.runs.front().block.ffn).dFf, 600);
    EXPECT_TRUE(variation->meetsTies(scenario));
}

TEST(Variation, ATieThatIsNotMetIsTold)
{
    const auto dFf = [](double factor) {
        const auto variation =
            Variation::create(named("gpt2"), {"d_model"}, {{"d_ff", factor, "d_model"}});
        const Scenario scenario = variation->at({std::int64_t{96}});
        EXPECT_FALSE(variation->meetsTies(scenario));
        EXPECT_THAT(variation->tieNote(scenario), testing::HasSubstr("d_ff tied to d_model"));
        return get<DenseFfn>(scenario.model.runs.front().block.ffn).dFf;
    };

    EXPECT_EQ(dFf(1e17), dFf(1e16)); // beyond 64 bits, and not
    EXPECT_GT(dFf(1e300), 100'000);
}

TEST(VariationPatterns, StayWhileAllRepeatsAreEqual)
{
    const Scenario scenario{.model = test::patterned(), .workload = {}};
    ParameterRules rules;
    ASSERT_TRUE(addTie(rules, scenario, {1, "ffn.d_ff"}, "4*d_model").ok());
    const auto tied = Variation::create(scenario, {"d_model"}, keyedTies(scenario, rules));
    ASSERT_TRUE(tied.ok());
    const Model narrow = tied->at({std::int64_t{384}}).model;

    EXPECT_EQ(narrow.patterns, scenario.model.patterns);
    for (const std::size_t run : {1U, 3U, 5U}) {
        EXPECT_EQ(get<DenseFfn>(narrow.runs.at(run).block.ffn).dFf, 4 * 384);
    }
    const auto oneRepeat = Variation::create(scenario, {"blocks[2].d_ff"});
    EXPECT_TRUE(oneRepeat->at({std::int64_t{1000}}).model.patterns.empty());
}

} // namespace
} // namespace flopsmith
