// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/study/variation/axis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Scenario preset(std::string_view id)
{
    return {.model = *presetNamed(id), .workload = {}};
}

std::vector<std::string> texts(const Axis& axis)
{
    std::vector<std::string> all;
    for (const FieldValue& value : axis.values) {
        all.push_back(valueText(value));
    }
    return all;
}

std::vector<std::string> valuesOf(std::string_view text, std::string_view id = "gpt2")
{
    const Result<Axis> axis = parsedAxis(text, preset(id));
    EXPECT_TRUE(axis.ok()) << text << ": " << (axis.ok() ? "" : axis.error().message);
    return axis.ok() ? texts(*axis) : std::vector<std::string>{};
}

std::string refusal(std::string_view text, std::string_view id = "gpt2")
{
    const Result<Axis> axis = parsedAxis(text, preset(id));
    EXPECT_FALSE(axis.ok()) << text;
    return axis.ok() ? "" : axis.error().message;
}

TEST(Axis, Log2Doubles)
{
    EXPECT_THAT(valuesOf("seq=128..1024:log2"), ElementsAre("128", "256", "512", "1024"));
    EXPECT_THAT(valuesOf("seq=1k..4k:log2"), ElementsAre("1024", "2048", "4096"));
}

TEST(Axis, Log2EndsWhereItWasAskedTo)
{
    EXPECT_THAT(valuesOf("seq=100..500:log2"), ElementsAre("100", "200", "400", "500"));
}

TEST(Axis, StepCountsUpFromTheFirstValue)
{
    EXPECT_THAT(valuesOf("seq=10..45:step 10"), ElementsAre("10", "20", "30", "40"));
    EXPECT_THAT(valuesOf("seq=10..40:step10"), ElementsAre("10", "20", "30", "40"));
}

