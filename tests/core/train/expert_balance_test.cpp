// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/expert_balance.h"

#include "core/train/batch_loss.h"
#include "core/train/model_executor.h"
#include "core/train/trainer.h"
#include "tests/core/train/tiny_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace flopsmith {
namespace {

using test::fixedMap;
using test::tinyModel;

MoeFfn experts(int perToken, bool renormalise)
{
    return {.experts = 4, .perToken = perToken, .dFf = 6, .renormalise = renormalise};
}

TEST(ExpertBalance, KnowsHowEvenLoadsAre)
{
    const auto entropyOf = [](const std::vector<std::int64_t>& rows) {
        ExpertBalance balance;
        balance.noteLoads(rows);
        EXPECT_EQ(balance.mixtures, 1);
        return balance.entropies;
    };

    EXPECT_NEAR(entropyOf({5, 5, 5, 5}), 1.0, 1e-12);
    EXPECT_EQ(entropyOf({0, 7, 0, 0}), 0.0);
    EXPECT_NEAR(entropyOf({3, 3, 0, 0}), 0.5, 1e-12);
    EXPECT_EQ(entropyOf({9}), 1.0);
}

// What a step is trained on: the loss of its batch and the balance loss, as a function of weights.
double wholeLoss(Executor<double>& executor, const TrainingBatch<double>& batch, double coefficient)
{
    const auto outputs = executor.forward(batch.inputs, Keep::forBackward).value();
    const auto loss = batchLoss<double>(outputs, batch.targets).value();
    ExpertBalance balance{.coefficient = coefficient};
    const BalanceScope scope(balance);
    EXPECT_TRUE(executor.backward(loss.dOutputs).ok());
    return loss.mean + balance.loss;
}

// With a coefficient so large that a wrong gradient shows.
TEST(ExpertBalance, HasTheGradientOfItsLoss)
{
    constexpr double kCoefficient = 3.0;
    constexpr double kStep = 1e-6;
    for (const MoeFfn& ffn : {experts(1, false), experts(2, true)}) {
        const Scenario scenario = tinyModel(ffn);
        const ModelPlan plan = planOf(scenario).value();
        Weights<double> weights = trainingStart(plan, 1).weights;
        const auto executor = modelExecutor<double>(plan)(weights);
        const TrainingBatch<double> batch = fixedMap<double>(scenario, 3);
        const auto outputs = executor->forward(batch.inputs, Keep::forBackward).value();
        const auto loss = batchLoss<double>(outputs, batch.targets).value();
        ExpertBalance balance{.coefficient = kCoefficient};
        Weights<double> gradients;
        {
            const BalanceScope scope(balance);
            gradients = executor->backward(loss.dOutputs).value();
        }
        EXPECT_EQ(balance.mixtures, 2);
        EXPECT_GT(balance.loss, 0.9 * 2 * kCoefficient); // two layers, at least near 1 each
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (const std::size_t k : {std::size_t{0}, weights[i].size() / 2}) {
                const double before = weights[i][k];
                weights[i][k] = before + kStep;
                const double above = wholeLoss(*executor, batch, kCoefficient);
                weights[i][k] = before - kStep;
                const double below = wholeLoss(*executor, batch, kCoefficient);
                weights[i][k] = before;
                EXPECT_NEAR((above - below) / (2.0 * kStep),
                            gradients[i][k],
                            1e-6 + 1e-5 * std::abs(gradients[i][k]))
                    << plan.tensors[i].path << " " << k;
            }
        }
    }
}

TEST(ExpertBalance, IsReportedByStepsApartFromTheirLoss)
{
    const Scenario scenario = tinyModel(experts(1, false));
    const ModelPlan plan = planOf(scenario).value();
    const TrainingBatch<float> batch = fixedMap<float>(scenario, 3);
    const auto reportWith = [&](double coefficient) {
        TrainingSettings settings{.rate = 0.0};
        settings.expertBalance = coefficient;
        Trainer<float> trainer(trainingStart(plan, 1), modelExecutor<float>(plan), settings);
        return trainer.step(batch).value();
    };
    const StepReport plain = reportWith(0.0);
    const StepReport balanced = reportWith(0.01);

    EXPECT_EQ(balanced.loss, plain.loss);
    EXPECT_EQ(plain.balanceLoss, 0.0);
    EXPECT_NEAR(balanced.balanceLoss, 0.02, 0.01);
    EXPECT_NE(balanced.gradientNorm, plain.gradientNorm);
    ASSERT_TRUE(balanced.loadEntropy.has_value());
    EXPECT_EQ(balanced.loadEntropy, plain.loadEntropy);
    EXPECT_GT(*balanced.loadEntropy, 0.0);
    EXPECT_LE(*balanced.loadEntropy, 1.0);

    const Scenario dense = tinyModel(DenseFfn{});
    Trainer<float> trainer(
        trainingStart(planOf(dense).value(), 1), modelExecutor<float>(planOf(dense).value()), {});
    EXPECT_FALSE(trainer.step(fixedMap<float>(dense, 1)).value().loadEntropy.has_value());
}

} // namespace
} // namespace flopsmith
