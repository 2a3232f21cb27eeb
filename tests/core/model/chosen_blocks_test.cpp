// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/chosen_blocks.h"

#include "core/base/random.h"
#include "core/ffn/gated.h"
#include "core/ffn/moe.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using Blocks = std::vector<int>;
using Kind = BlockChoice::Kind;

Blocks blocksBefore(int end, int first = 0)
{
    Blocks blocks;
    for (int block = first; block < end; ++block) {
        blocks.push_back(block);
    }
    return blocks;
}

Block blockWith(const Block& block, const FfnSpec& ffn)
{
    Block changed = block;
    changed.ffn = ffn;
    return changed;
}

// The FFN of each block.
std::vector<std::size_t> ffnsOf(const Model& model)
{
    std::vector<std::size_t> all;
    for (const BlockRun& run : model.runs) {
        all.insert(all.end(), static_cast<std::size_t>(run.repeat), run.block.ffn.index());
    }
    return all;
}

// As an edit does it: separate, change, regroup.
void setFfn(Model& model, const Blocks& blocks, const FfnSpec& ffn)
{
    const BlockStretch around = unitsAround(model, blocks);
    separateBlocks(model, blocks);
    for (const int block : blocks) {
        Block& changed = model.runs[static_cast<std::size_t>(model.runOf(block))].block;
        changed = blockWith(changed, ffn);
    }
    regroupBlocks(model, around.first, around.last);
}

TEST(ChosenBlocks, EveryNthIsCountedFromTheBeginOfTheStretch)
{
    const Blocks all = blocksBefore(12);
    EXPECT_EQ(*chosenBlocks({Kind::everyNth, 4}, all), (Blocks{3, 7, 11}));
    EXPECT_EQ(*chosenBlocks({Kind::everyNth, 5}, all), (Blocks{4, 9}));
    EXPECT_EQ(*chosenBlocks({Kind::everyNth, 4, 2}, all), (Blocks{1, 5, 9}));
    EXPECT_EQ(*chosenBlocks({Kind::everyNth, 1}, all), all);
    EXPECT_EQ(*chosenBlocks({Kind::everyNth, 2}, blocksBefore(12, 6)), (Blocks{7, 9, 11}));
    EXPECT_EQ(*chosenBlocks({Kind::last, 2}, all), (Blocks{10, 11}));
    EXPECT_EQ(*chosenBlocks({Kind::first, 3}, all), (Blocks{0, 1, 2}));
}

TEST(ChosenBlocks, AWrongNumberIsOneSentence)
{
    const Blocks all = blocksBefore(12);
    for (const Kind kind : {Kind::everyNth, Kind::first, Kind::last}) {
        for (const int n : {-3, 0, 13, 1'000'000}) {
            const auto blocks = chosenBlocks({kind, n}, all);
            ASSERT_FALSE(blocks.ok()) << n;
            EXPECT_EQ(blocks.error().message.back(), '.');
        }
        EXPECT_TRUE(chosenBlocks({kind, 12}, all).ok());
    }
    EXPECT_FALSE(chosenBlocks({Kind::everyNth, 4, 13}, all).ok());
}

TEST(ChosenBlocks, EveryFourthBecomesAPattern)
{
    Model model = *presetNamed("gpt2");
    setFfn(model, {3, 7, 11}, MoeFfn{});

    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{0, 2, 3}}));
    EXPECT_EQ(model.runs[0].repeat, 3);
    EXPECT_EQ(model.runs[1].repeat, 1);
    EXPECT_EQ(model.layers(), 12);

    setFfn(model, {10, 11}, GatedFfn{});
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{0, 2, 2}})) << "what still repeats stays";
    EXPECT_EQ(model.runs.back().repeat, 2);
    EXPECT_EQ(model.layers(), 12);
}

TEST(ChosenBlocks, TheSameInAllBlocksIsOneRun)
{
    Model model = *presetNamed("gpt2");
    const Model before = model;
    setFfn(model, {1, 3, 5, 7, 9, 11}, MoeFfn{});
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{0, 2, 6}}));

    setFfn(model, {1, 3, 5, 7, 9, 11}, before.runs.front().block.ffn);
    EXPECT_EQ(model, before);
}

TEST(ChosenBlocks, OtherPatternsStayAsTheyAre)
{
    Model model = test::patterned(); // 2 plain, (1 and 2) × 3, 1
    setFfn(model, {0}, MoeFfn{});
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{2, 2, 3}}));

    setFfn(model, {11}, MoeFfn{});
    EXPECT_EQ(model.patterns, (std::vector<Pattern>{{2, 2, 3}}));
}

TEST(ChosenBlocks, ExactlyTheChosenOnesChange)
{
    Random random(7);
    for (int round = 0; round < 300; ++round) {
        Model model = test::patterned(static_cast<int>(random.integer(1, 4)));
        for (int step = 0; step < 4; ++step) {
            const BlockChoice choice{static_cast<Kind>(random.integer(0, 2)),
                                     static_cast<int>(random.integer(1, 6))};
            const Blocks blocks = *chosenBlocks(choice, blocksBefore(model.layers()));
            const FfnSpec ffn = step % 2 == 0 ? FfnSpec(MoeFfn{}) : FfnSpec(GatedFfn{});
            std::vector<std::size_t> expected = ffnsOf(model);
            for (const int block : blocks) {
                expected[static_cast<std::size_t>(block)] = ffn.index();
            }
            setFfn(model, blocks, ffn);

            ASSERT_EQ(ffnsOf(model), expected);
            ASSERT_FALSE(patternProblem(model).has_value());
        }
    }
}

TEST(ChosenBlocks, LeaveAGroupThatSharesParameters)
{
    Model model = *presetNamed("gpt2");
    model.runs.front().block.shareGroup = 1;
    separateBlocks(model, {1});
    EXPECT_EQ(model.runs[1].block.shareGroup, 0);
    EXPECT_EQ(model.runs[0].block.shareGroup, 1);

    model = *presetNamed("gpt2");
    model.runs.front().block.shareGroup = 1;
    separateBlocks(model, blocksBefore(12));
    EXPECT_EQ(model.runs[0].block.shareGroup, 1) << "all of them share on";
}

TEST(ChosenBlocks, ARunOfAPatternStandsForAllItsRepeats)
{
    const Model model = test::patterned();
    EXPECT_EQ(blocksOfRuns(model, {1}), (Blocks{2, 5, 8}));
    EXPECT_EQ(blocksOfRuns(model, {1, 2}), blocksBefore(11, 2));
    EXPECT_EQ(blocksOfRuns(model, {}), blocksBefore(12));
}

} // namespace
} // namespace flopsmith
