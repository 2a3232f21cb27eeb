// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/training_folder.h"

#include "core/io/safetensors/safetensors_file.h"
#include "core/torch/design_training.h"
#include "core/torch/lab_training.h"
#include "tests/core/lab/temporary_folder.h"
#include "tests/core/torch/curve_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

class TrainingFolders : public test::WithFolder
{
protected:
    static Training small(bool isDouble)
    {
        const test::CurveSizes sizes;
        Training training =
            test::curveTraining(test::curveCases(sizes).front(), sizes, 3, isDouble);
        training.tests = {training.batches.front()};
        return training;
    }
};

// Every tensor has numbers of its own.
void fill(TrainingState<double>& state)
{
    double value = 0.0;
    state.moments.clear();
    for (std::vector<double>& tensor : state.weights) {
        std::vector<double>& moments = state.moments.emplace_back(2 * tensor.size());
        for (std::size_t i = 0; i < tensor.size(); ++i) {
            tensor[i] = value += 1.0;
            moments[i] = 0.5 * value;
            moments[tensor.size() + i] = 0.25 * value;
        }
    }
}

TEST_F(TrainingFolders, HoldEachStepsExamples)
{
    const Training training = small(false);
    ASSERT_TRUE(writeTraining(file(""), training).ok());

    const SafetensorsFile batches = SafetensorsFile::open(file("batches.safetensors")).value();
    EXPECT_EQ(batches.find("tokens")->shape, (TensorShape{3, 4, 16}));
    EXPECT_EQ(batches.find("labels")->shape, (TensorShape{3, 4, 16}));
    const auto tokens = batches.readAs<std::int64_t>("tokens").value();
    const std::vector<int>& last = training.batches[2].inputs.tokens;
    EXPECT_TRUE(std::equal(last.begin(), last.end(), tokens.end() - std::ssize(last)));
    EXPECT_EQ(SafetensorsFile::open(file("test.safetensors"))->find("tokens")->shape,
              (TensorShape{1, 4, 16}));
    EXPECT_NE(contentOf(file("train.py")).find("class Training"), std::string::npos);
    EXPECT_NE(contentOf(file("check.py")).find("read_safetensors"), std::string::npos);
    EXPECT_NE(contentOf(file("training.json")).find("\"warmup\": 10"), std::string::npos);
}

TEST_F(TrainingFolders, GiveBackTheStateThatTheyHold)
{
    for (const bool isDouble : {false, true}) {
        Training training = small(isDouble);
        fill(training.state);
        training.state.step = 2;
        training.progress = {.firstLoss = 3.5, .smoothedLoss = 2.25, .seconds = 0.125};
        ASSERT_TRUE(writeTraining(file(""), training).ok());

        const Result<SavedTraining> saved = savedTraining(file(""), training);

        ASSERT_TRUE(saved.ok()) << saved.error().message;
        EXPECT_EQ(saved->state, training.state);
        EXPECT_EQ(saved->progress, training.progress);
    }
}

TEST_F(TrainingFolders, RefuseWhatIsNoTraining)
{
    Training training = small(false);
    EXPECT_FALSE(savedTraining(file(""), training).ok()); // nothing was saved
    training.batches.back().inputs.tokens.pop_back();
    EXPECT_NE(writeTraining(file(""), training).error().message.find("several sizes"),
              std::string::npos);
}

TEST(DesignTrainings, AreOfDesignsThatFitTheTask)
{
    const auto refusal = [](Scenario scenario, const TaskSpec& task) {
        const Result<Training> training = designTraining(std::move(scenario), {.task = task});
        return training.ok() ? std::string() : training.error().message;
    };
    Scenario gpt2 = test::smallPreset("gpt2");
    EXPECT_NE(refusal(gpt2, TeacherTask{}).find("teacher"), std::string::npos);
    EXPECT_NE(refusal(gpt2, GrammarTask{}).find("11 tokens"), std::string::npos);
    EXPECT_NE(refusal(test::smallPreset("t5-small"), GrammarTask{}).find("encoder"),
              std::string::npos);
    gpt2.model.embedding.vocab = 256;
    gpt2.model.embedding.positionRows = 64;

    const Result<Training> training =
        designTraining(gpt2, {.task = GrammarTask{.batch = 2, .test = 2}, .steps = 5});

    ASSERT_TRUE(training.ok()) << training.error().message;
    EXPECT_EQ(training->batches.size(), 5U);
    EXPECT_EQ(training->until, 5);
    EXPECT_EQ(training->settings.schedule.steps, 5);

    get<Attention>(gpt2.model.runs.front().block.mixer).causal = false;
    EXPECT_NE(refusal(gpt2, GrammarTask{}).find("sees all tokens"), std::string::npos);
    EXPECT_EQ(refusal(gpt2, InductionTask{}), "");
}

} // namespace
} // namespace flopsmith::torch
