// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/block_paste.h"

#include "core/ffn/composed.h"
#include "core/ffn/spectral.h"
#include "core/model/stack_units.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"
#include "tests/ui/document/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;

Scenario scenarioOf(std::string_view preset)
{
    return {.model = *presetNamed(preset)};
}

std::vector<int> allRuns(const Model& model)
{
    std::vector<int> runs(model.runs.size());
    std::iota(runs.begin(), runs.end(), 0);
    return runs;
}

// The model that pasted runs were put into, in all repeats of a pattern.
Model withoutRuns(Model model, const std::vector<int>& runs)
{
    eraseRuns(model, runs);
    return model;
}

TEST(BlockPaste, CopyAndPasteGivesEqualBlocksInEveryPreset)
{
    for (const Preset& preset : presets()) {
        const Scenario start{.model = preset.make()};
        const std::vector<int> runs = allRuns(start.model);
        const Result<BlockClip> clip = parsedClip(clipText(copied(start.model, runs)));
        ASSERT_TRUE(clip.ok()) << preset.id;
        ASSERT_TRUE(whyNotPasted(start.model, *clip).isEmpty()) << preset.id;
        for (int place = 0; place <= static_cast<int>(runs.size()); ++place) {
            Scenario scenario = start;

            const Pasted pasted = pasteRuns(scenario, *clip, place);

            EXPECT_EQ(copied(scenario.model, pasted.runs), *clip) << preset.id << " " << place;
            EXPECT_EQ(withoutRuns(scenario.model, pasted.runs), start.model) << preset.id;
            EXPECT_TRUE(pasted.notes.empty()) << preset.id << ": " << pasted.notes.front();
            EXPECT_TRUE(validated(scenario).ok())
                << preset.id << ": " << validated(scenario).error().message;
        }
    }
}

TEST(BlockPaste, WhatIsPastedIsRepairedAndTheRestStays)
{
    for (const Preset& from : presets()) {
        const Model source = from.make();
        const BlockClip clip = copied(source, allRuns(source));
        for (const Preset& into : presets()) {
            Scenario scenario{.model = into.make()};
            const Model start = scenario.model;
            if (!whyNotPasted(start, clip).isEmpty()) {
                continue;
            }

            const Pasted pasted = pasteRuns(scenario, clip, 1);

            EXPECT_EQ(pasted.runs.size(), clip.runs.size());
            EXPECT_TRUE(validated(scenario).ok())
                << from.id << " into " << into.id << ": " << validated(scenario).error().message;
            EXPECT_EQ(withoutRuns(scenario.model, pasted.runs), start)
                << from.id << " into " << into.id;
        }
    }
}

