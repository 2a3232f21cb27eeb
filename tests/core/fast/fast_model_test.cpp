// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/fast_engine.h"
#include "core/fast/model_kernel.h"
#include "core/ffn/composed.h"
#include "core/ffn/moe.h"
#include "core/kernels/check.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/validation.h"
#include "core/run/model_run.h"
#include "core/run/wiring.h"
#include "core/train/trainer.h"
#include "core/train/training_start.h"
#include "tests/core/train/tiny_model.h"
#include "tests/support/preset_case.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <cmath>

// Models by the CPU kernels compute what the reference kernels compute in double.
namespace flopsmith {
namespace {

constexpr cpu::Threads kOne{1};

double squares(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values) {
        sum += value * value;
    }
    return sum;
}

// ‖fast − right‖ / ‖right‖, of a tensor of zeros ‖fast‖.
double relativeError(std::span<const float> fast, const std::vector<double>& right)
{
    EXPECT_EQ(fast.size(), right.size());
    std::vector<double> difference(right);
    for (std::size_t i = 0; i < right.size() && i < fast.size(); ++i) {
        difference[i] -= static_cast<double>(fast[i]);
    }
    const double size = squares(right);
    return std::sqrt(squares(difference) / (size > 0.0 ? size : 1.0));
}

std::vector<double> doubles(std::span<const float> values)
{
    return {values.begin(), values.end()};
}

Weights<double> doubles(const Weights<float>& weights)
{
    Weights<double> result;
    for (const std::vector<float>& tensor : weights) {
        result.emplace_back(tensor.begin(), tensor.end());
    }
    return result;
}

ModelInputs<double> doubles(const ModelInputs<float>& inputs)
{
    return {.tokens = inputs.tokens,
            .source = inputs.source,
            .images = {inputs.images.begin(), inputs.images.end()}};
}

void expectSameOutputs(Scenario scenario)
{
    scenario.workload.phase = Phase::prefill;
    const ModelPlan plan = planOf(scenario).value();
    const auto weights = randomWeights<float>(plan.shapes(), 5);
    const auto inputs = randomInputs<float>(plan, 6);

    const auto kernel = prepareModel(plan, weights, inputs, {2});

    ASSERT_TRUE(kernel.ok()) << kernel.error().message;
    (*kernel)->run();
    const auto right = forward<double>(plan, doubles(weights), doubles(inputs));
    EXPECT_LT(relativeError((*kernel)->output(), right->outputs), 2e-4);
    const Agreement found = compare((*kernel)->output(), right->outputs, contractionTerms(plan));
    EXPECT_TRUE(found.agrees) << found.relativeError() << " of "
                              << found.tolerance / found.magnitude;
}

// The second pass has other weights and inputs than the kernels were prepared with.
void expectSameGradients(Scenario scenario)
{
    scenario.workload.phase = Phase::train;
    scenario.workload.checkpointing = Checkpointing::none;
    const ModelPlan plan = planOf(scenario).value();
    Weights<float> weights = randomWeights<float>(plan.shapes(), 1);
    const auto executor = fastModelExecutor(plan, kOne)(weights);
    for (const std::uint64_t seed : {11, 5}) {
        const auto drawn = randomWeights<float>(plan.shapes(), seed);
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            std::ranges::copy(drawn[i], weights[i].begin());
        }
        executor->weightsChanged();
        const auto inputs = randomInputs<float>(plan, seed + 1);
        const auto outputs = executor->forward({.tokens = inputs.tokens, .features = inputs.images},
                                               Keep::forBackward);
        ASSERT_TRUE(outputs.ok()) << outputs.error().message;
        const auto dOutputs = randomActivations<float>(outputs->size(), 9);
        const auto gradients = executor->backward(dOutputs);
        ASSERT_TRUE(gradients.ok()) << gradients.error().message;

        const auto right =
            forward<double>(plan, doubles(weights), doubles(inputs), Keep::forBackward);
        EXPECT_LT(relativeError(*outputs, right->outputs), 2e-4);
        const auto expected =
            backward<double>(plan, doubles(weights), doubles(inputs), *right, doubles(dOutputs));
        double largest = 0.0;
        for (const std::vector<double>& tensor : *expected) {
            largest = std::max(largest, std::sqrt(squares(tensor)));
        }
        for (std::size_t i = 0; i < expected->size(); ++i) {
            const double size = std::sqrt(squares((*expected)[i]));
            const double scale = size > 0.0 ? size : 1.0; // what relativeError() divides by
            EXPECT_LT(relativeError((*gradients)[i], (*expected)[i]) * scale,
                      2e-3 * size + 1e-5 * largest)
                << plan.tensors[i].path << " of size " << size;
        }
    }
}

