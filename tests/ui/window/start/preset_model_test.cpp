// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start/preset_model.h"

#include "core/lens/cost_summary.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::ui {
namespace {

TEST(PresetCards, CountEachPresetOnce)
{
    PresetModel model(LensId::matmul);
    const int all = model.rowCount();
    ASSERT_EQ(all, static_cast<int>(presets().size()));
    for (int row = 0; row < all; ++row) {
        EXPECT_TRUE(model.index(row).data(PresetModel::figuresRole).toString().isEmpty());
        EXPECT_TRUE(model.countNext());
        EXPECT_FALSE(model.index(row).data(PresetModel::figuresRole).toString().isEmpty());
    }
    EXPECT_FALSE(model.countNext());
}

TEST(PresetCards, HaveTheFiguresOfTheirModelUnderTheLens)
{
    for (const LensId id : {LensId::exact, LensId::mac}) {
        const PresetFacts facts = presetFacts(*presetNamed("gpt2"), id);
        const Scenario scenario{*presetNamed("gpt2"), {}};
        const CostSummary cost = summary(costTree(scenario, lens(id).pairs), scenario, id);

        EXPECT_TRUE(facts.parameters == 124'439'808);
        EXPECT_TRUE(facts.flops == cost.flops);
    }
}

// Of a pattern one period.
std::size_t drawnRuns(const Model& model)
{
    std::size_t runs = model.runs.size();
    for (const Pattern& pattern : model.patterns) {
        runs -= static_cast<std::size_t>(pattern.length * (pattern.times - 1));
    }
    return runs;
}

TEST(PresetCards, ShowEveryPartOfTheStack)
{
    for (const Preset& preset : presets()) {
        const PresetFacts facts = presetFacts(preset.make(), LensId::exact);
        const auto dearest =
            std::max_element(facts.bars.begin(),
                             facts.bars.end(),
                             [](const CardBar& a, const CardBar& b) { return a.share < b.share; });

        ASSERT_NE(dearest, facts.bars.end()) << preset.id;
        EXPECT_EQ(dearest->share, 1.0) << preset.id;
        EXPECT_GE(facts.bars.size(), 2 * drawnRuns(preset.make())) << preset.id;
        for (const CardBar& bar : facts.bars) {
            EXPECT_NE(bar.component, nullptr) << preset.id;
        }
    }
}

TEST(PresetCards, SayNameFiguresAndNote)
{
    PresetModel model(LensId::exact);
    model.countNext();
    const QModelIndex first = model.index(0);
    const QString said = first.data(Qt::AccessibleTextRole).toString();

    for (const int role :
         {int(Qt::DisplayRole), int(PresetModel::figuresRole), int(PresetModel::noteRole)}) {
        EXPECT_TRUE(said.contains(first.data(role).toString())) << role;
    }
}

} // namespace
} // namespace flopsmith::ui
