// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/why.h"

#include "core/base/text.h"
#include "core/ffn/dense.h"
#include "core/formula/element_formula.h"
#include "core/lens/cost_summary.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Why whyOfPreset(std::string_view preset, HeadlineKind kind, Phase phase = Phase::prefill)
{
    Scenario scenario = findPreset(preset)->scenario();
    scenario.workload.phase = phase;
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);
    const Hardware hardware = *hardwareNamed("h100-sxm");
    return whyOf(kind, {.scenario = scenario, .tree = tree, .hardware = &hardware});
}

TEST(ElementFormula, IsTheNumberOfElementsInEveryPreset)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::decode}) {
            Scenario scenario = preset.scenario();
            scenario.workload.phase = phase;
            scenario.workload.precision = Precision::of(8); // a byte per element
            if (!validated(scenario)) {
                continue; // an encoder decodes nothing
            }
            EXPECT_EQ(elementFormula(scenario, ElementKind::parameters)->value,
                      costTree(scenario).total().parameters.trainable)
                << preset.id;
            EXPECT_EQ(elementFormula(scenario, ElementKind::cachePerToken)->value,
                      kvCacheBytesPerToken(scenario))
                << preset.id;
        }
    }
}

TEST(ElementFormula, IsWrittenInTheLettersOfTheModel)
{
    Scenario scenario = findPreset("gpt2")->scenario();
    EXPECT_EQ(elementFormula(scenario, ElementKind::cachePerToken)->text, "2*d*L");

    scenario = findPreset("llama-3-8b")->scenario();
    EXPECT_EQ(elementFormula(scenario, ElementKind::cachePerToken)->text, "2*d*G*L/H");
    EXPECT_EQ(elementFormula(scenario, ElementKind::cachePerToken)->numbers, "2*4096*8*32/32");
}

TEST(ElementFormula, AManyRunModelHasASum)
{
    Scenario scenario = findPreset("gpt2")->scenario();
    const Block block = scenario.model.runs.front().block;
    scenario.model.runs.clear();
    for (int i = 0; i < 6; ++i) {
        Block other = block;
        get_if<DenseFfn>(&other.ffn)->dFf = 512 * (i + 1);
        scenario.model.runs.push_back({.block = other, .repeat = 2});
    }
    const Formula formula = *elementFormula(scenario, ElementKind::parameters);

    EXPECT_THAT(formula.text, HasSubstr("sum_i("));
    EXPECT_EQ(formula.value, costTree(scenario).total().parameters.trainable);
}

TEST(Why, EveryFigureOfEveryPresetHasACard)
{
    for (const Preset& preset : presets()) {
        for (const HeadlineKind kind : {HeadlineKind::cost,
                                        HeadlineKind::parameters,
                                        HeadlineKind::memory,
                                        HeadlineKind::leastTime,
                                        HeadlineKind::measuredTime}) {
            const Why why = whyOfPreset(preset.id, kind);
            EXPECT_NE(why.title, "");
            EXPECT_THAT(why.sentence, testing::EndsWith(".")) << preset.id;
            EXPECT_NE(why.view, "");
        }
    }
}

TEST(Why, TheCacheOfGpt2IsShownStepByStep)
{
    const Why why = whyOfPreset("gpt2", HeadlineKind::memory);

    ASSERT_TRUE(why.formula);
    EXPECT_EQ(why.formula->value, 18'432);
    ASSERT_EQ(why.steps.size(), 2U);
    EXPECT_THAT(why.steps[0].arithmetic, HasSubstr("32 bit"));
    EXPECT_THAT(why.steps[0].result, HasSubstr("73.7 kB"));
    EXPECT_THAT(why.steps[1].result, HasSubstr("75.5 MB"));
    EXPECT_THAT(whyText(why), HasSubstr("2*d*L\n= 2*768*12\n"));
}

TEST(Why, StepsOfTheLeastTimeAddUpToTheFigure)
{
    const Why why = whyOfPreset("gpt2", HeadlineKind::leastTime);
    Scenario scenario = findPreset("gpt2")->scenario();
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);
    const Hardware hardware = *hardwareNamed("h100-sxm");
    const HeadlineFigure shown =
        headline({.scenario = scenario, .tree = tree, .hardware = &hardware}).at(3);

    ASSERT_EQ(why.steps.size(), 3U);
    EXPECT_EQ("\xE2\x89\xA5 " + why.steps.back().result, shown.figure + " " + shown.unit);
}

TEST(Why, MemoryOfTrainingIsListedByKind)
{
    const Why why = whyOfPreset("gpt2", HeadlineKind::memory, Phase::train);

    EXPECT_THAT(whyText(why), HasSubstr("gradients"));
    EXPECT_THAT(whyText(why), HasSubstr("together"));
}

TEST(Why, AHugePatternHasNoFormulaAndSaysSo)
{
    Scenario scenario = findPreset("gpt2")->scenario();
    const Block block = scenario.model.runs.front().block;
    scenario.model.runs.clear();
    for (int i = 0; i < 70; ++i) {
        Block other = block;
        get_if<DenseFfn>(&other.ffn)->dFf = 64 * (i + 1);
        scenario.model.runs.push_back({.block = other, .repeat = 1});
    }
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);

    for (const HeadlineKind kind :
         {HeadlineKind::cost, HeadlineKind::parameters, HeadlineKind::memory}) {
        const Why why = whyOf(kind, {.scenario = scenario, .tree = tree});

        EXPECT_FALSE(why.formula);
        EXPECT_THAT(why.noFormula, HasSubstr("64"));
    }
}

} // namespace
} // namespace flopsmith
