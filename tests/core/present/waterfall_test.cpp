// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/cost/waterfall.h"

#include "tests/core/present/scenarios.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::scenarioOf;

TEST(WaterfallChart, StepsLeadFromTheFirstTotalToTheLast)
{
    for (const Lens& from : lenses()) {
        for (const Lens& to : lenses()) {
            const WaterfallChart chart =
                waterfallChart(scenarioOf("gpt2-half-swapped"), from.id, to.id).withSteps(6);
            if (chart.empty()) {
                EXPECT_FALSE(chart.emptyText.empty());
                continue;
            }
            Count at = chart.bars.front().amount;
            for (std::size_t i = 1; i + 1 < chart.bars.size(); ++i) {
                EXPECT_EQ(chart.bars[i].before, toDouble(at)) << chart.bars[i].title;
                at += chart.bars[i].amount;
                EXPECT_EQ(chart.bars[i].after, toDouble(at)) << chart.bars[i].title;
            }
            EXPECT_TRUE(at == chart.bars.back().amount) << chart.title;
            EXPECT_LE(chart.bars.size(), 6U + 2U);
        }
    }
}

TEST(WaterfallChart, ShowsSignsAndUnits)
{
    const WaterfallChart chart = waterfallChart(scenarioOf("gpt2"), LensId::matmul, LensId::exact);

    EXPECT_EQ(chart.bars.front().kind, WaterfallBar::Kind::start);
    EXPECT_EQ(chart.bars.front().valueText, "291.6 GFLOPs");
    EXPECT_EQ(chart.bars[1].kind, WaterfallBar::Kind::fall);
    EXPECT_EQ(chart.bars[1].valueText,
              "\xE2\x88\x92"
              "19.3 G");
    EXPECT_EQ(chart.bars[2].kind, WaterfallBar::Kind::rise);
    EXPECT_EQ(chart.bars[2].valueText.front(), '+');
    EXPECT_EQ(chart.bars.back().kind, WaterfallBar::Kind::end);
}

TEST(WaterfallChart, JoinsTheSmallestStepsAndNamesThem)
{
    const WaterfallChart all = waterfallChart(scenarioOf("gpt2"), LensId::matmul, LensId::exact);
    const WaterfallChart few =
        waterfallChart(scenarioOf("gpt2"), LensId::matmul, LensId::exact).withSteps(3);

    ASSERT_EQ(few.bars.size(), 3U + 2U);
    EXPECT_EQ(few.bars[3].title, std::to_string(all.bars.size() - 2 - 2) + " smaller steps");
    EXPECT_NE(few.bars[3].note.find("residuals"), std::string::npos);
}

TEST(WaterfallChart, TheAxisHoldsAllTotalsAndBeginsAtZeroUnlessTheyAreClose)
{
    const WaterfallChart wide = waterfallChart(scenarioOf("gpt2"), LensId::mac, LensId::matmul);
    const WaterfallChart close =
        waterfallChart(scenarioOf("gpt2"), LensId::matmul, LensId::calflops);

    EXPECT_FALSE(wide.isCut());
    EXPECT_EQ(wide.axis(6).low, 0.0);
    EXPECT_TRUE(close.isCut());
    EXPECT_GT(close.axis(6).low, 0.0);
    for (const WaterfallBar& bar : close.bars) {
        EXPECT_LE(close.axis(6).low, bar.after);
        EXPECT_GE(close.axis(6).high, bar.after);
    }
}

TEST(WaterfallChart, GhostsAreTheWaterfallsOfTheOthersOnTheSameAxis)
{
    const std::vector<ComparedDesign> others{
        {.name = "llama-3-8b", .scenario = scenarioOf("llama-3-8b")},
        {.name = "tiny", .scenario = scenarioOf("tiny", 64)}};
    const WaterfallChart chart =
        waterfallChart(scenarioOf("gpt2"), LensId::matmul, LensId::exact, others);

    ASSERT_EQ(chart.others.size(), others.size());
    EXPECT_NE(chart.note.find("workload of its own: tiny"), std::string::npos) << chart.note;
    for (const std::size_t most : {std::size_t{3}, std::size_t{100}}) {
        const WaterfallChart shown = chart.withSteps(most);
        for (std::size_t i = 0; i < others.size(); ++i) {
            const Waterfall own = waterfall(others[i].scenario, LensId::matmul, LensId::exact);
            Count at = 0;
            for (const WaterfallBar& bar : shown.bars) {
                const WaterfallGhost& ghost = bar.ghosts.at(i);
                at += bar.kind == WaterfallBar::Kind::end ? Count{0} : ghost.amount;
                EXPECT_EQ(ghost.after, toDouble(at)) << bar.title;
                EXPECT_LE(ghost.after, shown.axis(5).high);
            }
            EXPECT_TRUE(shown.bars.front().ghosts[i].amount == own.start);
            EXPECT_TRUE(at == own.end) << "every step of it has a bar";
        }
    }
}

TEST(WaterfallChart, SaysSoWhenNothingDiffers)
{
    const Scenario scenario = scenarioOf("gpt2");

    EXPECT_EQ(waterfallChart(scenario, LensId::mac, LensId::mac).emptyText,
              "Choose two lenses that differ.");
    EXPECT_EQ(waterfallChart(scenario, LensId::matmul, LensId::megatron).emptyText,
              "Both lenses say the same of this model.");
}

TEST(WaterfallChart, CarriesTheRemarksOfAFormula)
{
    EXPECT_NE(waterfallChart(scenarioOf("gpt2-shared"), LensId::matmul, LensId::palm)
                  .note.find("too low"),
              std::string::npos);
}

} // namespace
} // namespace flopsmith
