// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_edit.h"

#include "core/ffn/composed.h"
#include "core/ffn/gated.h"
#include "core/ffn/spectral.h"
#include "core/mixer/mixer_variants.h"
#include "core/parameter/validation.h"
#include "tests/ui/document/scenarios.h"

#include <gtest/gtest.h>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;

std::vector<int> repeats(const Scenario& scenario)
{
    std::vector<int> all;
    for (const BlockRun& run : scenario.model.runs) {
        all.push_back(run.repeat);
    }
    return all;
}

TEST(ScenarioEdit, ReplacingOneBlockSplitsTheRun)
{
    Scenario scenario = halfSwapped();

    const int alone = isolated(scenario, 1, Extent::firstBlock);
    replaceFfn(scenario, alone, GatedFfn{});

    EXPECT_EQ(repeats(scenario), (std::vector<int>{6, 1, 5}));
    EXPECT_TRUE(holds_alternative<GatedFfn>(scenario.model.runs[1].block.ffn));
}

TEST(ScenarioEdit, MutingTwiceChangesNothing)
{
    using Kind = BlockPart::Kind;
    const Scenario before{.model = *presetNamed("t5-small")};
    const int last = static_cast<int>(before.model.runs.size()) - 1;
    for (const Kind part : {Kind::mixer, Kind::cross, Kind::ffn}) {
        Scenario scenario = before;
        EXPECT_TRUE(canMute(scenario, {last}, part));

        toggleMuted(scenario, {last}, part);
        EXPECT_TRUE(isMuted(scenario, {last}, part));
        EXPECT_TRUE(scenario.model.runs.back().block.hasMutedPart());
        EXPECT_TRUE(validated(scenario).ok());

        toggleMuted(scenario, {last}, part);
        EXPECT_EQ(scenario, before);
    }
    EXPECT_FALSE(canMute(before, {0}, Kind::cross)); // an encoder block
}

