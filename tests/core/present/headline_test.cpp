// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/headline/headline.h"

#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/lens/cost_summary.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::scenarioOf;
using testing::HasSubstr;
using testing::StartsWith;

HeadlineFigure figureOf(HeadlineKind kind,
                        const Scenario& scenario,
                        LensId lens = LensId::exact,
                        const ComparedDesign* baseline = nullptr)
{
    const CostTree<Count> tree = costTree(scenario, flopsmith::lens(lens).pairs);
    const Hardware hardware = *hardwareNamed("h100-sxm");
    return headline({.scenario = scenario,
                     .tree = tree,
                     .lens = lens,
                     .hardware = &hardware,
                     .baseline = baseline})
        .at(static_cast<std::size_t>(kind));
}

TEST(Headline, HasAFigureOfEachKindInTheirOrder)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            Scenario scenario = preset.scenario();
            scenario.workload.phase = phase;
            const CostTree<Count> tree = costTree(scenario, PairsRule::exact);

            const std::vector<HeadlineFigure> figures =
                headline({.scenario = scenario, .tree = tree});

            ASSERT_EQ(figures.size(), enumNames<HeadlineKind>().size());
            for (std::size_t i = 0; i < figures.size(); ++i) {
                EXPECT_EQ(static_cast<std::size_t>(figures[i].kind), i);
                EXPECT_NE(figures[i].figure, "");
                EXPECT_NE(figures[i].caption, "") << preset.id;
                EXPECT_EQ(figures[i].difference, "");
            }
        }
    }
}

TEST(Headline, CostIsTheLenss)
{
    const Scenario scenario = scenarioOf("gpt2");
    for (const Lens& lens : lenses()) {
        const HeadlineFigure shown = figureOf(HeadlineKind::cost, scenario, lens.id);
        const Count exact = *summary(costTree(scenario, lens.pairs), scenario, lens.id).flops;

        EXPECT_EQ(shown.exact, groupedDigits(exact) + " " + std::string(lens.unit));
        EXPECT_EQ(shown.figure + " " + shown.unit,
                  siText(toDouble(exact)) + std::string(lens.unit));
        EXPECT_THAT(shown.caption, HasSubstr(std::string(lens.title)));
    }
}

TEST(Headline, ALensWithoutATrainingStepSaysSo)
{
    Scenario scenario = scenarioOf("gpt2");
    scenario.workload.phase = Phase::train;

    const HeadlineFigure shown = figureOf(HeadlineKind::cost, scenario, LensId::yu);

    EXPECT_EQ(shown.unit, "");
    EXPECT_THAT(shown.caption, HasSubstr("no training step"));
}

TEST(Headline, CacheOfGpt2PerTokenAndInAll)
{
    const HeadlineFigure shown = figureOf(HeadlineKind::memory, scenarioOf("gpt2"));

    EXPECT_EQ(shown.figure, "73.7"); // 2 · 12 layers · 768 · 4 bytes = 73,728
    EXPECT_EQ(shown.unit, "kB per token");
    EXPECT_THAT(shown.caption, HasSubstr("75.5 MB"));
}

TEST(Headline, MemoryInTrainingIsThatOfAStep)
{
    Scenario scenario = scenarioOf("gpt2", 256);
    scenario.workload.phase = Phase::train;

    const HeadlineFigure shown = figureOf(HeadlineKind::memory, scenario);

    EXPECT_EQ(shown.figure + " " + shown.unit, bytesText(toDouble(memory(scenario).total())));
}

TEST(Headline, WhatCachesNothingSaysSo)
{
    EXPECT_THAT(figureOf(HeadlineKind::memory, scenarioOf("fnet-base")).caption,
                HasSubstr("nothing is cached"));
}

TEST(Headline, LeastTimeIsTheRooflines)
{
    const Scenario scenario = scenarioOf("llama-3-8b", 512);
    const Hardware hardware = *hardwareNamed("h100-sxm");
    const Precision& precision = scenario.workload.precision;
    const Roofline whole = roofline(costTree(scenario, PairsRule::exact),
                                    precision,
                                    hardwarePeak(hardware, precision)->peaks(),
                                    LensId::exact);

    const HeadlineFigure shown = figureOf(HeadlineKind::leastTime, scenario);

    EXPECT_EQ(shown.figure + " " + shown.unit,
              "\xE2\x89\xA5 " + durationText(whole.whole().seconds));
    EXPECT_THAT(shown.caption, HasSubstr(std::string(enumName(whole.whole().binding))));
}

