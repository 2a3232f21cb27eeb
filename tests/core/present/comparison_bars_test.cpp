// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/cost/comparison_bars.h"

#include "core/base/text.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Comparison comparisonOfThree(LensId id)
{
    std::vector<ComparedDesign> designs;
    for (const char* name : {"gpt2", "llama-3-8b", "tiny"}) {
        designs.push_back({name, {*presetNamed(name), {.sequence = 256}}});
    }
    return comparison(std::move(designs), id, lens(id).pairs);
}

TEST(ComparisonBars, PiecesSumUpToTheirBarUnderEveryLens)
{
    for (const Lens& each : lenses()) {
        const Comparison comparison = comparisonOfThree(each.id);
        const ComparisonChart chart = comparisonChart(comparison);

        ASSERT_EQ(chart.bars.size(), 3U) << each.name;
        for (std::size_t i = 0; i < chart.bars.size(); ++i) {
            const ComparisonBar& bar = chart.bars[i];
            Count sum = 0;
            for (const ComparisonSegment& segment : bar.segments) {
                EXPECT_EQ(segment.start, toDouble(sum)) << each.name;
                sum += segment.count;
                EXPECT_EQ(segment.end, toDouble(sum)) << each.name;
            }
            EXPECT_TRUE(sum == bar.count) << each.name;
            EXPECT_FALSE(bar.segments.empty()) << each.name;
            EXPECT_LE(toDouble(bar.count), chart.axis(5).valueAt(1.0)) << each.name;
        }
        EXPECT_EQ(chart.legend.size() == 1U, each.isFormula()) << each.name;
        EXPECT_EQ(chart.unit, each.unit);
    }
}

TEST(ComparisonBars, OnlyTheOthersHaveARatio)
{
    const Comparison comparison = comparisonOfThree(LensId::matmul);
    const ComparisonChart chart = comparisonChart(comparison);

    EXPECT_EQ(chart.bars[0].ratioText, "");
    EXPECT_EQ(chart.bars[1].ratioText,
              ratioText(toDouble(chart.bars[1].count) / toDouble(chart.bars[0].count)));
    EXPECT_EQ(chart.bars[0].title, "gpt2");
    EXPECT_EQ(chart.title, "gpt2 beside llama-3-8b beside tiny: prefill, batch 1, sequence 256");
}

} // namespace
} // namespace flopsmith