TEST(ScenarioEdit, MutingFollowsSharedParameters)
{
    Scenario scenario{.model = *presetNamed("gpt2-shared")};
    scenario.model.runs.push_back(scenario.model.runs.front());

    toggleMuted(scenario, {0}, BlockPart::Kind::ffn);

    EXPECT_TRUE(isMuted(scenario, {1}, BlockPart::Kind::ffn));
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(ScenarioEdit, WhatReplacesAMutedPartIsExecuted)
{
    using Kind = BlockPart::Kind;
    Scenario scenario{.model = *presetNamed("t5-small")};
    const int last = static_cast<int>(scenario.model.runs.size()) - 1;
    for (const Kind part : {Kind::mixer, Kind::cross, Kind::ffn}) {
        toggleMuted(scenario, {last}, part);
    }

    replaceFfn(scenario, last, GatedFfn{});
    replaceMixer(scenario, last, LatentAttention{});
    removeCross(scenario, last);

    EXPECT_FALSE(scenario.model.runs.back().block.hasMutedPart());
    EXPECT_FALSE(canMute(scenario, {last}, Kind::cross));
}

TEST(ScenarioEdit, ABlockThatIsAddedToAMutedOneIsExecuted)
{
    Scenario scenario = halfSwapped();
    toggleMuted(scenario, {1}, BlockPart::Kind::ffn);

    const int added = appendBlock(scenario, scenario.model.runs[1].block.ffn);

    EXPECT_EQ(added, 2);
    EXPECT_FALSE(isMuted(scenario, {2}, BlockPart::Kind::ffn));
    EXPECT_TRUE(isMuted(scenario, {1}, BlockPart::Kind::ffn));
}

TEST(ScenarioEdit, AReplacedFfnKeepsTheHiddenWidth)
{
    Scenario scenario = halfSwapped();
    get<DenseFfn>(scenario.model.runs[0].block.ffn).dFf = 1000;

    replaceFfn(scenario, 0, GatedFfn{});

    EXPECT_EQ(get<GatedFfn>(scenario.model.runs[0].block.ffn).dFf, 1000);
}

TEST(ScenarioEdit, AnFfnWithoutPredecessorIsFourTimesAsWideAsTheModel)
{
    Scenario scenario = halfSwapped();

    replaceFfn(scenario, 1, DenseFfn{});

    EXPECT_EQ(get<DenseFfn>(scenario.model.runs[1].block.ffn).dFf, 4 * 768);
}

TEST(ScenarioEdit, AStageMakesAPlainFfnComposed)
{
    Scenario scenario = halfSwapped();

    addStage(scenario, 0, SpectralFfn{});

    const auto& composed = get<ComposedFfn>(scenario.model.runs[0].block.ffn);
    ASSERT_EQ(composed.stages.size(), 2U);
    EXPECT_TRUE(holds_alternative<DenseFfn>(composed.stages[0].spec));
    EXPECT_TRUE(holds_alternative<SpectralFfn>(composed.stages[1].spec));
}

TEST(ScenarioEdit, TheLastStageCannotBeRemoved)
{
    Scenario scenario = halfSwapped();
    removeStage(scenario, 1, 0);
    removeStage(scenario, 1, 0);

    EXPECT_FALSE(canRemoveStage(scenario, 1));
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(ScenarioEdit, SplittingAndJoiningIsTheIdentity)
{
    Scenario scenario = halfSwapped();

    const int second = splitRun(scenario, 1);
    EXPECT_EQ(repeats(scenario), (std::vector<int>{6, 3, 3}));
    EXPECT_TRUE(hasEqualNeighbours(scenario));
    joinEqualRuns(scenario, second);

    EXPECT_EQ(scenario, halfSwapped());
}

TEST(ScenarioEdit, MovingThereAndBackIsTheIdentity)
{
    Scenario scenario = halfSwapped();

    const int down = moveRuns(scenario, {0}, 1).front();
    EXPECT_NE(scenario, halfSwapped());
    moveRuns(scenario, {down}, -1);

    EXPECT_EQ(scenario, halfSwapped());
    EXPECT_FALSE(canMoveRuns(scenario, {0}, -1));
    EXPECT_FALSE(canMoveRuns(scenario, {1}, 1));
}

TEST(ScenarioEdit, AnEqualBlockLengthensTheLastRun)
{
    Scenario scenario = halfSwapped();

    appendBlock(scenario, ultraEfficientSparseFfn());
    appendBlock(scenario, DenseFfn{});

    EXPECT_EQ(repeats(scenario), (std::vector<int>{6, 7, 1}));
}

TEST(ScenarioEdit, AnInsertedBlockStandsBehindItsRun)
{
    Scenario scenario = halfSwapped();

    const int inserted = insertBlock(scenario, 0, GatedFfn{});

    EXPECT_EQ(inserted, 1);
    EXPECT_EQ(repeats(scenario), (std::vector<int>{6, 1, 6}));
    EXPECT_TRUE(holds_alternative<GatedFfn>(scenario.model.runs[1].block.ffn));
    EXPECT_EQ(scenario.model.runs[1].block.mixer, halfSwapped().model.runs[0].block.mixer);
    removeRuns(scenario, {inserted});
    EXPECT_EQ(scenario, halfSwapped());
}

TEST(ScenarioEdit, AnEqualInsertedBlockLengthensItsRun)
{
    Scenario scenario = halfSwapped();

    EXPECT_EQ(insertBlock(scenario, 0, DenseFfn{}), 0);

    EXPECT_EQ(repeats(scenario), (std::vector<int>{7, 6}));
}

TEST(ScenarioEdit, InsertedBehindTheLastRunIsAppended)
{
    for (const FfnSpec& ffn : ffnPrototypes()) {
        Scenario inserted = halfSwapped();
        Scenario appended = halfSwapped();

        EXPECT_EQ(insertBlock(inserted, 1, ffn), appendBlock(appended, ffn));

        EXPECT_EQ(inserted, appended);
        EXPECT_TRUE(validated(inserted).ok());
    }
}

Scenario t5()
{
    return {.model = *presetNamed("t5-small")};
}

TEST(ScenarioEdit, ABlockIsInsertedIntoTheHalfOfItsRun)
{
    const int runs = static_cast<int>(t5().model.runs.size());
    for (int run = 0; run < runs; ++run) {
        for (const MixerSpec& mixer : mixerPrototypes()) {
            Scenario scenario = t5();
            if (!hasPlaceFor(scenario, run, mixer)) {
                continue;
            }
            const int inserted = insertBlock(scenario, run, mixer);
            const Block& block = scenario.model.runs[static_cast<std::size_t>(inserted)].block;
            EXPECT_EQ(block.stack, t5().model.runs[static_cast<std::size_t>(run)].block.stack);
            EXPECT_EQ(scenario.model.layers(), t5().model.layers() + 1);
        }
    }
}

TEST(ScenarioEdit, CrossAttentionGoesWhereThereIsAnEncoderToLookAt)
{
    Scenario scenario = t5();
    const MixerSpec cross = CrossAttention{};
    EXPECT_FALSE(hasPlaceFor(scenario, 0, cross));
    EXPECT_FALSE(hasPlaceFor(halfSwapped(), 0, cross));
    ASSERT_TRUE(hasPlaceFor(scenario, 2, cross));

    removeCross(scenario, 2);
    EXPECT_FALSE(canRemoveCross(scenario, 2));
    replaceMixer(scenario, 2, cross);

    EXPECT_TRUE(canRemoveCross(scenario, 2));
    EXPECT_TRUE(holds_alternative<Attention>(scenario.model.runs[2].block.mixer));
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(ScenarioEdit, BlocksStayInTheirHalfOfTheModel)
{
    Scenario scenario = t5();
    EXPECT_FALSE(canMoveRuns(scenario, {1}, 1));
    EXPECT_FALSE(canMoveRuns(scenario, {2}, -1));

    EXPECT_EQ(moveRunTo(scenario, 0, 4), 1);
    EXPECT_EQ(moveRunTo(scenario, 3, 0), 2);
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(ScenarioEdit, WithoutAnEncoderNothingCrosses)
{
    Scenario scenario = t5();
    removeRuns(scenario, {0});
    EXPECT_TRUE(validated(scenario).ok()) << validated(scenario).error().message;
    removeRuns(scenario, {0});

    EXPECT_FALSE(scenario.model.hasEncoder());
    EXPECT_FALSE(scenario.model.runs.front().block.hasCross());
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(ScenarioEdit, WithoutADecoderItsLastBlocksBecomeOne)
{
    Scenario scenario = t5();
    removeRuns(scenario, {3});
    removeRuns(scenario, {2});

    EXPECT_TRUE(validated(scenario).ok()) << validated(scenario).error().message;
}

TEST(ScenarioEdit, AttentionInAnEncoderBlockLooksBothWays)
{
    Scenario scenario = t5();
    replaceMixer(scenario, 0, FourierMixer{});
    replaceMixer(scenario, 0, Attention{});

    EXPECT_FALSE(get<Attention>(scenario.model.runs[0].block.mixer).causal);
}

TEST(ScenarioEdit, CopiesOfSeveralRunsStandTogetherBehindTheLast)
{
    Scenario scenario = halfSwapped();
    const Scenario start = scenario;

    EXPECT_EQ(duplicateRuns(scenario, {0, 1}), (std::vector<int>{2, 3}));

    EXPECT_EQ(scenario.model.runs[2], start.model.runs[0]);
    EXPECT_EQ(scenario.model.runs[3], start.model.runs[1]);
    removeRuns(scenario, {2, 3});
    EXPECT_EQ(scenario, start);
}

TEST(ScenarioEdit, CopiesStayInTheirHalfOfTheModel)
{
    Scenario scenario = t5();
    const Scenario start = scenario;

    const std::vector<int> copies = duplicateRuns(scenario, {1, 2});

    EXPECT_EQ(copies, (std::vector<int>{2, 4}));
    EXPECT_EQ(scenario.model.runs[2], start.model.runs[1]);
    EXPECT_EQ(scenario.model.runs[4], start.model.runs[2]);
    EXPECT_TRUE(validated(scenario).ok()) << validated(scenario).error().message;
}

TEST(ScenarioEdit, RemovingSeveralRunsIsRemovingEach)
{
    Scenario together = t5();
    Scenario single = t5();

    removeRuns(together, {0, 1});
    removeRuns(single, {1});
    removeRuns(single, {0});

    EXPECT_EQ(together, single);
    EXPECT_FALSE(canRemoveRuns(together, {0, 1})); // a stack needs a block
    EXPECT_TRUE(canRemoveRuns(together, {1}));
}

TEST(ScenarioEdit, NeighboursMoveAsAWhole)
{
    Scenario scenario = halfSwapped();
    splitRun(scenario, 1);
    const Scenario start = scenario;

    EXPECT_EQ(moveRuns(scenario, {1, 2}, -1), (std::vector<int>{0, 1}));
    EXPECT_EQ(scenario.model.runs[2], start.model.runs[0]);
    EXPECT_FALSE(canMoveRuns(scenario, {0, 1}, -1));
    EXPECT_EQ(moveRuns(scenario, {0, 1}, 1), (std::vector<int>{1, 2}));

    EXPECT_EQ(scenario, start);
    EXPECT_FALSE(canMoveRuns(scenario, {0, 2}, 1)); // a run stands between them
    EXPECT_FALSE(canMoveRuns(scenario, {0, 1, 2}, 1));
}

TEST(ScenarioEdit, RunsOfBothHalvesDoNotMoveTogether)
{
    EXPECT_FALSE(canMoveRuns(t5(), {1, 2}, 1));
    EXPECT_FALSE(canMoveRuns(t5(), {1, 2}, -1));
    EXPECT_FALSE(canMoveRuns(t5(), {0, 1}, 1));
    EXPECT_TRUE(canMoveRuns(t5(), {1}, -1));
}

TEST(ScenarioEdit, RunsThatShareParametersGetAStageOnce)
{
    Scenario scenario{.model = *presetNamed("albert-base")};
    splitRun(scenario, 0);
    ASSERT_TRUE(scenario.model.runs[0].block.sharesParameters());

    addStage(scenario, {0, 1}, SpectralFfn{});

    EXPECT_EQ(scenario.model.runs[0].block, scenario.model.runs[1].block);
    EXPECT_EQ(get<ComposedFfn>(scenario.model.runs[0].block.ffn).stages.size(), 2U);
}

TEST(ScenarioEdit, SeveralFfnsAreReplacedEachByOneOfItsWidth)
{
    Scenario scenario = halfSwapped();
    splitRun(scenario, 0);
    get<DenseFfn>(scenario.model.runs[0].block.ffn).dFf = 1000;

    replaceFfn(scenario, {0, 1, 2}, GatedFfn{});

    EXPECT_EQ(get<GatedFfn>(scenario.model.runs[0].block.ffn).dFf, 1000);
    EXPECT_EQ(get<GatedFfn>(scenario.model.runs[1].block.ffn).dFf, 3072);
    EXPECT_EQ(get<GatedFfn>(scenario.model.runs[2].block.ffn).dFf, 3072);
}

class EveryVariant : public testing::TestWithParam<std::string_view>
{};

TEST_P(EveryVariant, IsLegalInEveryPreset)
{
    for (const Preset& preset : presets()) {
        for (const FfnSpec& ffn : ffnPrototypes()) {
            if (info(ffn).id == GetParam()) {
                Scenario scenario{.model = preset.make()};
                replaceFfn(scenario, 0, ffn);
                addStage(scenario, 0, ffn);

                const Status status = validated(scenario);
                EXPECT_TRUE(status.ok()) << preset.id << ": " << status.error().message;
            }
        }
    }
}

std::vector<std::string_view> ffnIds()
{
    std::vector<std::string_view> ids;
    for (const FfnSpec& ffn : ffnPrototypes()) {
        ids.push_back(info(ffn).id);
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryVariant, testing::ValuesIn(ffnIds()), [](const auto& test) {
    return std::string(test.param);
});

} // namespace
} // namespace flopsmith::ui