TEST(Headline, TheMeasuredTimeIsOfAllPartsOrNone)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped", 8);
    const CostTree<Count> tree = costTree(scenario, PairsRule::exact);
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    std::vector<PartTime> times = test::allSettled(parts.size(), 1e-3);
    const auto shown = [&] {
        return headline({.scenario = scenario, .tree = tree, .parts = parts, .times = times})
            .back();
    };
    double seconds = 0.0;
    for (const MeasuredPart& part : parts) {
        seconds += part.addsToTotal() ? 1e-3 * part.uses : 0.0;
    }
    EXPECT_EQ(shown().figure + " " + shown().unit, durationText(seconds));
    EXPECT_THAT(shown().caption, HasSubstr("\xC2\xB1 1.0 %"));

    times.front().state = PartState::notSettled;
    EXPECT_THAT(shown().figure, StartsWith("\xE2\x89\x88"));

    times.front() = {};
    EXPECT_EQ(shown().unit, "") << "the sum of some is not the whole";
    EXPECT_THAT(shown().caption, HasSubstr("parts measured"));

    times.front() = {.state = PartState::failed, .sentence = "no memory"};
    EXPECT_THAT(shown().caption, HasSubstr("no memory"));
}

TEST(Headline, DifferencesAreOfTheSamePass)
{
    const Scenario half = scenarioOf("gpt2-half-swapped");
    Scenario dense = scenarioOf("gpt2");
    dense.workload = half.workload;
    const CostTree<Count> tree = costTree(dense, PairsRule::exact);
    ComparedDesign baseline{.name = "A", .scenario = dense, .tree = &tree};
    const auto differences = [&] {
        std::vector<Change> changes;
        for (const HeadlineKind kind : {HeadlineKind::cost,
                                        HeadlineKind::parameters,
                                        HeadlineKind::memory,
                                        HeadlineKind::leastTime}) {
            changes.push_back(figureOf(kind, half, LensId::exact, &baseline).change);
        }
        return changes;
    };
    EXPECT_EQ(differences(), (std::vector{Change::less, Change::less, Change::none, Change::less}))
        << "the swapped FFNs cache nothing";

    baseline.scenario.workload.batch = 2;
    EXPECT_EQ(differences(), (std::vector{Change::none, Change::less, Change::none, Change::none}));
}

TEST(Headline, DifferencesReadWell)
{
    EXPECT_EQ(differenceText(79.0, 100.0),
              "\xE2\x88\x92"
              "21 %");
    EXPECT_EQ(differenceText(103.4, 100.0), "+3.4 %");
    EXPECT_EQ(differenceText(100.02, 100.0), "+0.02 %");
    EXPECT_EQ(differenceText(350.0, 100.0), "+250 %");
    EXPECT_EQ(differenceText(5150.0, 100.0), "51.5\xC3\x97");
    EXPECT_EQ(differenceText(100.0, 100.0), "");
    EXPECT_EQ(differenceText(1.0, 0.0), "");
}

TEST(Headline, AStateIsTheSameAtEveryLengthAndACachedSourceIsNoState)
{
    Scenario scenario = scenarioOf("mamba2-1.3b");
    const HeadlineFigure state = figureOf(HeadlineKind::memory, scenario);
    scenario.workload.sequence *= 8;

    EXPECT_EQ(state.caption, "the same at every length");
    EXPECT_EQ(figureOf(HeadlineKind::memory, scenario).figure, state.figure);

    Scenario crossing = scenarioOf("t5-small");
    for (BlockRun& run : crossing.model.runs) {
        run.block.mixer = MixerSpec();
    }
    EXPECT_THAT(figureOf(HeadlineKind::memory, crossing).caption, StartsWith("cache, "));
}

} // namespace
} // namespace flopsmith
