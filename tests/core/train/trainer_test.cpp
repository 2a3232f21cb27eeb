// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include "core/ffn/ffn_variants.h"
#include "core/train/ffn_executor.h"
#include "core/train/model_executor.h"
#include "core/train/training_state.h"
#include "tests/core/train/tiny_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace flopsmith {
namespace {

using test::fixedMap;
using test::tinyModel;

template <class S>
Trainer<S> trainerOf(const Scenario& scenario, const TrainingSettings& settings)
{
    const ModelPlan plan = planOf(scenario).value();
    return Trainer<S>(trainingStart(plan, 1), modelExecutor<S>(plan), settings);
}

TrainingSettings fewSteps(int steps, double rate = 1e-2)
{
    return {.rate = rate, .schedule = {.steps = steps, .warmup = steps / 10}};
}

TEST(Trainer, LearnsOneBatch)
{
    const Scenario scenario = tinyModel(DenseFfn{});
    const TrainingBatch<double> batch = fixedMap<double>(scenario, 1);
    Trainer<double> trainer = trainerOf<double>(scenario, fewSteps(200));

    const double before = trainer.evaluate(batch).value().loss;
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(trainer.step(batch).value().changed);
    }
    const Evaluation<double> after = trainer.evaluate(batch).value();

    EXPECT_GT(before, 1.0);
    EXPECT_LT(after.loss, 0.05);
    EXPECT_EQ(after.right, after.compared);
}

TEST(Trainer, KeepsTheLossAtRateZeroBitForBit)
{
    const Scenario scenario = tinyModel(GatedFfn{});
    const TrainingBatch<float> batch = fixedMap<float>(scenario, 2);
    Trainer<float> trainer = trainerOf<float>(scenario, fewSteps(10, 0.0));

    const double first = trainer.step(batch).value().loss;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(trainer.step(batch).value().loss, first);
    }
}

TEST(Trainer, RepeatsItselfBitForBit)
{
    const Scenario scenario = tinyModel(TokenFeedbackFfn{});
    Trainer<float> one = trainerOf<float>(scenario, fewSteps(5));
    Trainer<float> other = trainerOf<float>(scenario, fewSteps(5));

    for (std::uint64_t i = 0; i < 5; ++i) {
        const TrainingBatch<float> batch = fixedMap<float>(scenario, i);
        EXPECT_EQ(one.step(batch).value().loss, other.step(batch).value().loss);
    }
    EXPECT_EQ(one.state(), other.state());
}

TEST(Trainer, RefusesABatchOfAnotherSizeAndKeepsItsState)
{
    const Scenario scenario = tinyModel(DenseFfn{});
    TrainingBatch<double> batch = fixedMap<double>(scenario, 1);
    Trainer<double> trainer = trainerOf<double>(scenario, fewSteps(5));
    const TrainingState<double> before = trainer.state();
    batch.inputs.tokens.pop_back();

    EXPECT_FALSE(trainer.step(batch).ok());
    EXPECT_EQ(trainer.state(), before);
}

TEST(Trainer, ChangesNothingByAStepThatIsNotFinite)
{
    const int d = 4;
    const Shape shape{.batch = 2, .dModel = d};
    const FfnSpec ffn = DenseFfn{.dFf = 3};
    Trainer<double> trainer(trainingStart(ffn, d, 1), ffnExecutor<double>(ffn, shape), {});
    const TrainingState<double> before = trainer.state();
    TrainingBatch<double> batch;
    batch.inputs.features.assign(8, std::numeric_limits<double>::infinity());
    batch.targets.values.assign(8, 0.0);

    const StepReport report = trainer.step(batch).value();

    EXPECT_FALSE(report.changed);
    EXPECT_EQ(trainer.state(), before);
}

TEST(Trainer, LeavesWhatDoesNotTrain)
{
    const Scenario scenario = tinyModel(MoeFfn{.correctionBias = true});
    Trainer<double> trainer = trainerOf<double>(scenario, fewSteps(5));
    ASSERT_TRUE(trainer.step(fixedMap<double>(scenario, 1)).value().changed);

    int fixed = 0;
    for (std::size_t i = 0; i < trainer.tensors().size(); ++i) {
        if (!trainer.tensors()[i].shape.trainable) {
            for (const double value : trainer.state().weights[i]) {
                EXPECT_EQ(value, 0.0);
                ++fixed;
            }
        }
    }
    EXPECT_GT(fixed, 0);
}

// An executor that copies its weights, as one does that packs them.
class Packing final : public Executor<double>
{
public:
    explicit Packing(const Weights<double>& weights)
        : m_weights(weights)
        , m_packed(weights)
    {}

