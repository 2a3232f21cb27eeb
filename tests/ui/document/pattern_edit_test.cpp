// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/pattern_edit.h"

#include "core/parameter/validation.h"
#include "tests/support/patterned.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/block_paste.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace flopsmith::ui {
namespace {

using flopsmith::test::patterned;
using flopsmith::test::unpatterned;
using Order = std::vector<int>;

Scenario inPattern(int times = 3)
{
    return {.model = patterned(times), .workload = {}};
}

std::vector<int> lengths(const Scenario& scenario)
{
    std::vector<int> all;
    for (const BlockRun& run : scenario.model.runs) {
        all.push_back(run.repeat);
    }
    return all;
}

bool holdsPattern(const Scenario& scenario, const Pattern& expected)
{
    return scenario.model.patterns == std::vector<Pattern>{expected} && validated(scenario).ok();
}

TEST(PatternEdit, AnFfnIsReplacedInAllRepeats)
{
    Scenario scenario = inPattern();

    replaceFfn(scenario, 1, GatedFfn{});
    toggleMuted(scenario, {2}, BlockPart::Kind::mixer);

    for (const int run : {1, 3, 5}) {
        const auto& runs = scenario.model.runs;
        EXPECT_TRUE(holds_alternative<GatedFfn>(runs[static_cast<std::size_t>(run)].block.ffn));
        EXPECT_TRUE(runs[static_cast<std::size_t>(run) + 1].block.mixerMuted);
    }
    EXPECT_TRUE(holdsPattern(scenario, {1, 2, 3}));
    EXPECT_TRUE(holds_alternative<DenseFfn>(scenario.model.runs.back().block.ffn));
}

TEST(PatternEdit, BlocksAreInsertedAndRemovedInAllRepeats)
{
    Scenario scenario = inPattern();

    const int added = insertBlock(scenario, 1, GatedFfn{});
    EXPECT_EQ(added, 2);
    EXPECT_TRUE(holdsPattern(scenario, {1, 3, 3}));
    EXPECT_EQ(scenario.model.layers(), patterned().layers() + 3);

    removeRuns(scenario, {added});
    EXPECT_EQ(scenario, inPattern());
}

TEST(PatternEdit, AnEqualBlockMakesTheRunLongerInAllRepeats)
{
    Scenario scenario = inPattern();

    insertBlock(scenario, 1, DenseFfn{});

    EXPECT_EQ(lengths(scenario), (std::vector<int>{2, 2, 2, 2, 2, 2, 2, 1}));
    EXPECT_TRUE(holdsPattern(scenario, {1, 2, 3}));
}

TEST(PatternEdit, OneBlockIsSplitOffInAllRepeats)
{
    Scenario scenario = inPattern();

    EXPECT_EQ(isolated(scenario, 2, Extent::firstBlock), 2);
    EXPECT_TRUE(holdsPattern(scenario, {1, 3, 3}));

    EXPECT_EQ(joinEqualRuns(scenario, 2), 2);
    EXPECT_EQ(scenario, inPattern());
}

TEST(PatternEdit, CopiesStayInThePattern)
{
    Scenario scenario = inPattern();

    EXPECT_EQ(duplicateRuns(scenario, {1, 2}), (Order{3, 4}));

    EXPECT_TRUE(holdsPattern(scenario, {1, 4, 3}));
    EXPECT_EQ(scenario.model.layers(), patterned().layers() + 9);
}

TEST(PatternEdit, CopiesAcrossItsBorderStandBehindIt)
{
    Scenario scenario = inPattern();

    EXPECT_EQ(duplicateRuns(scenario, {0, 1}), (Order{7, 8}));

    EXPECT_TRUE(holdsPattern(scenario, {1, 2, 3}));
    EXPECT_EQ(scenario.model.layers(), patterned().layers() + 3);
}

TEST(PatternEdit, ARunMovesWithinItsPeriodOnly)
{
    Scenario scenario = inPattern();
    EXPECT_FALSE(canMoveRuns(scenario, {1}, -1));
    EXPECT_FALSE(canMoveRuns(scenario, {2}, 1));

    EXPECT_EQ(moveRuns(scenario, {1}, 1), Order{2});
    EXPECT_EQ(lengths(scenario), (std::vector<int>{2, 2, 1, 2, 1, 2, 1, 1}));
    EXPECT_TRUE(holdsPattern(scenario, {1, 2, 3}));

    EXPECT_EQ(moveRunTo(scenario, 2, 0), 1);
    EXPECT_EQ(scenario, inPattern());
    EXPECT_EQ(moveRunTo(scenario, 1, 8), 2);
    EXPECT_TRUE(holdsPattern(scenario, {1, 2, 3}));
}

TEST(PatternEdit, OtherRunsStepOverItAsAWhole)
{
    Scenario scenario = inPattern();

    EXPECT_EQ(moveRuns(scenario, {0}, 1), Order{6});
    EXPECT_TRUE(holdsPattern(scenario, {0, 2, 3}));
    EXPECT_EQ(moveRuns(scenario, {6}, -1), Order{0});
    EXPECT_EQ(scenario, inPattern());

    EXPECT_EQ(moveRuns(scenario, {1, 2}, -1), (Order{0, 1}));
    EXPECT_TRUE(holdsPattern(scenario, {0, 2, 3}));
    EXPECT_EQ(moveRuns(scenario, {0, 1}, 1), (Order{1, 2}));
    EXPECT_EQ(scenario, inPattern());
}

TEST(PatternEdit, ARunThatIsDroppedInAPatternStaysBesideIt)
{
    Scenario scenario = inPattern();

    EXPECT_EQ(moveRunTo(scenario, 0, 2), 6); // from above: behind it
    EXPECT_TRUE(holdsPattern(scenario, {0, 2, 3}));
    EXPECT_EQ(moveRunTo(scenario, 6, 1), 0); // from below: before it
    EXPECT_EQ(scenario, inPattern());
}

TEST(PatternEdit, ThePasteBehindARunIsInAllRepeats)
{
    Scenario scenario = inPattern();
    const BlockClip clip = copied(scenario.model, {0});

    const Pasted pasted = pasteRuns(scenario, clip, 2);
    EXPECT_EQ(pasted.runs, Order{2});
    EXPECT_TRUE(holdsPattern(scenario, {1, 3, 3}));

    Scenario behind = inPattern();
    EXPECT_EQ(pasteRuns(behind, clip, 8).runs, Order{8});
    EXPECT_TRUE(holdsPattern(behind, {1, 2, 3}));
}

TEST(PatternEdit, GroupingNamesWhatCannotBe)
{
    const Scenario scenario = inPattern();
    EXPECT_FALSE(whyNotGrouped(scenario, {}).empty());
    EXPECT_FALSE(whyNotGrouped(scenario, {1, 2}).empty());
    EXPECT_FALSE(whyNotGrouped(scenario, {0, 7}).empty());

    Scenario flat{.model = unpatterned(patterned()), .workload = {}};
    EXPECT_EQ(whyNotGrouped(flat, {1, 2}), "");
    EXPECT_EQ(groupRuns(flat, {1, 2}), 1);
    EXPECT_TRUE(holdsPattern(flat, {1, 2, 1}));
    EXPECT_TRUE(setPatternTimes(flat, 0, 2).ok());
    EXPECT_EQ(flat.model.layers(), patterned().layers() + 3);
}

TEST(PatternEdit, BlocksAreCountedInAllRepeats)
{
    const Scenario scenario = inPattern();
    EXPECT_EQ(blocksIn(scenario, {2}), 6);
    EXPECT_EQ(blocksIn(scenario, {0, 1, 2, 7}), scenario.model.layers());
    EXPECT_FALSE(canRemoveRuns(scenario, {0, 1, 2, 7}));
    EXPECT_TRUE(areNeighbours(scenario, {2, 7}));
    EXPECT_FALSE(areNeighbours(scenario, {0, 2}));
}

TEST(PatternEdit, ASelectionIsOfTheFirstRepeat)
{
    const Model model = patterned();
    EXPECT_EQ(Selection::ofRun(4).within(model), Selection::ofRun(2));
    EXPECT_EQ(Selection::ofRuns({0, 3, 5, 7}, 5).within(model), Selection::ofRuns({0, 1, 7}, 1));
    EXPECT_EQ(Selection::ofRun(2).withRangeTo(7).within(model), Selection::ofRuns({2, 7}, 2));
    EXPECT_EQ(Selection::ofRun(0).all(model).within(model), Selection::ofRuns({0, 1, 2, 7}, 0));
}

TEST(PatternEdit, AParameterIsSetInAllRepeatsAsOneStep)
{
    Document document(inPattern());
    document.select(Selection::ofRuns({1, 2}, 2));

    setParameter(
        document, parameterAt(document.scenario(), {2, "mixer.heads"}).value(), std::int64_t{16});
    setParameter(
        document, parameterAt(document.scenario(), {2, "repeat"}).value(), std::int64_t{5});

    EXPECT_TRUE(holdsPattern(document.scenario(), {1, 2, 3}));
    EXPECT_EQ(lengths(document.scenario()), (std::vector<int>{2, 5, 5, 5, 5, 5, 5, 1}));
    EXPECT_EQ(document.undoStack().count(), 2);
    document.undoStack().undo();
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), inPattern());
}

