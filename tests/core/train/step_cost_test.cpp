// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/step_cost.h"

#include "core/model/model_cost.h"
#include "core/train/ffn_executor.h"
#include "core/train/model_executor.h"
#include "core/train/trainer.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/train/tiny_model.h"

#include <gtest/gtest.h>

// A step with the counting scalar executes what its tree and its count say.
namespace flopsmith {
namespace {

using reference::Counted;
using reference::executed;
using reference::executionOf;
using test::fixedMap;
using test::nameOfFfn;
using test::tinyModel;

std::string executedStep(Trainer<Counted>& trainer, const TrainingBatch<Counted>& batch)
{
    return text(executed([&] { EXPECT_TRUE(trainer.step(batch).value().changed); }));
}

class StepOfVariant : public testing::TestWithParam<std::size_t>
{
protected:
    Scenario scenario = tinyModel(ffnPrototypes()[GetParam()]);
    ModelPlan plan = planOf(scenario).value();
    TrainingStart start = trainingStart(plan, 1);
};

TEST_P(StepOfVariant, ExecutesItsTrainTree)
{
    const TrainingSettings plain{.clip = 0.0, .expertBalance = 0.0, .optimizer = {.decay = 0.0}};
    Trainer<Counted> trainer(start, modelExecutor<Counted>(plan), plain);
    const TrainingBatch<Counted> batch = fixedMap<Counted>(scenario, 1);

    const std::string step = executedStep(trainer, batch);

    EXPECT_EQ(step, text(executionOf(costTree(scenario).total().count)));
    const StepCost cost = modelStepCost(scenario, start, plain);
    EXPECT_EQ(step, text(executionOf(cost.of(batch.targets.labels.size()))));
}

TEST_P(StepOfVariant, ExecutesClippingAndDecay)
{
    const TrainingSettings settings;
    Trainer<Counted> trainer(start, modelExecutor<Counted>(plan), settings);
    TrainingBatch<Counted> batch = fixedMap<Counted>(scenario, 2);
    batch.targets.labels[1] = kNoLabel;
    batch.targets.labels[4] = kNoLabel;

    const StepCost cost = modelStepCost(scenario, start, settings);

    EXPECT_EQ(executedStep(trainer, batch),
              text(executionOf(cost.of(batch.targets.labels.size() - 2))));
}

TEST_P(StepOfVariant, ExecutesItAlone)
{
    const FfnSpec& ffn = scenario.model.runs.front().block.ffn;
    const int d = scenario.model.dModel;
    const int classes = 5;
    const Shape shape{.batch = 6, .dModel = d};
    TrainingStart alone = trainingStart(ffn, d, 1);
    TrainingBatch<Counted> batch;
    batch.inputs.features = randomActivations<Counted>(shape.activations(), 7);
    batch.targets.values = randomActivations<Counted>(shape.activations(), 8);
    if (!alone.tensors.empty()) {
        Trainer<Counted> student(alone, ffnExecutor<Counted>(ffn, shape), {});
        EXPECT_EQ(executedStep(student, batch),
                  text(executionOf(
                      ffnStepCost(ffn, shape, 0, alone, {}).of(batch.targets.values.size()))));
    }

    alone.tensors.push_back({"scale", {"scale", 1, 1}});
    alone.recipes.emplace_back();
    alone.weights.push_back({1.0});
    batch.targets = {.labels = {0, 1, 2, 3, 4, 0}, .values = {}, .places = {}};
    const auto matrix = randomActivations<Counted>(static_cast<std::size_t>(d * classes), 9);
    Trainer<Counted> classifier(alone, classifyingFfnExecutor<Counted>(ffn, shape, matrix), {});
    EXPECT_EQ(executedStep(classifier, batch),
              text(executionOf(ffnStepCost(ffn, shape, classes, alone, {}).of(6))));
}

INSTANTIATE_TEST_SUITE_P(AllVariants,
                         StepOfVariant,
                         testing::Range(std::size_t{0}, ffnPrototypes().size()),
                         [](const auto& tested) { return nameOfFfn(tested.param); });

} // namespace
} // namespace flopsmith