// Routers that a balance loss trains too.
TEST(FastTraining, BalancesExpertsAsTheReferenceDoes)
{
    for (const bool isShared : {false, true}) {
        MoeFfn ffn{.experts = 4, .perToken = isShared ? 2 : 1, .dFf = 6, .renormalise = isShared};
        ffn.sharedExperts = isShared ? 1 : 0;
        ffn.sharedDFf = 5;
        const Scenario scenario = test::tinyModel(ffn);
        const ModelPlan plan = planOf(scenario).value();
        const TrainingBatch<float> batch = test::fixedMap<float>(scenario, 3);
        TrainingSettings settings{.rate = 3e-3};
        settings.expertBalance = 2.0;
        const TrainingStart start = trainingStart(plan, 1);
        Trainer<float> fast(start, fastModelExecutor(plan, kOne), settings);
        Trainer<float> reference(start, modelExecutor<float>(plan), settings);
        for (int step = 0; step < 5; ++step) {
            const StepReport own = fast.step(batch).value();
            const StepReport right = reference.step(batch).value();
            EXPECT_NEAR(own.loss, right.loss, 1e-4);
            EXPECT_NEAR(own.balanceLoss, right.balanceLoss, 1e-3);
            EXPECT_NEAR(own.gradientNorm, right.gradientNorm, 1e-3 * right.gradientNorm);
            ASSERT_TRUE(own.loadEntropy && right.loadEntropy);
            EXPECT_NEAR(*own.loadEntropy, *right.loadEntropy, 1e-12);
        }
    }
}

class FastPreset : public testing::TestWithParam<Preset>
{};

TEST_P(FastPreset, ComputesTheOutputsOfTheReference)
{
    expectSameOutputs(test::smallPreset(GetParam().id));
}

TEST_P(FastPreset, ComputesTheGradientsOfTheReference)
{
    const Scenario scenario = test::smallPreset(GetParam().id);
    if (scenario.model.hasEncoder()) {
        GTEST_SKIP() << "a trainer's batches have no source tokens";
    }
    expectSameGradients(scenario);
}

TEST_P(FastPreset, ComputesEveryPlacementOfNormsAndParallelBlocks)
{
    for (const NormPlacement placement : {NormPlacement::post, NormPlacement::sandwich}) {
        Scenario scenario = test::smallPreset(GetParam().id);
        for (BlockRun& run : scenario.model.runs) {
            run.block.placement = placement;
            run.block.residualScale = true;
        }
        expectSameOutputs(scenario);
    }
    Scenario scenario = test::smallPreset(GetParam().id);
    for (BlockRun& run : scenario.model.runs) {
        run.block.layout = BlockLayout::parallel;
        run.block.placement = NormPlacement::pre;
        run.block.cross = NoMixer{};
    }
    expectSameOutputs(scenario);
    if (!scenario.model.hasEncoder()) {
        expectSameGradients(scenario);
    }
}

INSTANTIATE_TEST_SUITE_P(All, FastPreset, testing::ValuesIn(presets()), test::presetCase);

class FastFfn : public testing::TestWithParam<std::size_t>
{
protected:
    FfnSpec ffn() const { return ffnPrototypes()[GetParam()]; }
};

// A step of both engines from one start; of float, so rounding grows from step to step.
TEST_P(FastFfn, LearnsAsTheReferenceDoes)
{
    const Scenario scenario = test::tinyModel(withoutDropout(ffn()));
    const ModelPlan plan = planOf(scenario).value();
    const TrainingStart start = trainingStart(plan, 3);
    Trainer<float> fast(start, fastEngine(kOne).model(plan), {});
    Trainer<double> reference(start, referenceEngine<double>().model(plan), {});
    for (std::uint64_t step = 1; step <= 10; ++step) {
        const auto right = reference.step(test::fixedMap<double>(scenario, step));
        const auto found = fast.step(test::fixedMap<float>(scenario, step));
        ASSERT_TRUE(found.ok()) << found.error().message;
        EXPECT_NEAR(found->loss, right->loss, 1e-4 * right->loss) << "step " << step;
    }
}

