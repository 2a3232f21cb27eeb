// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/correction.h"

#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/core/parameter/lookup.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::named;
using test::preset;

Correction corrected(const Scenario& scenario, const char* key, const FieldValue& wanted)
{
    return correction(scenario, named(scenario, key), wanted).value();
}

std::string sentence(const char* key, const FieldValue& wanted)
{
    return corrected(preset("gpt2-half-swapped"), key, wanted).sentence;
}

TEST(Correction, ALegalValueNeedsNone)
{
    const Scenario scenario = preset("gpt2");

    EXPECT_FALSE(correction(scenario, named(scenario, "d_model"), std::int64_t{1020}).has_value());
}

TEST(Correction, SaysWhyAndWhatIsTaken)
{
    EXPECT_EQ(sentence("d_model", std::int64_t{1024}), "1024 is not a multiple of 12 heads: 1020");
    EXPECT_EQ(sentence("d_model", std::int64_t{0}), "0 is less than 12, the least for d_model: 12");
    EXPECT_EQ(sentence("k_freq", std::int64_t{9999}),
              "9999 is more than 385, the most for k_freq at d_model 768: 385");
    EXPECT_EQ(sentence("heads", std::int64_t{10}), "10 is not a divisor of 768: 8");
    EXPECT_EQ(sentence("batch", std::int64_t{0}), "0 is less than 1, the least for batch: 1");
}

TEST(Correction, OffersHeadsThatKeepTheirWidth)
{
    const Scenario scenario = preset("gpt2-half-swapped");
    const Correction said = corrected(scenario, "d_model", std::int64_t{1024});

    ASSERT_TRUE(said.alternative.has_value());
    EXPECT_EQ(said.alternative->text, "heads 16"); // 1024/16 = 768/12 = 64
    EXPECT_EQ(said.alternative->scenario.model.dModel, 1024);
    EXPECT_TRUE(validated(said.alternative->scenario).ok());
}

TEST(Correction, OffersAWidthForTypedHeads)
{
    const Correction said = corrected(preset("gpt2"), "heads", std::int64_t{10});

    ASSERT_TRUE(said.alternative.has_value());
    EXPECT_EQ(said.alternative->text, "d_model 770");
}

TEST(Correction, OffersNothingSilly)
{
    const Scenario scenario = preset("gpt2");

    EXPECT_FALSE(corrected(scenario, "d_model", std::int64_t{1021}).alternative); // prime
    EXPECT_FALSE(corrected(scenario, "d_model", std::int64_t{1'000'000'000}).alternative);
    EXPECT_FALSE(corrected(scenario, "d_model", std::int64_t{-1}).alternative);
}

TEST(Correction, RotaryHeadsNeedAnEvenWidth)
{
    const Correction said = corrected(preset("llama-3-8b"), "d_model", std::int64_t{4120});

    EXPECT_EQ(said.sentence, "4120 is not a multiple of 64 (32 heads, each even): 4096");
}

std::string dependents(const char* id, const char* key, std::int64_t value)
{
    const Scenario before = preset(id);
    Scenario after = before;
    Wishes wishes;
    setWithWishes(after, wishes, named(before, key), value);
    return dependentsText(before, {}, after, named(before, key));
}

TEST(Dependents, AreNamedWithTheReason)
{
    EXPECT_EQ(dependents("gpt2-half-swapped", "d_model", 12),
              "k_freq 64 \xE2\x86\x92 7 (at most 7 at d_model 12)");
    EXPECT_EQ(dependents("gpt2-half-swapped", "d_model", 780), "");
    EXPECT_EQ(dependents("gpt2", "heads", 6), "kv_heads 12 \xE2\x86\x92 6 (at most 6 at heads 6)");
    EXPECT_EQ(dependents("gpt2-half-swapped", "layers", 5), "");
}

TEST(Dependents, WhatComesBackIsNamedToo)
{
    Scenario scenario = preset("gpt2-half-swapped");
    Wishes wishes;
    setWithWishes(scenario, wishes, named(scenario, "d_model"), std::int64_t{12});
    const Scenario before = scenario;
    const Wishes wishesBefore = wishes;
    setWithWishes(scenario, wishes, named(scenario, "d_model"), std::int64_t{768});

    EXPECT_EQ(dependentsText(before, wishesBefore, scenario, named(scenario, "d_model")),
              "k_freq 7 \xE2\x86\x92 64 (as it was before)");
}

TEST(ZeroText, SaysWhatAZeroStandsFor)
{
    const Scenario scenario = preset("gpt2");

    EXPECT_EQ(zeroText(scenario, named(scenario, "head_dim")), "auto (64)");
    EXPECT_EQ(zeroText(scenario, named(scenario, "window")), "all");
    EXPECT_EQ(zeroText(scenario, named(scenario, "soft_cap")), "off");
    EXPECT_EQ(zeroText(scenario, named(scenario, "embedding_width")), "auto (768)");
    EXPECT_EQ(zeroText(scenario, named(scenario, "heads")), "");
}

// A help text that explains 0 belongs to a parameter whose box says so too.
TEST(ZeroText, CoversEveryParameterWhoseHelpExplainsZero)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{.model = preset.make()};
        for (const Parameter& parameter : allParameters(scenario)) {
            const std::string_view help = parameter.text.help;
            const bool explains = help.find("0 means") != help.npos
                || help.find("0 for") != help.npos || help.find("0: n") != help.npos
                || help.find("0: its") != help.npos;
            EXPECT_EQ(explains, !zeroText(scenario, parameter).empty()) << parameter.key;
        }
    }
}

} // namespace
} // namespace flopsmith
