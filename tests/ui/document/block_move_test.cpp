// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/block_move.h"

#include "core/base/random.h"
#include "core/parameter/validation.h"
#include "tests/support/patterned.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;

// Dense, ultra-efficient, gated, dense: 4, 6, 1 and 2 blocks, of which no neighbours are equal.
Scenario mixedRuns()
{
    Scenario scenario = halfSwapped();
    setRepeat(scenario, 0, 4);
    duplicateRun(scenario, 0);
    moveRunTo(scenario, 1, 3);
    setRepeat(scenario, 2, 2);
    duplicateRun(scenario, 2);
    setRepeat(scenario, 2, 1);
    replaceFfn(scenario, 2, GatedFfn{});
    return scenario;
}

std::vector<Block> blocksOf(const Model& model)
{
    std::vector<Block> blocks;
    for (const BlockRun& run : model.runs) {
        blocks.insert(blocks.end(), static_cast<std::size_t>(run.repeat), run.block);
    }
    return blocks;
}

Count flopsOf(const Scenario& scenario)
{
    return *Document(scenario).costSummary().flops;
}

PickedBlocks somePicked(const Model& model, Random& random)
{
    PickedBlocks picked;
    const auto count = static_cast<int>(model.runs.size());
    picked.runs = random.distinct(static_cast<int>(random.integer(1, count)), count);
    picked.current = picked.runs.back();
    picked.oneBlock = random.integer(0, 2) == 0;
    return picked;
}

BlockMove someMove(const Model& model, Random& random, MoveKind kind)
{
    return {.picked = somePicked(model, random),
            .kind = kind,
            .gap = static_cast<int>(random.integer(0, model.layers()))};
}

PickedBlocks oneRun(int run)
{
    return {.runs = {run}, .current = run};
}

TEST(BlockMove, MovedBlocksKeepTheTotalAndAreTheSameBlocks)
{
    Random random(5);
    int moves = 0;
    for (const char* preset : {"gpt2-half-swapped", "t5-small", "llama-3-8b", "albert-base"}) {
        Scenario scenario{.model = *presetNamed(preset)};
        const int layers = scenario.model.layers();
        const Count flops = flopsOf(scenario);
        for (int round = 0; round < 40; ++round) {
            const BlockMove move = someMove(scenario.model, random, MoveKind::move);
            if (!whyNotMoved(scenario, move).isEmpty()) {
                continue;
            }
            moveBlocks(scenario, move);
            ++moves;

            EXPECT_TRUE(validated(scenario).ok()) << preset;
            EXPECT_EQ(flopsOf(scenario), flops) << preset;
            EXPECT_EQ(scenario.model.layers(), layers) << preset;
        }
    }
    EXPECT_GT(moves, 10);
}

TEST(BlockMove, ARefusedMoveWouldChangeNoOrderAndATakenOneDoes)
{
    Random random(6);
    const Scenario start = mixedRuns();
    for (int round = 0; round < 300; ++round) {
        const BlockMove move = someMove(start.model, random, MoveKind::move);
        Scenario scenario = start;
        moveBlocks(scenario, move);

        if (!whyNotMoved(start, move).isEmpty()) {
            EXPECT_EQ(blocksOf(scenario.model), blocksOf(start.model));
        } else {
            EXPECT_NE(blocksOf(scenario.model), blocksOf(start.model));
        }
        EXPECT_EQ(scenario.model.layers(), start.model.layers());
    }
}

TEST(BlockMove, MovingARunThereAndBackRestoresTheModel)
{
    const Scenario start = mixedRuns();
    const int layers = start.model.layers();
    for (int run = 0; run < static_cast<int>(start.model.runs.size()); ++run) {
        const BlockRun& moved = start.model.runs[static_cast<std::size_t>(run)];
        const int home = start.model.firstBlock(run);
        for (int gap = 0; gap <= layers; ++gap) {
            const BlockMove there{.picked = oneRun(run), .gap = gap};
            if (!whyNotMoved(start, there).isEmpty()) {
                continue;
            }
            Scenario scenario = start;
            const std::vector<int> now = moveBlocks(scenario, there);
            ASSERT_EQ(now.size(), 1U);
            EXPECT_NE(blocksOf(scenario.model), blocksOf(start.model)) << run << " to " << gap;

            const int back = gap < home ? home + moved.repeat : home;
            moveBlocks(scenario, {.picked = oneRun(now.front()), .gap = back});

            EXPECT_EQ(scenario, start) << run << " to " << gap;
        }
    }
}

TEST(BlockMove, ARunInTheMiddleOfARunSplitsIt)
{
    Scenario scenario = halfSwapped(); // 6 and 6
    const Model before = scenario.model;

    EXPECT_EQ(moveBlocks(scenario, {.picked = oneRun(1), .gap = 2}), std::vector<int>{1});

    ASSERT_EQ(scenario.model.runs.size(), 3U);
    EXPECT_EQ(scenario.model.runs[0], (BlockRun{before.runs[0].block, 2}));
    EXPECT_EQ(scenario.model.runs[1], before.runs[1]);
    EXPECT_EQ(scenario.model.runs[2], (BlockRun{before.runs[0].block, 4}));
}

