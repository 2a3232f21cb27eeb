// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batch_loss.h"
#include "core/train/ffn_executor.h"
#include "core/train/model_executor.h"
#include "core/train/training_start.h"
#include "tests/core/train/tiny_model.h"

#include <gtest/gtest.h>

#include <cmath>

// Gradients of whole models through the loss against central differences in double.
namespace flopsmith {
namespace {

using test::fixedMap;
using test::nameOfFfn;
using test::tinyModel;

constexpr double kStep = 1e-5;

std::vector<double> unitDirection(std::size_t size, std::uint64_t seed)
{
    std::vector<double> direction = randomActivations<double>(size, seed);
    double sum = 0.0;
    for (const double value : direction) {
        sum += value * value;
    }
    for (double& value : direction) {
        value /= std::sqrt(sum);
    }
    return direction;
}

void moveAlong(std::vector<double>& tensor, const std::vector<double>& direction, double distance)
{
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        tensor[i] += distance * direction[i];
    }
}

double lossOfBatch(Executor<double>& executor, const TrainingBatch<double>& batch)
{
    const std::vector<double> outputs = executor.forward(batch.inputs, Keep::nothing).value();
    return batchLoss<double>(outputs, batch.targets).value().mean;
}

void expectGradients(const std::vector<ModelTensor>& tensors,
                     Weights<double> weights,
                     const ExecutorFactory<double>& factory,
                     const TrainingBatch<double>& batch,
                     int directions)
{
    const std::unique_ptr<Executor<double>> executor = factory(weights);
    const auto outputs = executor->forward(batch.inputs, Keep::forBackward).value();
    const auto loss = batchLoss<double>(outputs, batch.targets).value();
    const Weights<double> gradients = executor->backward(loss.dOutputs).value();
    ASSERT_EQ(gradients.size(), tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        for (int k = 0; tensors[i].shape.trainable && k < directions; ++k) {
            const auto direction =
                unitDirection(weights[i].size(), 100 * i + static_cast<std::uint64_t>(k));
            double analytic = 0.0;
            for (std::size_t j = 0; j < direction.size(); ++j) {
                analytic += gradients[i][j] * direction[j];
            }
            const std::vector<double> before = weights[i];
            moveAlong(weights[i], direction, kStep);
            const double above = lossOfBatch(*executor, batch);
            weights[i] = before;
            moveAlong(weights[i], direction, -kStep);
            const double below = lossOfBatch(*executor, batch);
            weights[i] = before;
            const double numeric = (above - below) / (2.0 * kStep);
            EXPECT_NEAR(numeric, analytic, 1e-8 + 1e-5 * std::abs(analytic)) << tensors[i].path;
        }
    }
}

class GradientOfVariant : public testing::TestWithParam<std::size_t>
{};

TEST_P(GradientOfVariant, OfTheLossOfAModel)
{
    const Scenario scenario = tinyModel(ffnPrototypes()[GetParam()]);
    const ModelPlan plan = planOf(scenario).value();
    const TrainingStart start = trainingStart(plan, 1);
    TrainingBatch<double> batch = fixedMap<double>(scenario, 3);
    batch.targets.labels[2] = kNoLabel;

    expectGradients(start.tensors, start.weights, modelExecutor<double>(plan), batch, 2);
}

TEST_P(GradientOfVariant, OfAClassifierBehindIt)
{
    const Scenario scenario = tinyModel(ffnPrototypes()[GetParam()]);
    const int d = scenario.model.dModel;
    const Shape shape{.batch = 4, .dModel = d};
    const FfnSpec& ffn = scenario.model.runs.front().block.ffn;
    TrainingStart start = trainingStart(ffn, d, 1);
    start.tensors.push_back({"scale", {"scale", 1, 1}});
    start.weights.push_back({1.5});
    const TrainingBatch<double> batch{
        .inputs = {.tokens = {}, .features = randomActivations<double>(shape.activations(), 5)},
        .targets = {.labels = {0, 2, kNoLabel, 1}, .values = {}, .places = {}}};
    const auto classes = randomActivations<double>(static_cast<std::size_t>(3 * d), 6);

    expectGradients(start.tensors,
                    start.weights,
                    classifyingFfnExecutor<double>(ffn, shape, classes),
                    batch,
                    2);
}

INSTANTIATE_TEST_SUITE_P(AllVariants,
                         GradientOfVariant,
                         testing::Range(std::size_t{0}, ffnPrototypes().size()),
                         [](const auto& tested) { return nameOfFfn(tested.param); });

} // namespace
} // namespace flopsmith
