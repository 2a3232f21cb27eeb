// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/updated_cost.h"

#include "tests/support/random_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

namespace flopsmith {
namespace {

using Node = CostTree<Count>::Node;

auto fieldsOf(const Node& node)
{
    return std::tuple(node.name,
                      node.index,
                      node.parent,
                      node.end,
                      node.kind,
                      node.place,
                      node.component,
                      node.repeat,
                      node.elements,
                      node.cost);
}

void expectEqualTrees(const CostTree<Count>& tree, const CostTree<Count>& computed)
{
    ASSERT_EQ(tree.size(), computed.size());
    for (int i = 0; i < tree.size(); ++i) {
        ASSERT_TRUE(fieldsOf(tree.node(i)) == fieldsOf(computed.node(i))) << computed.path(i);
    }
    EXPECT_EQ(tree.total(), computed.total());
}

void expectUpdated(const Scenario& before, const Scenario& after)
{
    for (const PairsRule pairs : {PairsRule::exact, PairsRule::full}) {
        expectEqualTrees(updatedCostTree(after, pairs, before, costTree(before, pairs)),
                         costTree(after, pairs));
    }
}

Scenario gpt2InRuns()
{
    Scenario scenario{.model = *presetNamed("gpt2")};
    for (int block = 0; block < 12; ++block) {
        const int run = scenario.model.isolateBlock(block);
        get<DenseFfn>(scenario.model.runs[static_cast<std::size_t>(run)].block.ffn).dFf =
            512 + block;
    }
    return scenario;
}

// Takes a run away, doubles it, changes its length, or puts it elsewhere.
void editRuns(std::vector<BlockRun>& runs)
{
    const auto at = *rc::gen::inRange<std::size_t>(0, runs.size());
    const auto to = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, runs.size()));
    const BlockRun run = runs[at];
    switch (*rc::gen::inRange(0, 4)) {
    case 0: runs.insert(runs.begin() + to, run); break;
    case 1: runs[at].repeat = *rc::gen::inRange(1, 9); break;
    case 2: runs[at].block.ffn = test::randomFfn(); break;
    case 3:
        if (runs.size() > 1) {
            runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(at));
        }
        break;
    }
}

TEST(UpdatedCost, EqualsTheCostThatIsComputedAnew)
{
    rc::check([] {
        const Scenario before = test::randomScenario();
        Scenario after = before;
        for (int edits = *rc::gen::inRange(0, 4); edits > 0; --edits) {
            editRuns(after.model.runs);
        }
        expectUpdated(before, after);
        RC_ASSERT(!testing::Test::HasFailure());
    });
}

TEST(UpdatedCost, IsRightAfterASeriesOfEdits)
{
    rc::check([] {
        Scenario scenario = gpt2InRuns();
        CostTree<Count> tree = costTree(scenario);
        for (int edits = 0; edits < 10; ++edits) {
            const Scenario before = scenario;
            editRuns(scenario.model.runs);
            tree = updatedCostTree(scenario, PairsRule::exact, before, std::move(tree));
        }
        expectEqualTrees(tree, costTree(scenario));
        RC_ASSERT(!testing::Test::HasFailure());
    });
}

TEST(UpdatedCost, NumbersTheBlocksBelowAnAddedOne)
{
    const Scenario before = gpt2InRuns();
    Scenario after = before;
    after.model.runs.insert(after.model.runs.begin() + 3, after.model.runs.back());
    after.model.runs.at(3).repeat = 5;

    expectUpdated(before, after);
    expectUpdated(after, before);
}

TEST(UpdatedCost, FollowsWhatAllBlocksDependOn)
{
    const Scenario before = gpt2InRuns();
    Scenario wider = before;
    wider.model.dModel = 1536;
    Scenario longer = before;
    longer.workload.sequence = 77;
    Scenario untied = before;
    untied.model.head.kind = HeadKind::none;
    Scenario training = before;
    training.workload.phase = Phase::train;
    Scenario empty = before;
    empty.model.runs.clear();

    for (const Scenario& after : {wider, longer, untied, training, empty}) {
        expectUpdated(before, after);
        expectUpdated(after, before);
    }
}

TEST(UpdatedCost, IsRightBetweenAllPresets)
{
    for (const Preset& from : presets()) {
        for (const Preset& to : presets()) {
            expectUpdated({.model = from.make()}, {.model = to.make()});
        }
    }
}

} // namespace
} // namespace flopsmith