TEST(BlockMove, SeveralRunsMoveTogetherInTheirOrder)
{
    Scenario scenario = mixedRuns();
    const Model before = scenario.model;
    const BlockMove move{.picked = {.runs = {0, 2}, .current = 2}, .gap = before.layers()};

    EXPECT_EQ(moveBlocks(scenario, move), (std::vector<int>{2, 3}));

    EXPECT_EQ(
        scenario.model.runs,
        (std::vector<BlockRun>{before.runs[1], before.runs[3], before.runs[0], before.runs[2]}));
}

TEST(BlockMove, OneBlockLeavesItsRun)
{
    Scenario scenario = halfSwapped();
    const Model before = scenario.model;
    BlockMove move{.picked = {.runs = {0}, .current = 0, .oneBlock = true}, .gap = 12};

    moveBlocks(scenario, move);

    EXPECT_EQ(scenario.model.runs,
              (std::vector<BlockRun>{
                  {before.runs[0].block, 5}, before.runs[1], {before.runs[0].block, 1}}));
    move.gap = 3;
    EXPECT_TRUE(whyNotMoved(halfSwapped(), move).contains(QStringLiteral("are equal")));
}

TEST(BlockMove, CopiesAreInsertedAndTheRestStays)
{
    Random random(7);
    const Scenario start = mixedRuns();
    for (int round = 0; round < 100; ++round) {
        const BlockMove move = someMove(start.model, random, MoveKind::duplicate);
        Scenario scenario = start;
        const std::vector<int> copies = moveBlocks(scenario, move);

        int added = 0;
        for (const int copy : copies) {
            added += scenario.model.runs.at(static_cast<std::size_t>(copy)).repeat;
        }
        EXPECT_EQ(added, move.picked.oneBlock ? 1 : blocksIn(start, move.picked.runs));
        removeRuns(scenario, copies);
        EXPECT_EQ(blocksOf(scenario.model), blocksOf(start.model));
    }
}

