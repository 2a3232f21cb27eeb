// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/json/json.h"
#include "core/json/spec_json.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Scenario gpt2()
{
    return {.model = *presetNamed("gpt2"), .workload = {}};
}

Scenario shared()
{
    return {.model = *presetNamed("gpt2-shared"), .workload = {}};
}

TEST(CrossLayerSharing, SavesParametersAndNoFlops)
{
    const Cost<Count> own = costTree(gpt2()).total();
    const Cost<Count> together = costTree(shared()).total();
    Scenario oneBlock = gpt2();
    oneBlock.model.runs.front().repeat = 1;

    EXPECT_EQ(together.count, own.count);
    EXPECT_EQ(together.traffic, own.traffic);
    EXPECT_EQ(together.parameters, costTree(oneBlock).total().parameters);
    EXPECT_LT(together.parameters.trainable, own.parameters.trainable);
}

// 12 blocks here, 12 there: the group's parameters stand once, wherever its blocks are.
TEST(CrossLayerSharing, CountsAGroupOnceAcrossRuns)
{
    Scenario scenario = shared();
    BlockRun other{scenario.model.runs.front().block, 1};
    other.block.shareGroup = 0;
    scenario.model.runs.push_back(other);
    scenario.model.runs.push_back(scenario.model.runs.front());
    Scenario twoBlocks = gpt2();
    twoBlocks.model.runs.front().repeat = 2;

    EXPECT_TRUE(validated(scenario).ok());
    EXPECT_EQ(costTree(scenario).total().parameters, costTree(twoBlocks).total().parameters);
}

TEST(CrossLayerSharing, PartsStillSumToTheWhole)
{
    const CostTree<Count> tree = costTree(shared());
    Cost<Count> sum;
    for (int i = 1; i < tree.size(); i = tree.node(i).end) {
        sum += tree.node(i).repeat * tree.total(i);
    }

    EXPECT_EQ(sum, tree.total());
}

TEST(CrossLayerSharing, AChangeOfOneBlockIsAChangeOfAll)
{
    Scenario scenario = shared();

    ASSERT_TRUE(setParameter(scenario, "blocks[3].d_ff", "1000").ok());

    ASSERT_EQ(scenario.model.runs.size(), 1U);
    EXPECT_EQ(get<DenseFfn>(scenario.model.runs[0].block.ffn).dFf, 1000);
}

TEST(CrossLayerSharing, ABlockThatJoinsAGroupBecomesEqualToIt)
{
    Scenario scenario = shared();
    Block own = scenario.model.runs.front().block;
    own.shareGroup = 0;
    get<DenseFfn>(own.ffn).dFf = 77;
    scenario.model.runs.push_back({own, 2});

    ASSERT_TRUE(setParameter(scenario, "blocks[12].share_group", "1").ok());

    EXPECT_TRUE(validated(scenario).ok());
    EXPECT_EQ(scenario.model.runs[0].block, shared().model.runs[0].block);
    EXPECT_EQ(scenario.model.runs[0].repeat, 13);
    EXPECT_EQ(get<DenseFfn>(scenario.model.runs[1].block.ffn).dFf, 77);
}

// It would become an encoder block with the rest, perhaps the last decoder block of all.
TEST(CrossLayerSharing, StaysInOneHalfOfTheModel)
{
    Scenario scenario{.model = *presetNamed("t5-small"), .workload = {}};
    scenario.model.runs.front().block.shareGroup = 2;
    const Scenario before = scenario;
    const int decoder = scenario.model.firstBlock(static_cast<int>(scenario.model.runs.size()) - 1);
    const std::string key = "blocks[" + std::to_string(decoder) + "].share_group";
    const std::vector<Parameter> found = matchingParameters(scenario, key);
    ASSERT_EQ(found.size(), 1U);

    ASSERT_TRUE(validated(scenario).ok());
    EXPECT_FALSE(found.front().legal(scenario).contains(std::int64_t{2}));
    EXPECT_TRUE(found.front().legal(scenario).contains(std::int64_t{3}));
    found.front().assign(scenario, std::int64_t{2});
    EXPECT_EQ(scenario.model.runs.front(), before.model.runs.front());
    EXPECT_FALSE(validated(scenario).ok());
    repair(scenario);
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(CrossLayerSharing, UnequalBlocksOfOneGroupAreRefusedByName)
{
    Scenario scenario = shared();
    scenario.model.runs.push_back(scenario.model.runs.front());
    get<DenseFfn>(scenario.model.runs[1].block.ffn).dFf = 77;

    const Status status = validated(scenario);

    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message,
              "blocks[12].share_group: blocks of one share group must be equal, but block 12 "
              "differs from block 0; make them equal or set its share_group to 0");
}

TEST(CrossLayerSharing, IsKeptInFiles)
{
    const Scenario scenario = shared();

    const auto read = modelFromJson(toJson(scenario.model), "model");

    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, scenario.model);
}

} // namespace
} // namespace flopsmith