TEST_P(FastFfn, IsTheSameInEveryRun)
{
    const Scenario scenario = test::tinyModel(withoutDropout(ffn()));
    const ModelPlan plan = planOf(scenario).value();
    const TrainingStart start = trainingStart(plan, 3);
    Trainer<float> once(start, fastEngine(kOne).model(plan), {});
    Trainer<float> twice(start, fastEngine(kOne).model(plan), {});
    for (std::uint64_t step = 1; step <= 3; ++step) {
        ASSERT_TRUE(once.step(test::fixedMap<float>(scenario, step)).ok());
        ASSERT_TRUE(twice.step(test::fixedMap<float>(scenario, step)).ok());
    }
    EXPECT_EQ(once.state(), twice.state());

    // A restored state goes on as if nothing had happened.
    Trainer<float> restored(start, fastEngine(kOne).model(plan), {});
    ASSERT_TRUE(restored.step(test::fixedMap<float>(scenario, 9)).ok());
    ASSERT_TRUE(restored.restore(once.state()).ok());
    ASSERT_TRUE(once.step(test::fixedMap<float>(scenario, 4)).ok());
    ASSERT_TRUE(restored.step(test::fixedMap<float>(scenario, 4)).ok());
    EXPECT_EQ(once.state(), restored.state());
}

TEST_P(FastFfn, AloneComputesWhatTheReferenceComputes)
{
    const Model model = test::tinyModel(ffn()).model;
    const FfnSpec legal = model.runs.front().block.ffn;
    const int d = model.dModel;
    const Shape shape{.batch = 2, .sequence = 6, .context = 6, .dModel = d};
    for (const int classes : {0, 5}) {
        const auto frozen = randomActivations<float>(static_cast<std::size_t>(classes * d), 3);
        Weights<float> weights = randomWeights<float>(flopsmith::weights(legal, d), 4);
        if (classes > 0) {
            weights.push_back({0.7F});
        }
        const auto right64 = doubles(weights);
        const auto fast = fastEngine(kOne).ffn(legal, shape, frozen)(weights);
        const auto right = classifyingFfnExecutor<double>(
            legal, shape, doubles(std::span<const float>(frozen)))(right64);
        const auto x = randomActivations<float>(shape.activations(), 5);
        const auto y = fast->forward({.tokens = {}, .features = x}, Keep::forBackward);
        const auto expected = right->forward(
            {.tokens = {}, .features = doubles(std::span<const float>(x))}, Keep::forBackward);
        ASSERT_TRUE(y.ok()) << y.error().message;
        EXPECT_LT(relativeError(*y, *expected), 1e-4);
        const auto dy = randomActivations<float>(y->size(), 6);
        const auto gradients = fast->backward(dy);
        const auto wanted = right->backward(doubles(std::span<const float>(dy)));
        ASSERT_EQ(gradients->size(), wanted->size());
        for (std::size_t i = 0; i < wanted->size(); ++i) {
            EXPECT_LT(relativeError((*gradients)[i], (*wanted)[i]), 1e-3) << "tensor " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants,
                         FastFfn,
                         testing::Range(std::size_t{0}, ffnPrototypes().size()),
                         [](const auto& param) { return test::nameOfFfn(param.param); });

TEST(FastModel, RefusesWhatDoesNotFit)
{
    const ModelPlan plan = planOf(test::tinyModel(DenseFfn{})).value();
    const auto weights = randomWeights<float>(plan.shapes(), 5);
    const auto executor = fastModelExecutor(plan, kOne)(weights);

    EXPECT_FALSE(executor->forward({.tokens = {1, 2}, .features = {}}, Keep::nothing).ok());
    EXPECT_FALSE(executor->backward(std::vector<float>(7)).ok());
    ModelInputs<float> inputs = randomInputs<float>(plan, 6);
    inputs.tokens.back() = plan.vocab;
    EXPECT_FALSE(prepareModel(plan, weights, inputs, kOne).ok());
}

} // namespace
} // namespace flopsmith
