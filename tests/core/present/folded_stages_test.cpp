// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/folded_stages.h"

#include "core/ffn/composed.h"
#include "core/ffn/spectral.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

TEST(FoldedStages, ChangeNoSum)
{
    for (const Preset& preset : presets()) {
        const CostTree<Count> tree = costTree(preset.scenario());
        const CostTree<Count> folded = withStagesFolded(tree);

        EXPECT_EQ(folded.total(), tree.total()) << preset.id;
        EXPECT_EQ(flopsDonut(folded, LensId::exact).count, flopsDonut(tree, LensId::exact).count);
        const bool isShorter = flopsDonut(folded, LensId::exact).slices.size()
            < flopsDonut(tree, LensId::exact).slices.size();
        EXPECT_EQ(isShorter, hasComposedFfn(preset.scenario().model)) << preset.id;
    }
}

TEST(FoldedStages, AreCalledAsTheirFfn)
{
    const Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    std::vector<Donut> donuts{flopsDonut(withStagesFolded(costTree(scenario)), LensId::exact)};
    nameComposedFfns(donuts, scenario.model);

    const auto slice =
        std::ranges::find(donuts.front().slices, "UltraEfficientSparse", &Slice::title);
    ASSERT_NE(slice, donuts.front().slices.end());
    EXPECT_EQ(slice->paths, std::vector<std::string>{"blocks[6]/ffn"});
    EXPECT_TRUE(std::ranges::none_of(donuts.front().slices,
                                     [](const Slice& each) { return each.title == "Spectral"; }));
}

TEST(FoldedStages, AnFfnOfTheSameKindKeepsItsSlice)
{
    Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    scenario.model.runs.front().block.ffn = SpectralFfn{};
    const Donut donut = flopsDonut(withStagesFolded(costTree(scenario)), LensId::exact);

    EXPECT_NE(donut.slice(*SpectralFfn::info().component), nullptr);
    EXPECT_NE(donut.slice(*ComposedFfn::info().component), nullptr);
}

TEST(FoldedStages, AreNoPartsOfTheirOwn)
{
    const std::vector<MeasuredPart> parts =
        measuredParts(findPreset("gpt2-half-swapped")->scenario());

    for (const std::size_t i : partsWithoutStages(parts)) {
        EXPECT_TRUE(parts[i].addsToTotal());
    }
    EXPECT_LT(partsWithoutStages(parts).size(), parts.size());
}

} // namespace
} // namespace flopsmith
