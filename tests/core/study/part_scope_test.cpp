// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/variation/part_scope.h"

#include "core/count/lens.h"
#include "core/ffn/no_ffn.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "core/parameter/validation.h"
#include "core/study/variation/metric.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

PartScope ofBlock(int run)
{
    return {.kind = ScopeKind::block, .run = run};
}

PartScope ofFfn(int run)
{
    return {.kind = ScopeKind::ffn, .run = run};
}

Count flopsOf(const CostTree<Count>& tree)
{
    return pricedPart(LensId::exact, tree, 0);
}

// Embedding, norms and head of every pass, and the optimizer.
Count flopsOutsideBlocks(const CostTree<Count>& tree)
{
    Count sum = 0;
    for (int i = 0; i < tree.size(); ++i) {
        const bool isInBlock = tree.path(i).find("blocks[") != std::string::npos;
        if (tree.node(i).kind != OpKind::group && !isInBlock) {
            sum += tree.timesUsed(i) * pricedNode<Count>(LensId::exact, tree.node(i));
        }
    }
    return sum;
}

TEST(PartScope, BlocksAndTheRestAddUpToTheModelInEveryPhase)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
            Scenario scenario = preset.scenario();
            scenario.workload.phase = phase;
            if (!validated(scenario)) {
                continue;
            }
            const CostTree<Count> tree = costTree(scenario);
            Count sum = flopsOutsideBlocks(tree);
            for (std::size_t run = 0; run < scenario.model.runs.size(); ++run) {
                sum += scenario.model.runs[run].repeat
                    * flopsOf(scopedTree(tree, scenario.model, ofBlock(static_cast<int>(run))));
            }
            EXPECT_EQ(sum, flopsOf(tree)) << preset.id << ", " << enumName(phase);
        }
    }
}

TEST(PartScope, AnFfnIsThePartOfTheTree)
{
    const Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    const CostTree<Count> tree = costTree(scenario);
    for (const int run : {0, 1}) {
        const std::string path = scopePath(scenario.model, ofFfn(run));
        const CostTree<Count> part = scopedTree(tree, scenario.model, ofFfn(run));

        EXPECT_EQ(part.total(), tree.total(nodeAt(tree, path)));
        EXPECT_GT(nodeAt(part, path), 0) << "paths stay those of the model";
    }
    EXPECT_EQ(scopeText(scenario.model, ofFfn(1)), "FFN of block 7");
    EXPECT_EQ(scopePath(scenario.model, ofFfn(9)), scopePath(scenario.model, ofFfn(1)));
}

TEST(PartScope, SharedParametersBelongToTheBlock)
{
    const Scenario scenario = findPreset("albert-base")->scenario();
    const CostTree<Count> block = scopedTree(costTree(scenario), scenario.model, ofBlock(0));

    EXPECT_GT(block.total().parameters.trainable, 0);
}

TEST(PartScope, PartsAreThoseOfTheModelForOneUse)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = preset.scenario();
        if (scenario.model.hasEncoder()) {
            continue;
        }
        const std::vector<MeasuredPart> all = measuredParts(scenario);
        for (std::size_t run = 0; run < scenario.model.runs.size(); ++run) {
            const PartScope scope = ofBlock(static_cast<int>(run));
            const std::vector<MeasuredPart> parts = scopedParts(scenario, scope);
            EXPECT_FALSE(parts.empty()) << preset.id;
            for (const MeasuredPart& part : parts) {
                EXPECT_TRUE(isWithin(part.path, scopePath(scenario.model, scope))) << part.path;
                EXPECT_TRUE(std::ranges::any_of(all,
                                                [&part](const MeasuredPart& each) {
                                                    return each.operation == part.operation
                                                        && each.uses >= part.uses;
                                                }))
                    << preset.id << " " << part.path;
            }
        }
    }
}

TEST(PartScope, ABlockWithoutAnFfnHasNoSuchScope)
{
    Scenario scenario = findPreset("gpt2")->scenario();
    EXPECT_TRUE(hasScope(scenario.model, ofFfn(0)));
    scenario.model.runs.front().block.ffn = NoFfn{};
    EXPECT_FALSE(hasScope(scenario.model, ofFfn(0)));
    EXPECT_TRUE(hasScope(scenario.model, ofBlock(0)));
}

TEST(PartScope, AMetricOfAPartIsThatOfItsTree)
{
    const Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    const CostTree<Count> tree = costTree(scenario);
    const MetricBasis basis{.scope = ofFfn(1)};
    const auto values =
        metricValues(std::array{MetricId::flops, MetricId::params}, tree, scenario, basis);

    ASSERT_TRUE(values.ok());
    const CostTree<Count> part = scopedTree(tree, scenario.model, ofFfn(1));
    EXPECT_EQ(std::get<Count>(values->front()), flopsOf(part));
    EXPECT_EQ(std::get<Count>(values->back()), part.total().parameters.trainable);
    EXPECT_FALSE(computable(MetricId::kvCacheBytes, basis).ok());
}

} // namespace
} // namespace flopsmith