TEST(BlockPaste, ARepairedValueIsToldOnce)
{
    BlockClip clip = copied(halfSwapped().model, {1});
    clip.runs.push_back(clip.runs.front());
    for (BlockRun& run : clip.runs) {
        get<SpectralFfn>(get<ComposedFfn>(run.block.ffn).stages[0].spec).kFreq = 900;
    }
    Scenario scenario = halfSwapped();

    const Pasted pasted = pasteRuns(scenario, clip, 2);

    ASSERT_EQ(pasted.notes.size(), 1U);
    EXPECT_EQ(pasted.notes.front().rfind("900 is more than 385", 0), 0U) << pasted.notes.front();
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(BlockPaste, EncoderBlocksNeedAnEncoder)
{
    const Model both = *presetNamed("t5-small");

    EXPECT_FALSE(whyNotPasted(halfSwapped().model, copied(both, {0})).isEmpty());
    EXPECT_FALSE(
        whyNotPasted(halfSwapped().model, copied(both, {2})).isEmpty()); // it looks at an encoder
    EXPECT_TRUE(whyNotPasted(both, copied(both, {0, 2})).isEmpty());
    EXPECT_TRUE(whyNotPasted(both, copied(halfSwapped().model, {0})).isEmpty());
}

TEST(BlockPaste, HalvesStayApart)
{
    Scenario scenario = scenarioOf("t5-small");
    const BlockClip clip = copied(scenario.model, {1, 2});

    EXPECT_EQ(pasteRuns(scenario, clip, 4).runs, (std::vector<int>{2, 5}));
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(BlockPaste, AModelHasAtMostSoManyLayers)
{
    BlockClip clip = copied(halfSwapped().model, {0});
    clip.runs.front().repeat = 4'084;
    EXPECT_TRUE(whyNotPasted(halfSwapped().model, clip).isEmpty());

    clip.runs.front().repeat = 4'085;
    EXPECT_TRUE(whyNotPasted(halfSwapped().model, clip).contains(QStringLiteral("4097 layers")));
}

TEST(BlockPaste, WhatWouldExceedTheMostLayersInAPatternIsRefused)
{
    const Model model = flopsmith::test::patterned();
    BlockClip clip = copied(model, {0});
    for (int place = 0; place <= static_cast<int>(model.runs.size()); ++place) {
        clip.runs.front().repeat = 1;
        Scenario once{.model = model};
        pasteRuns(once, clip, place);
        const int times = once.model.layers() - model.layers(); // 3 in the pattern
        const int most = (kMaxLayers - model.layers()) / times;

        clip.runs.front().repeat = most;
        Scenario full{.model = model};
        pasteRuns(full, clip, place);
        EXPECT_EQ(full.model.layers(), model.layers() + most * times) << place;
        EXPECT_TRUE(whyNotPasted(model, clip, place).isEmpty()) << place;

        clip.runs.front().repeat = most + 1;
        const int layers = model.layers() + (most + 1) * times;
        EXPECT_TRUE(
            whyNotPasted(model, clip, place).contains(QStringLiteral("%1 layers").arg(layers)))
            << place;
    }
}

TEST(BlockPaste, SharedBlocksKeepTheirGroupWhereItIsTheirs)
{
    Scenario albert = scenarioOf("albert-base");
    const int group = albert.model.runs.front().block.shareGroup;
    ASSERT_GT(group, 0);
    BlockClip clip = copied(albert.model, {0});
    pasteRuns(albert, clip, 1);
    EXPECT_EQ(albert.model.runs[1].block.shareGroup, group);

    clip.runs.front().block.residualScale = true; // another block than the group's
    pasteRuns(albert, clip, 2);

    EXPECT_EQ(albert.model.runs[2].block.shareGroup, 0);
    EXPECT_TRUE(albert.model.runs[2].block.residualScale);
    EXPECT_TRUE(validated(albert).ok());
}

TEST(BlockPaste, AnFfnIsPastedWithItsNumbers)
{
    Scenario scenario = halfSwapped();
    const BlockClip clip = copied(scenario.model, {1});

    const Pasted pasted = pasteFfn(scenario, clip, {0, 1});

    EXPECT_EQ(scenario.model.runs[0].block.ffn, clip.runs.front().block.ffn);
    EXPECT_EQ(pasted.runs, (std::vector<int>{0, 1}));
    EXPECT_TRUE(pasted.notes.empty());
    EXPECT_TRUE(whyNoFfn(clip).isEmpty());
    EXPECT_FALSE(whyNoFfn(copied(halfSwapped().model, {0, 1})).isEmpty());
}

TEST(BlockPaste, ItGoesBehindTheSelection)
{
    const Model both = *presetNamed("t5-small");

    EXPECT_EQ(placeBehind(both, Selection::ofRuns({0, 2}, 0)), 3);
    EXPECT_EQ(placeBehind(both, Selection::of(Selection::Part::embedding)), 0);
    EXPECT_EQ(placeBehind(both, Selection::of(Selection::Part::encoderNorm)), 2);
    EXPECT_EQ(placeBehind(both, Selection::of(Selection::Part::head)), 4);
}

} // namespace
} // namespace flopsmith::ui
