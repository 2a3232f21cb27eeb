// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tree_path.h"

#include "core/model/model_cost.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

Scenario stepOf(const char* preset, Phase phase)
{
    return {.model = *presetNamed(preset), .workload = {.phase = phase}};
}

TEST(TreePath, EveryPathLeadsToItsNode)
{
    for (const Phase phase : {Phase::prefill, Phase::train}) {
        const CostTree<Count> tree = costTree(stepOf("gpt2-half-swapped", phase));
        EXPECT_EQ(nodeAt(tree, ""), 0);
        for (int i = 1; i < tree.size(); ++i) {
            const std::string path = tree.path(i);
            EXPECT_EQ(tree.path(nodeAt(tree, path)), path);
            EXPECT_EQ(nearestPath(tree, path), path);
            EXPECT_EQ(nodeAt(tree, parentPath(path)), tree.node(i).parent) << path;
            EXPECT_TRUE(isWithin(path, parentPath(path)));
            EXPECT_FALSE(isWithin(parentPath(path), path)) << path;
            EXPECT_EQ(nodeAt(tree, path + "/none"), -1);
            EXPECT_EQ(nearestPath(tree, path + "/none"), path);
        }
    }
}

TEST(TreePath, APartIsFoundInAnotherPass)
{
    const CostTree<Count> pass = costTree(stepOf("gpt2", Phase::prefill));
    const CostTree<Count> step = costTree(stepOf("gpt2", Phase::train));

    EXPECT_EQ(nearestPath(step, "blocks[0]/ffn/c_fc"), "forward/blocks[0]/ffn/c_fc");
    EXPECT_EQ(nearestPath(pass, "backward/blocks[0]/ffn/c_fc"), "blocks[0]/ffn/c_fc");
    EXPECT_EQ(nearestPath(pass, "optimizer"), "");
    EXPECT_TRUE(isWithin("backward/blocks[0]/ffn/c_fc", "forward/blocks[0]/ffn"));
}

TEST(TreePath, WhatIsGoneLeavesThePartAroundIt)
{
    const CostTree<Count> tree = costTree(stepOf("llama-3-8b", Phase::prefill));

    EXPECT_EQ(nearestPath(tree, "blocks[0]/ffn/c_fc"), "blocks[0]/ffn");
    EXPECT_EQ(nearestPath(tree, "blocks[7]/ffn"), "");
}

TEST(TreePath, AComponentLeadsToAPartOfItAlone)
{
    const CostTree<Count> tree = costTree(stepOf("gpt2-half-swapped", Phase::prefill));
    for (const Component* component : componentsBelow(tree, 0)) {
        const std::string path = pathOfComponent(tree, component->id);
        ASSERT_FALSE(path.empty()) << component->id;
        const std::vector<const Component*> below = componentsBelow(tree, nodeAt(tree, path));
        ASSERT_EQ(below.size(), 1U) << path;
        EXPECT_EQ(below.front()->id, component->id);
    }
    EXPECT_EQ(pathOfComponent(tree, "attention", "blocks[6]"), "blocks[6]/attention");
    EXPECT_EQ(pathOfComponent(tree, "no such component"), "");
}

} // namespace
} // namespace flopsmith
