// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/wishes.h"

#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/core/parameter/lookup.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::named;
using test::number;

Scenario halfSwapped()
{
    return {.model = *presetNamed("gpt2-half-swapped")};
}

class WishesTest : public testing::Test
{
protected:
    void set(const char* key, std::int64_t value)
    {
        setWithWishes(scenario, wishes, named(scenario, key), value);
    }

    Scenario scenario = halfSwapped();
    Wishes wishes;
};

TEST_F(WishesTest, ADependentComesBackWithTheWidth)
{
    set("d_model", 12);
    EXPECT_EQ(number(scenario, "k_freq"), 7);
    EXPECT_EQ(wishes.values.size(), 1U);

    set("d_model", 768);

    EXPECT_EQ(scenario, halfSwapped());
    EXPECT_EQ(wishes, Wishes{});
}

TEST_F(WishesTest, ADependentComesAsNearAsItCan)
{
    set("d_model", 12);
    set("d_model", 96); // 49 bins

    EXPECT_EQ(number(scenario, "k_freq"), 49);
    EXPECT_EQ(wishes.values.front().value, FieldValue(std::int64_t{64}));
}

TEST_F(WishesTest, WhatIsSetByHandOvertakesTheWish)
{
    set("d_model", 12);
    set("k_freq", 5);
    set("d_model", 768);

    EXPECT_EQ(number(scenario, "k_freq"), 5);
}

TEST_F(WishesTest, WhatFollowsIsNoWish)
{
    scenario = {.model = *presetNamed("gpt2")};
    set("heads", 6); // MHA: kv_heads follow
    EXPECT_TRUE(wishes.values.empty());
    set("heads", 24);

    EXPECT_EQ(number(scenario, "kv_heads"), 24);
}

TEST_F(WishesTest, GroupedHeadsComeBack)
{
    scenario = {.model = *presetNamed("gpt2")};
    set("kv_heads", 4);
    set("heads", 2);
    EXPECT_EQ(number(scenario, "kv_heads"), 2);
    set("heads", 12);

    EXPECT_EQ(number(scenario, "kv_heads"), 4);
}

// With rotary positions off again an odd width per head is possible: the wish must not move it.
TEST_F(WishesTest, AWishNeverMovesWhatIsSetNow)
{
    scenario = {.model = *presetNamed("gpt2")};
    for (BlockRun& run : scenario.model.runs) {
        get<Attention>(run.block.mixer).rotary = true;
    }
    ASSERT_TRUE(validated(scenario).ok());
    set("head_dim", 63); // odd: RoPE goes off
    set("head_dim", 0);
    EXPECT_TRUE(get<Attention>(scenario.model.runs[0].block.mixer).rotary);

    for (const std::int64_t width : {1020, 12 * 63, 768}) {
        set("d_model", width);
        EXPECT_TRUE(validated(scenario).ok());
    }
}

TEST_F(WishesTest, TheLengthsOfRunsComeBackWithTheLayers)
{
    scenario.model.runs[0].repeat = 9;
    scenario.model.runs[1].repeat = 3;
    set("layers", 2);
    set("layers", 12);

    EXPECT_EQ(scenario.model.runs[0].repeat, 9);
    EXPECT_EQ(scenario.model.runs[1].repeat, 3);
}

TEST_F(WishesTest, EveryStepIsLegal)
{
    for (const Preset& preset : presets()) {
        scenario = {.model = preset.make()};
        wishes = {};
        const Scenario start = scenario;
        const std::int64_t width = scenario.model.dModel;
        for (const std::int64_t next : {width / 2, width / 8, std::int64_t{1}, width}) {
            const Parameter parameter = named(scenario, "d_model");
            const FieldValue legal = parameter.legal(scenario).nearest(next);
            setWithWishes(scenario, wishes, parameter, legal);
            EXPECT_TRUE(validated(scenario).ok()) << preset.id;
        }
        EXPECT_EQ(scenario, start) << preset.id;
    }
}

TEST(CarriedOver, WishesFollowTheirRun)
{
    const Scenario before = halfSwapped();
    const Wishes wishes{{{{1, "ffn.spectral.k_freq"}, std::int64_t{64}}}, {}};
    Model after = before.model;
    after.runs.insert(after.runs.begin(), before.model.runs.front());
    after.runs.front().block.shareGroup = 3;

    EXPECT_EQ(carriedOver(wishes, before.model, after).values.front().place.run, 2);
    after.runs.pop_back();
    after.runs.pop_back();
    EXPECT_TRUE(carriedOver(wishes, before.model, after).values.empty());
}

} // namespace
} // namespace flopsmith