TEST(Axis, StepsOfARealNumberDoNotDrift)
{
    EXPECT_THAT(valuesOf("poly_keep_ratio=0.1..0.5:step 0.1", "gpt2-ultra-efficient"),
                ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
}

TEST(Axis, CountIncludesBothEnds)
{
    EXPECT_THAT(valuesOf("vocab=100..500:5"), testing::SizeIs(5));
    EXPECT_EQ(valuesOf("vocab=100..500:5").front(), "100");
    EXPECT_EQ(valuesOf("vocab=100..500:5").back(), "500");
}

TEST(Axis, WithoutSpacingALog2ParameterDoubles)
{
    EXPECT_THAT(valuesOf("seq=128..512"), ElementsAre("128", "256", "512"));
}

TEST(Axis, AFewWholeNumbersAppearOnceEach)
{
    EXPECT_THAT(valuesOf("head_dim=1..4:9"), ElementsAre("1", "2", "3", "4"));
}

TEST(Axis, IllegalValuesBetweenTheEndsMoveToLegalOnes)
{
    EXPECT_THAT(valuesOf("heads=1..768:step 100"), testing::Each(testing::Truly([](auto text) {
                    return 768 % std::stoi(text) == 0;
                })));
}

TEST(Axis, ASpaceDoesAsWellAsAColon)
{
    EXPECT_EQ(valuesOf("seq=128..1024 x2"), valuesOf("seq=128..1024:log2"));
    EXPECT_EQ(valuesOf("seq=128..1024 step 128"), valuesOf("seq=128..1024:step 128"));
    EXPECT_EQ(valuesOf("seq=128..1024 4"), valuesOf("seq=128..1024:4"));
    EXPECT_THAT(refusal("seq=128.. 1024"), HasSubstr("finite numbers"));
}

TEST(Axis, ListsAndChoices)
{
    EXPECT_THAT(valuesOf("phase=prefill,decode"), ElementsAre("prefill", "decode"));
    EXPECT_THAT(valuesOf("heads=12,4,12,6"), ElementsAre("4", "6", "12"));
}

TEST(Axis, SaysItsLabelUnitAndScale)
{
    const Result<Axis> axis = parsedAxis("seq=1..4", preset("gpt2"));

    ASSERT_TRUE(axis.ok());
    EXPECT_EQ(axis->key, "seq");
    EXPECT_EQ(axis->unit, "tokens");
    EXPECT_EQ(axis->scale, Scale::log2);
}

TEST(Axis, RefusalsNameTheTextAndWhatWouldBeRight)
{
    EXPECT_THAT(refusal("seq"), AllOf(HasSubstr("\"seq\""), HasSubstr("KEY=FROM..TO")));
    EXPECT_THAT(refusal("sqe=1..2"), HasSubstr("seq"));
    EXPECT_THAT(refusal("seq=1..banana"), HasSubstr("finite numbers"));
    EXPECT_THAT(refusal("seq=k..4k"), HasSubstr("finite numbers"));
    EXPECT_THAT(refusal("seq=1..nan"), HasSubstr("finite numbers"));
    EXPECT_THAT(refusal("seq=1..1e999"), HasSubstr("finite numbers"));
    EXPECT_THAT(refusal("seq=0..8"), HasSubstr("legal is 1"));
    EXPECT_THAT(refusal("seq=1..1e30"), HasSubstr("not legal"));
    EXPECT_THAT(refusal("seq=1.5..8"), HasSubstr("not legal"));
    EXPECT_THAT(refusal("seq=8..1"), HasSubstr("smaller one first"));
    EXPECT_THAT(refusal("seq=1..8:quadratic"), HasSubstr("log2, step N"));
    EXPECT_THAT(refusal("seq=1..8:step 0"), HasSubstr("above 0"));
    EXPECT_THAT(refusal("seq=1..8:0"), HasSubstr("whole number"));
    EXPECT_THAT(refusal("vocab=2..100000:step 1"), HasSubstr("larger step"));
    EXPECT_THAT(refusal("phase=1..2"), HasSubstr("prefill"));
    EXPECT_THAT(refusal("phase=sideways"), HasSubstr("prefill"));
}

// Twelve heads divide no power of two, but heads that follow the width do.
TEST(Axis, MayHoldWhatATieMakesLegal)
{
    const Scenario gpt2 = preset("gpt2");

    EXPECT_FALSE(parsedAxis("d_model=256..1024:log2", gpt2).ok());
    EXPECT_THAT(texts(*parsedAxis("d_model=256..1024:log2", gpt2, AxisValues::any)),
                ElementsAre("256", "512", "1024"));
    EXPECT_THAT(texts(*parsedAxis("d_model=512,256", gpt2, AxisValues::any)),
                ElementsAre("256", "512"));
    EXPECT_THAT(texts(*parsedAxis("kv_heads=1..12:7", gpt2, AxisValues::any)),
                testing::Not(testing::Contains("5")));
    EXPECT_FALSE(parsedAxis("d_model=256.5..1024", gpt2, AxisValues::any).ok());
    EXPECT_FALSE(parsedAxis("d_model=1..1e12", gpt2, AxisValues::any).ok());
}

TEST(Axis, EveryStopAxisHoldsOnlyLegalValues)
{
    const Scenario scenario = preset("gpt2-half-swapped");
    for (const Parameter& parameter : allParameters(scenario)) {
        if (!parameter.applies(scenario)) {
            continue;
        }
        const Result<Axis> axis = axisOfStops(scenario, parameter.key, 9);
        ASSERT_TRUE(axis.ok()) << parameter.key;
        EXPECT_LE(axis->values.size(), 9U) << parameter.key;
        const LegalValues legal = parameter.legal(scenario);
        EXPECT_TRUE(std::all_of(axis->values.begin(), axis->values.end(), [&](const FieldValue& v) {
            return legal.contains(v);
        })) << parameter.key;
    }
}

} // namespace
} // namespace flopsmith
