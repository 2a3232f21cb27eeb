// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "tests/support/random_scenario.h"

#include <gtest/gtest.h>

#include <functional>

namespace flopsmith {
namespace {

void holds(const char* name, const std::function<void()>& property)
{
    EXPECT_TRUE(rc::check(name, property));
}

TEST(RandomScenarios, AreValid)
{
    holds("repaired random scenarios are valid", [] {
        const Status status = validated(test::randomScenario());
        if (!status) {
            RC_FAIL(status.error().message);
        }
    });
}

TEST(CostTree, PartsSumToTheWhole)
{
    holds("operations times uses give the total", [] {
        const CostTree<Count> tree = costTree(test::randomScenario());
        Cost<Count> sum;
        for (int i = 0; i < tree.size(); ++i) {
            if (tree.node(i).kind != OpKind::group) {
                sum += tree.timesUsed(i) * tree.node(i).cost;
            }
        }
        RC_ASSERT(sum == tree.total());
    });
}

TEST(CostTree, SplittingRunsChangesNothing)
{
    holds("a run costs as much as its blocks one by one", [] {
        const Scenario scenario = test::randomScenario();
        Scenario split = scenario;
        split.model.isolateBlock(*rc::gen::inRange(0, split.model.layers()));
        RC_ASSERT(costTree(split).total() == costTree(scenario).total());
        split.model.joinEqualRuns();
        RC_ASSERT(split == scenario);
    });
}

// Of a training step the forward part: gradients and updates have work that is done per weight,
// however many tokens there are.
Cost<Count> workOfTokens(const Scenario& scenario)
{
    const CostTree<Count> tree = costTree(scenario);
    return scenario.workload.phase == Phase::train ? tree.total(1) : tree.total();
}

TEST(CostTree, EverythingButOncePerPassWorkScalesWithTheBatch)
{
    holds("twice the sequences, twice the operations; parameters stay", [] {
        Scenario scenario = test::randomScenario();
        scenario.workload.batch = *rc::gen::inRange(1, 1000);
        Scenario twice = scenario;
        twice.workload.batch *= 2;
        const Cost<Count> once = workOfTokens(scenario);
        const Cost<Count> both = workOfTokens(twice);
        RC_ASSERT(both.count.mac == 2 * once.count.mac);
        RC_ASSERT(both.count.mul == 2 * once.count.mul);
        RC_ASSERT(both.count.fft == 2 * once.count.fft);
        RC_ASSERT(both.count.cmp == 2 * once.count.cmp);
        RC_ASSERT(both.count.move == 2 * once.count.move);
        RC_ASSERT(both.parameters == once.parameters);
    });
}

TEST(CostTree, ExactPairsNeverExceedAllPairs)
{
    holds("exact ≤ full in every class", [] {
        const Scenario scenario = test::randomScenario();
        const OpCount<Count> exact = costTree(scenario, PairsRule::exact).total().count;
        const OpCount<Count> full = costTree(scenario, PairsRule::full).total().count;
        RC_ASSERT(exact.mac <= full.mac);
        RC_ASSERT(exact.exp <= full.exp);
        RC_ASSERT(exact.add <= full.add);
    });
}

OpCount<Count> sumOfParts(const Scenario& scenario, ComputePass pass)
{
    OpCount<Count> sum;
    for (const MeasuredPart& part : measuredParts(scenario, pass)) {
        if (part.addsToTotal()) {
            sum += Count{part.uses} * costTree(part.operation).total().count;
        }
    }
    return sum;
}

TEST(MeasuredParts, CoverTheWholeModel)
{
    holds("parts times uses give the model's operations", [] {
        Scenario scenario = test::randomScenario();
        if (scenario.workload.phase == Phase::train) {
            scenario.workload.phase = Phase::prefill;
        }
        RC_ASSERT(sumOfParts(scenario, ComputePass::forward) == costTree(scenario).total().count);
    });
}

// A forward pass is measured as inference runs it, without the masks of training.
void takeDropoutFrom(FfnSpec& ffn)
{
    if (auto* composed = get_if<ComposedFfn>(&ffn)) {
        composed->dropout = 0;
        for (FfnStage& stage : composed->stages) {
            takeDropoutFrom(stage.spec);
        }
    }
}

TEST(MeasuredParts, OfBothPassesCoverATrainingStep)
{
    holds("parts of both passes, and what no part measures, give the step's operations", [] {
        Scenario scenario = test::randomScenario();
        scenario.workload.phase = Phase::train;
        for (BlockRun& run : scenario.model.runs) {
            takeDropoutFrom(run.block.ffn);
        }
        const CostTree<Count> tree = costTree(scenario);
        OpCount<Count> sum = sumOfParts(scenario, ComputePass::forward)
            + sumOfParts(scenario, ComputePass::backward);
        for (int i = 1; i < tree.size(); ++i) {
            const std::string_view name = tree.node(i).name;
            if (name == "loss" || name == "recomputed" || name == "shared_gradients"
                || name == "source_gradients" || name == "optimizer") {
                sum += tree.total(i).count;
            }
        }
        RC_ASSERT(sum == tree.total().count);
    });
}

TEST(SpecJson, RandomScenariosReadBackAsTheyWere)
{
    holds("save and open is the identity", [] {
        const Scenario scenario = test::randomScenario();
        const auto read = scenarioFromJson(*parsedJson(jsonText(toJson(scenario)), "test"), "test");
        RC_ASSERT(read.ok());
        RC_ASSERT(*read == scenario);
    });
}

} // namespace
} // namespace flopsmith