TEST(BlockMove, ACopiedFfnIsTheSameWithItsNumbers)
{
    Document document(mixedRuns());
    const BlockMove move{.picked = oneRun(1), .kind = MoveKind::copyFfn, .gap = 0, .target = 3};

    EXPECT_TRUE(applyMove(document, move));

    const auto& runs = document.model().runs;
    EXPECT_EQ(runs[3].block.ffn, runs[1].block.ffn);
    EXPECT_EQ(document.selection(), Selection::ofRun(3));
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(whyNotMoved(document.scenario(), move).contains(QStringLiteral("already")));
    EXPECT_FALSE(applyMove(document, move));
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST(BlockMove, EachIsOneStepOrNone)
{
    Random random(8);
    Document document(mixedRuns());
    for (int round = 0; round < 100; ++round) {
        const auto kind = random.integer(0, 1) == 0 ? MoveKind::move : MoveKind::duplicate;
        const BlockMove move = someMove(document.model(), random, kind);
        const Scenario before = document.scenario();
        const int steps = document.undoStack().index();

        const bool done = applyMove(document, move);

        EXPECT_EQ(done, whyNotMoved(before, move).isEmpty());
        EXPECT_EQ(document.undoStack().index(), steps + (done ? 1 : 0));
        EXPECT_EQ(document.scenario() == before, !done);
        if (document.model().layers() > 60) {
            document.undoStack().undo();
        }
    }
    while (document.undoStack().canUndo()) {
        document.undoStack().undo();
    }
    EXPECT_EQ(document.scenario(), mixedRuns());
}

TEST(BlockMove, TheHalvesOfAModelStayApart)
{
    const Scenario scenario{.model = *presetNamed("t5-small")};
    const Model& model = scenario.model;
    int border = 0;
    for (const BlockRun& run : model.runs) {
        border += run.block.isEncoder() ? run.repeat : 0;
    }
    const int last = static_cast<int>(model.runs.size()) - 1;
    for (int gap = 0; gap <= model.layers(); ++gap) {
        EXPECT_EQ(isInOwnHalf(model, oneRun(0), gap), gap <= border) << gap;
        EXPECT_EQ(isInOwnHalf(model, oneRun(last), gap), gap >= border) << gap;
        EXPECT_EQ(isInOwnHalf(model, {.runs = {0, last}, .current = 0}, gap), gap == border);
    }
    const BlockMove across{.picked = oneRun(0), .gap = model.layers()};
    EXPECT_TRUE(whyNotMoved(scenario, across).contains(QStringLiteral("encoder stay before")));
}

TEST(BlockMove, ADuplicateBeyondTheMostLayersIsRefused)
{
    Scenario scenario = halfSwapped();
    scenario.model.runs[0].repeat = 3000;

    const BlockMove move{.picked = oneRun(0), .kind = MoveKind::duplicate, .gap = 0};

    EXPECT_TRUE(whyNotMoved(scenario, move).contains(QStringLiteral("at most")));
}

TEST(BlockMove, TextsSayHowManyBlocksGoWhere)
{
    const Scenario scenario = halfSwapped();
    BlockMove move{.picked = oneRun(1), .gap = 2};

    EXPECT_EQ(moveText(scenario, move), QStringLiteral("Move 6 blocks between block 2 and 3"));
    move.gap = 0;
    move.picked.oneBlock = true;
    EXPECT_EQ(moveText(scenario, move), QStringLiteral("Move 1 block before block 1"));
    move.kind = MoveKind::duplicate;
    move.gap = 12;
    EXPECT_EQ(moveText(scenario, move), QStringLiteral("Duplicate 1 block behind block 12"));
    move.kind = MoveKind::copyFfn;
    move.target = 0;
    EXPECT_EQ(moveText(scenario, move), QStringLiteral("Copy the FFN onto blocks 1 \u2013 6"));
}

TEST(BlockMove, KeysReachEveryPlaceThatChangesSomethingAndNoOther)
{
    const Scenario scenario = mixedRuns();
    const Model& model = scenario.model;
    for (int run = 0; run < static_cast<int>(model.runs.size()); ++run) {
        const PickedBlocks picked = oneRun(run);
        const int home = gapOf(model, picked);
        std::vector<int> reached{home};
        for (const int by : {-1, 1}) {
            for (int gap = home;;) {
                const int next = nextGap(model, picked, gap, by, GapStep::block);
                if (next == gap) {
                    break;
                }
                reached.push_back(next);
                gap = next;
            }
        }
        for (int gap = 0; gap <= model.layers(); ++gap) {
            const bool moves = whyNotMoved(scenario, {.picked = picked, .gap = gap}).isEmpty();
            const bool isReached = std::find(reached.begin(), reached.end(), gap) != reached.end();
            EXPECT_EQ(isReached, moves || gap == home) << run << " to " << gap;
        }
    }
}

TEST(BlockMove, AKeyWithoutShiftGoesFromRunToRun)
{
    const Model model = mixedRuns().model; // 4, 6, 1, 2
    const PickedBlocks picked = oneRun(1);

    EXPECT_EQ(nextGap(model, picked, 4, 1, GapStep::run), 11);
    EXPECT_EQ(runPassed(model, picked, 11), 2);
    EXPECT_EQ(nextGap(model, picked, 11, 1, GapStep::run), 13);
    EXPECT_EQ(runPassed(model, picked, 13), 3);
    EXPECT_EQ(nextGap(model, picked, 13, 1, GapStep::run), 13);
    EXPECT_EQ(nextGap(model, picked, 11, -1, GapStep::run), 4);
    EXPECT_EQ(nextGap(model, picked, 4, -1, GapStep::run), 0);
    EXPECT_EQ(runPassed(model, picked, 0), 0);
}

// The blocks of the patterns, which no move around them may change.
std::vector<std::vector<Block>> patternBlocks(const Model& model)
{
    std::vector<std::vector<Block>> all;
    for (const Pattern& pattern : model.patterns) {
        std::vector<Block> blocks;
        for (int run = pattern.firstRun; run < pattern.end(); ++run) {
            blocks.push_back(model.runs.at(static_cast<std::size_t>(run)).block);
        }
        all.push_back(blocks);
    }
    return all;
}

TEST(BlockMove, LeavesPatternsWhole)
{
    Random random(7);
    for (const MoveKind kind : {MoveKind::move, MoveKind::duplicate}) {
        int done = 0;
        for (int i = 0; i < 2000; ++i) {
            const Scenario start{.model = flopsmith::test::patterned()};
            Document document(start);
            const BlockMove move = someMove(document.model(), random, kind);
            const QString why = whyNotMoved(document.scenario(), move);
            ASSERT_EQ(applyMove(document, move), why.isEmpty()) << qPrintable(why);
            done += why.isEmpty() ? 1 : 0;
            EXPECT_TRUE(validated(document.scenario()).ok());
            EXPECT_EQ(document.model().patterns.size(), 1U);
            EXPECT_EQ(patternBlocks(document.model()), patternBlocks(start.model));
            if (kind == MoveKind::move) {
                EXPECT_EQ(flopsOf(document.scenario()), flopsOf(start));
            }
        }
        EXPECT_GT(done, 10);
    }
}

TEST(BlockMove, NothingLandsInsideAPattern)
{
    const Model model = flopsmith::test::patterned(); // blocks 2 to 11 in 3 repeats of 3
    for (int gap = 0; gap <= model.layers(); ++gap) {
        EXPECT_EQ(isInsidePattern(model, gap), gap > 2 && gap < 11) << gap;
    }
}

} // namespace
} // namespace flopsmith::ui