// Any edit of a run or several, as a person might do it; whether it could be done.
bool editedAtRandom(Scenario& scenario, std::mt19937& random)
{
    const auto below = [&random](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    const std::vector<int> shown = shownRuns(scenario.model);
    const int last = static_cast<int>(shown.size()) - 1;
    const int first = below(last + 1);
    const int run = shown[static_cast<std::size_t>(first)];
    const std::vector<int> some(shown.begin() + first,
                                shown.begin() + std::min(last, first + below(3)) + 1);
    const int pattern = patternOf(scenario.model, run);
    const auto when = [](bool possible, const std::function<void()>& edit) {
        if (possible) {
            edit();
        }
        return possible;
    };
    switch (below(12)) {
    case 0:
        return when(true,
                    [&] { replaceFfn(scenario, some, GatedFfn{.dFf = 512 + 64 * below(3)}); });
    case 1: return when(true, [&] { insertBlock(scenario, run, DenseFfn{}); });
    case 2: return when(canRemoveRuns(scenario, some), [&] { removeRuns(scenario, some); });
    case 3: return when(canSplitRun(scenario, run), [&] { splitRun(scenario, run); });
    case 4: return when(canMoveRuns(scenario, some, 1), [&] { moveRuns(scenario, some, 1); });
    case 5:
        return when(true, [&] {
            moveRunTo(scenario, run, below(static_cast<int>(scenario.model.runs.size()) + 1));
        });
    case 6: return when(shown.size() < 12, [&] { duplicateRuns(scenario, some); });
    case 7: return when(whyNotGrouped(scenario, some).empty(), [&] { groupRuns(scenario, some); });
    case 8: return when(pattern >= 0 && below(4) == 0, [&] { ungroupRuns(scenario, pattern); });
    case 9: return pattern >= 0 && setPatternTimes(scenario, pattern, 1 + below(4)).ok();
    case 10: return when(true, [&] { isolated(scenario, run, Extent::firstBlock); });
    default: return when(true, [&] { joinEqualRuns(scenario, run); });
    }
}

TEST(PatternEdit, AnyEditKeepsPatternsWholeAndUndoRestores)
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        Document document(inPattern());
        std::vector<Scenario> states{document.scenario()};
        for (int step = 0; step < 40; ++step) {
            Scenario edited = document.scenario();
            if (!editedAtRandom(edited, random) || edited.model.layers() > kMaxLayers) {
                continue;
            }
            ASSERT_FALSE(patternProblem(edited.model)) << patternProblem(edited.model)->sentence;
            const int before = document.undoStack().count();
            ASSERT_TRUE(document.apply(QStringLiteral("edit"), [&edited](DocumentState& state) {
                state.scenario = edited;
            }));
            if (document.undoStack().count() > before) {
                states.push_back(edited);
            }
        }
        for (auto state = states.rbegin(); state != states.rend(); ++state) {
            ASSERT_EQ(document.scenario(), *state);
            document.undoStack().undo();
        }
    }
}

} // namespace
} // namespace flopsmith::ui