    Result<std::vector<double>> forward(const TrainingInputs<double>& inputs,
                                        Keep /*keep*/) override
    {
        return std::vector<double>(inputs.features.size(), m_packed[0][0]);
    }

    Result<Weights<double>> backward(std::span<const double> /*dOutputs*/) override
    {
        return Weights<double>{std::vector<double>(m_weights[0].size(), 1.0)};
    }

    void weightsChanged() override { m_packed = m_weights; }

private:
    const Weights<double>& m_weights;
    Weights<double> m_packed;
};

TEST(Trainer, TellsItsExecutorOfNewWeights)
{
    const TrainingStart start = trainingStart(PolynomialFfn{.degree = 1}, 4, 1);
    Trainer<double> trainer(
        start,
        [](const Weights<double>& weights) { return std::make_unique<Packing>(weights); },
        {});
    const TrainingBatch<double> batch{.inputs = {.tokens = {}, .features = {0.0}},
                                      .targets = {.labels = {}, .values = {1.0}, .places = {}}};
    const double before = trainer.evaluate(batch).value().outputs[0];
    const TrainingState<double> first = trainer.state();

    ASSERT_TRUE(trainer.step(batch).value().changed);
    EXPECT_NE(trainer.evaluate(batch).value().outputs[0], before);

    ASSERT_TRUE(trainer.restore(first).ok());
    EXPECT_EQ(trainer.evaluate(batch).value().outputs[0], before);
}

class SavedTraining : public testing::Test
{
protected:
    SavedTraining() { std::filesystem::create_directories(m_folder); }
    ~SavedTraining() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    std::string file() const { return (m_folder / "state.safetensors").string(); }

private:
    std::filesystem::path m_folder = std::filesystem::temp_directory_path()
        / ("flopsmith_train_"
           + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

template <class S>
void expectToGoOn(const std::string& file)
{
    const Scenario scenario = tinyModel(ultraEfficientSparseFfn());
    Trainer<S> whole = trainerOf<S>(scenario, fewSteps(8));
    Trainer<S> stopped = trainerOf<S>(scenario, fewSteps(8));
    for (std::uint64_t i = 0; i < 4; ++i) {
        ASSERT_TRUE(whole.step(fixedMap<S>(scenario, i)).ok());
        ASSERT_TRUE(stopped.step(fixedMap<S>(scenario, i)).ok());
    }
    ASSERT_TRUE(saveState<S>(file, stopped.tensors(), stopped.state(), {{"seed", "1"}}).ok());

    Trainer<S> resumed = trainerOf<S>(scenario, fewSteps(8));
    const auto saved = loadState<S>(file, resumed.tensors());
    ASSERT_TRUE(saved.ok()) << saved.error().message;
    EXPECT_EQ(saved->metadata.at("seed"), "1");
    ASSERT_TRUE(resumed.restore(saved->state).ok());
    for (std::uint64_t i = 4; i < 8; ++i) {
        const TrainingBatch<S> batch = fixedMap<S>(scenario, i);
        EXPECT_EQ(whole.step(batch).value().loss, resumed.step(batch).value().loss);
    }
    EXPECT_EQ(whole.state(), resumed.state());
}

TEST_F(SavedTraining, GoesOnBitForBitInDouble)
{
    expectToGoOn<double>(file());
}

TEST_F(SavedTraining, GoesOnBitForBitInFloat)
{
    expectToGoOn<float>(file());
}

TEST_F(SavedTraining, IsRefusedByOtherModelsAndPrecisions)
{
    Trainer<double> dense = trainerOf<double>(tinyModel(DenseFfn{}), {});
    const Trainer<double> gated = trainerOf<double>(tinyModel(GatedFfn{}), {});
    ASSERT_TRUE(saveState<double>(file(), dense.tensors(), dense.state(), {}).ok());

    const auto refusal = [](const auto& loaded) {
        return loaded ? std::string() : loaded.error().message;
    };
    EXPECT_NE(refusal(loadState<double>(file(), gated.tensors())).find(file()), std::string::npos);
    EXPECT_NE(refusal(loadState<float>(file(), dense.tensors())).find("F32"), std::string::npos);
    EXPECT_NE(refusal(loadState<double>(file() + ".none", dense.tensors())), "");
    std::ofstream(file(), std::ios::trunc) << "{";
    EXPECT_NE(refusal(loadState<double>(file(), dense.tensors())), "");
    EXPECT_FALSE(dense.restore(gated.state()).ok());
}

} // namespace
} // namespace flopsmith
