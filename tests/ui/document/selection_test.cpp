// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

#include "core/base/random.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <algorithm>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using Runs = std::vector<int>;

Scenario fiveRuns()
{
    Scenario scenario = halfSwapped();
    for (const int run : {0, 1, 1}) {
        splitRun(scenario, run);
    }
    return scenario;
}

TEST(Selection, ARunIsSelectedAloneAndBecomesCurrentWhenAdded)
{
    const Selection one = Selection::ofRun(2);
    const Selection two = one.withToggled(0);

    EXPECT_FALSE(one.isSeveral());
    EXPECT_EQ(one.runs(), Runs{2});
    EXPECT_EQ(two.runs(), (Runs{0, 2}));
    EXPECT_EQ(two.run, 0);
    EXPECT_EQ(two.current(), Selection::ofRun(0));
}

TEST(Selection, TogglingTwiceIsTheIdentityExceptForTheCurrentRun)
{
    const Selection start = Selection::ofRuns({4, 1, 3}, 3);

    EXPECT_EQ(start.withToggled(0).withToggled(0).runs(), start.runs());
    EXPECT_EQ(start.withToggled(3).run, 4); // the nearest that is left
    EXPECT_EQ(start.withToggled(3).runs(), (Runs{1, 4}));
}

TEST(Selection, SomethingIsAlwaysSelected)
{
    EXPECT_EQ(Selection::ofRun(1).withToggled(1), Selection::ofRun(1));
    EXPECT_EQ(Selection::of(Selection::Part::head).withToggled(1), Selection::ofRun(1));
    EXPECT_EQ(Selection::of(Selection::Part::head).withRangeTo(1), Selection::ofRun(1));
    EXPECT_TRUE(Selection::of(Selection::Part::head).runs().empty());
    EXPECT_FALSE(Selection::of(Selection::Part::head).contains(0));
}

TEST(Selection, ARangeStartsAtTheCurrentRunAndReplacesTheRest)
{
    const Selection start = Selection::ofRuns({0, 3}, 3);

    EXPECT_EQ(start.withRangeTo(1).runs(), (Runs{1, 2, 3}));
    EXPECT_EQ(start.withRangeTo(1).run, 3);
    EXPECT_EQ(start.withRangeTo(1).withRangeTo(4).runs(), (Runs{3, 4}));
    EXPECT_EQ(start.withRangeTo(3), Selection::ofRun(3));
}

TEST(Selection, KeysMoveTheEndThatIsNotTheCurrentRun)
{
    EXPECT_EQ(Selection::ofRun(2).farEnd(1), 2);
    EXPECT_EQ(Selection::ofRuns({2, 3, 4}, 2).farEnd(-1), 4);
    EXPECT_EQ(Selection::ofRuns({0, 1, 2}, 2).farEnd(1), 0);
    EXPECT_EQ(Selection::ofRuns({0, 1, 2}, 1).farEnd(1), 2);
    EXPECT_EQ(Selection::ofRuns({0, 1, 2}, 1).farEnd(-1), 0);
}

TEST(Selection, AllKeepsTheCurrentRun)
{
    const Model model = fiveRuns().model;

    EXPECT_EQ(Selection::ofRun(3).all(model).runs(), (Runs{0, 1, 2, 3, 4}));
    EXPECT_EQ(Selection::ofRun(3).all(model).run, 3);
    EXPECT_EQ(Selection::of(Selection::Part::head).all(model).run, 0);
}

TEST(Selection, IsLegalWhateverIsRemovedFromTheModel)
{
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        Selection selection = Selection::ofRun(static_cast<int>(random.integer(0, 9)));
        for (int i = 0; i < 4; ++i) {
            selection = selection.withToggled(static_cast<int>(random.integer(0, 9)));
        }
        Model model = fiveRuns().model;
        model.runs.resize(static_cast<std::size_t>(random.integer(1, 5)));

        const Runs runs = selection.within(model).runs();

        ASSERT_FALSE(runs.empty());
        EXPECT_TRUE(std::is_sorted(runs.begin(), runs.end()));
        EXPECT_EQ(std::adjacent_find(runs.begin(), runs.end()), runs.end());
        EXPECT_GE(runs.front(), 0);
        EXPECT_LT(runs.back(), static_cast<int>(model.runs.size()));
        EXPECT_EQ(selection.within(model).within(model), selection.within(model));
    }
}

TEST(SelectionOfADocument, UndoAndRedoRestoreAllRuns)
{
    Document document{fiveRuns()};
    const Selection before = Selection::ofRuns({1, 2, 4}, 2);
    document.select(before);
    document.apply(QStringLiteral("delete"),
                   [](DocumentState& state) { removeRuns(state.scenario, {4}); });
    EXPECT_EQ(document.selection(), Selection::ofRuns({1, 2}, 2));

    document.undoStack().undo();
    EXPECT_EQ(document.selection(), before);
    document.undoStack().redo();
    EXPECT_EQ(document.selection(), Selection::ofRuns({1, 2}, 2));
}

TEST(SelectionOfADocument, AnotherSetOfRunsIsAChange)
{
    Document document{fiveRuns()};
    document.select(Selection::ofRun(2));
    const QSignalSpy changed(&document, &Document::selectionChanged);

    document.select(document.selection().withToggled(9)); // the last, which is 4
    document.select(document.selection().withRangeTo(3));
    document.select(document.selection());

    EXPECT_EQ(changed.count(), 2);
    EXPECT_EQ(document.selection().runs(), (Runs{3, 4}));
}

} // namespace
} // namespace flopsmith::ui
