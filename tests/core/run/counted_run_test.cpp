// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/counting_scalar.h"
#include "core/mixer/no_mixer.h"
#include "core/model/model_cost.h"
#include "core/model/training_step.h"
#include "core/model/tree_path.h"
#include "core/parameter/validation.h"
#include "core/run/model_run.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/support/preset_case.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

// A model executed with the counting scalar executes what its cost tree says.
namespace flopsmith {
namespace {

using reference::Counted;
using reference::Executed;
using reference::executed;
using reference::executionOf;

struct Step
{
    std::string forward;
    std::string backward;

    bool operator==(const Step&) const = default;
};

std::vector<int> labelsFor(const Scenario& scenario, const ModelPlan& plan)
{
    const bool lm = scenario.model.head.isLm();
    const int classes = lm ? plan.vocab : scenario.model.head.classes;
    std::vector<int> labels;
    const std::size_t rows =
        scenario.model.head.isOfEveryToken() ? plan.decoder.tokens() : plan.decoder.batch;
    for (std::size_t row = 0; row < rows; ++row) {
        labels.push_back(static_cast<int>((3 * row + 1) % classes));
    }
    return labels;
}

// Forward and backward pass with the loss in both, where there is one.
Step executedStep(const Scenario& scenario, const ModelPlan& plan)
{
    const auto weights = randomWeights<Counted>(plan.shapes(), 5);
    const auto inputs = randomInputs<Counted>(plan, 6);
    const std::vector<int> labels = labelsFor(scenario, plan);
    ModelRun<Counted> run;
    ModelLoss<Counted> loss;
    Step step;
    step.forward = text(executed([&] {
        run = forward<Counted>(plan, weights, inputs, Keep::forBackward).value();
        if (hasLoss(scenario.model)) {
            loss = lossOf<Counted>(plan, run.outputs, labels).value();
        }
    }));
    step.backward = text(executed([&] {
        const std::vector<Counted> dOutputs = hasLoss(scenario.model)
            ? lossGradient<Counted>(loss, labels)
            : std::vector<Counted>(run.outputs.size(), Counted(0.5));
        EXPECT_TRUE(backward<Counted>(plan, weights, inputs, run, dOutputs).ok());
    }));
    return step;
}

Step countedStep(const Scenario& scenario)
{
    const CostTree<Count> tree = costTree(scenario);
    const auto part = [&](std::string_view path) {
        return text(executionOf(tree.total(nodeAt(tree, path)).count));
    };
    return {part("forward"), part("backward")};
}

std::string executedForward(const ModelPlan& plan)
{
    const auto weights = randomWeights<Counted>(plan.shapes(), 5);
    const auto inputs = randomInputs<Counted>(plan, 6);
    return text(executed([&] { EXPECT_TRUE(forward<Counted>(plan, weights, inputs).ok()); }));
}

// Fails unless prefill and a training step execute what is counted.
void expectCounted(Scenario scenario)
{
    scenario.workload.phase = Phase::prefill;
    const Result<ModelPlan> prefill = planOf(scenario);
    ASSERT_TRUE(prefill.ok()) << prefill.error().message;
    EXPECT_EQ(executedForward(*prefill), text(executionOf(costTree(scenario).total().count)));

    scenario.workload.phase = Phase::train;
    scenario.workload.checkpointing = Checkpointing::none;
    const Step executes = executedStep(scenario, planOf(scenario).value());
    const Step counts = countedStep(scenario);
    EXPECT_EQ(executes.forward, counts.forward);
    EXPECT_EQ(executes.backward, counts.backward);
}

class CountedPreset : public testing::TestWithParam<Preset>
{};

TEST_P(CountedPreset, ExecutesWhatItsTreeSays)
{
    const Scenario scenario = test::smallPreset(GetParam().id);
    ASSERT_TRUE(validated(scenario).ok()) << validated(scenario).error().message;

    expectCounted(scenario);
}

TEST_P(CountedPreset, ExecutesNothingOfAMutedPart)
{
    Scenario scenario = test::smallPreset(GetParam().id);
    scenario.model.runs.back().block.ffnMuted = scenario.model.runs.back().block.holdsFfn();
    scenario.model.alignSharedWith(static_cast<int>(scenario.model.runs.size()) - 1);

    expectCounted(scenario);
}

TEST_P(CountedPreset, ExecutesEveryPlacementOfNorms)
{
    for (const NormPlacement placement : {NormPlacement::pre,
                                          NormPlacement::post,
                                          NormPlacement::output,
                                          NormPlacement::sandwich}) {
        Scenario scenario = test::smallPreset(GetParam().id);
        for (BlockRun& run : scenario.model.runs) {
            run.block.placement = placement;
            run.block.residualScale = true;
        }
        expectCounted(scenario);
    }
}

TEST_P(CountedPreset, ExecutesParallelBlocks)
{
    for (const bool oneNorm : {false, true}) {
        Scenario scenario = test::smallPreset(GetParam().id);
        for (BlockRun& run : scenario.model.runs) {
            run.block.layout = BlockLayout::parallel;
            run.block.placement = NormPlacement::pre;
            run.block.oneNorm = oneNorm;
            run.block.cross = NoMixer{};
        }
        expectCounted(scenario);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CountedPreset, testing::ValuesIn(presets()), test::presetCase);

// Whether the shared tables of position biases have owners; else it is counted, but not executed.
bool hasPlan(Scenario scenario)
{
    scenario.workload.phase = Phase::prefill;
    return planOf(scenario).ok();
}

RC_GTEST_PROP(CountedModel, OfAnyStructureExecutesWhatItsTreeSays, ())
{
    Scenario scenario = test::randomScenario();
    scenario.workload.phase = Phase::prefill;
    scenario = test::small(scenario);
    RC_PRE(validated(scenario).ok() && hasPlan(scenario));
    RC_PRE(costTree(scenario).total().count.mac < 3'000'000);

    expectCounted(scenario);
    RC_ASSERT(!testing::Test::HasFailure());
}

// Presets keep their structure (encoders, cross-attention, tied heads); their parameters are drawn.
RC_GTEST_PROP(CountedModel, OfAPresetWithOtherNumbersExecutesWhatItsTreeSays, ())
{
    const auto preset = *rc::gen::inRange<std::size_t>(0, presets().size());
    Scenario scenario = test::smallPreset(presets()[preset].id);
    for (const Parameter& parameter : allParameters(scenario)) {
        if (parameter.key == "layers" || !parameter.applies(scenario)
            || *rc::gen::inRange(0, 4) > 0) {
            continue;
        }
        const std::vector<FieldValue> stops = parameter.legal(scenario).stops();
        setAndRepair(scenario, parameter, stops[*rc::gen::inRange<std::size_t>(0, stops.size())]);
    }
    scenario.workload.phase = Phase::prefill;
    scenario = test::small(scenario);
    RC_PRE(validated(scenario).ok() && hasPlan(scenario));
    RC_PRE(costTree(scenario).total().count.mac < 3'000'000);

    expectCounted(scenario);
    RC_ASSERT(!testing::Test::HasFailure());
}

} // namespace
} // namespace flopsmith
